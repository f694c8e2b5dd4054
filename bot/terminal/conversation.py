"""The chat without its input and output: a line in, a page out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rich.text import Text

from bot.i18n import Catalogue, Texts
from bot.policy.pack import Library
from bot.policy.texts import LOCALES, Locale
from bot.search.index import Hit, Index
from bot.terminal import lists, render
from bot.terminal.page import Page

CHOICES = 5
"""Most sections offered to choose from, unless more fit alike."""


@dataclass(slots=True)
class Conversation:
    """One person's talk with the library: language, game and what was last shown."""

    library: Library
    index: Index
    catalogue: Catalogue
    locale: Locale
    width: int
    game: str | None = None
    finished: bool = False
    choices: tuple[Hit, ...] = ()
    shown: Hit | None = None
    _commands: dict[str, Callable[[str], Text]] = field(init=False)

    def __post_init__(self) -> None:
        self._commands = {
            "/infraction": self._find,
            "/all": self._whole,
            "/penalties": self._penalties,
            "/language": self._language,
            "/game": self._game,
            "/help": self._help,
            "/quit": self._quit,
        }

    @property
    def texts(self) -> Texts:
        """The interface texts in the language now spoken."""
        return self.catalogue[self.locale]

    def greeting(self) -> Text:
        """Return the first lines of the chat."""
        return self._say("chat.greeting")

    def answer(self, line: str) -> Text:
        """Return the reply to one line: a command, the number of a choice, or a question."""
        line = line.strip()
        if not line:
            return Text()
        if line.startswith(("/", "／")):
            command, _, rest = line.replace("／", "/", 1).replace("\u3000", " ").partition(" ")
            run = self._commands.get(command.lower())
            if run is None:
                return self._say("chat.unknown_command", commands=" ".join(self._commands))
            return run(rest.strip())
        if self.choices and line.isdecimal() and len(line) < 3:
            return self._choose(int(line), whole=False)
        return self._find(line)

    def completions(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield what the line may become, each with a word on what it is."""
        command, space, rest = line.partition(" ")
        if line.startswith("/") and not space:
            yield from self._command_completions(line)
        elif command in ("/game", "/penalties"):
            yield from self._game_completions(command, rest)
        elif command == "/language":
            for locale in filter(lambda locale: locale.startswith(rest), LOCALES):
                yield f"{command} {locale}", self.texts(f"language.{locale}")
        elif command in ("/infraction", "/all"):
            for name, what in self._name_completions(rest):
                yield f"{command} {name}", what
        elif not (self.choices and line.isdecimal()):
            yield from self._name_completions(line)

    def _command_completions(self, typed: str) -> Iterator[tuple[str, str]]:
        for name in self._commands:
            if name.startswith(typed):
                yield name, self.texts(f"chat.command{name.replace('/', '.')}")

    def _game_completions(self, command: str, typed: str) -> Iterator[tuple[str, str]]:
        for pack in self.library.packs:
            if pack.header.id.startswith(typed):
                yield f"{command} {pack.header.id}", pack.header.game.in_locale(self.locale)

    def _name_completions(self, typed: str) -> Iterator[tuple[str, str]]:
        found = self.index.complete(typed, locale=self.locale, game=self.game)
        for name, pack, section in found:
            yield name, f"{pack.header.short.in_locale(self.locale)} {section.number}"

    def _choose(self, number: int, *, whole: bool) -> Text:
        if not 1 <= number <= len(self.choices):
            return self._say("chat.no_such_choice", last=len(self.choices), number=number)
        return self._show(self.choices[number - 1], whole=whole)

    def _find(self, query: str, *, whole: bool = False) -> Text:
        self.choices, self.shown = (), None
        if not query:
            return self._say("chat.ask_something")
        result = self.index.search(query, game=self.game)
        if result.confidence == "certain":
            return self._show(result.hits[0], whole=whole)
        if result.confidence == "unsure":
            self.choices = result.hits[:CHOICES]
            page = lists.choices_page(self.choices, self.locale, self.texts, self.width)
            return Text("\n").join([page, self._say("chat.choose")])
        packs = [pack for pack in self.library.packs if self.game in (None, pack.header.id)]
        page = lists.nothing_page(packs, query, self.locale, self.texts, self.width)
        if result.hits:
            near = lists.near_numbers_page(result.hits, self.locale, self.texts, self.width)
            page = Text("\n").join([page, near])
        return Text("\n").join([page, self._say("chat.widen")]) if self.game else page

    def _show(self, hit: Hit, *, whole: bool = False) -> Text:
        self.shown = hit
        page = render.section_page(
            hit.pack, hit.section, self.locale, self.texts, self.width, whole=whole
        )
        what = render.left_out(hit.section, self.texts)
        if whole or not what:
            return page
        return Text("\n").join([page, self._say("chat.more", what=what)])

    def _whole(self, query: str) -> Text:
        if self.choices and query.isdecimal() and len(query) < 3:
            return self._choose(int(query), whole=True)
        if query or self.shown is None:
            return self._find(query, whole=True)
        return self._show(self.shown, whole=True)

    def _penalties(self, game: str) -> Text:
        self.choices = ()
        wanted = self.index.game_named(game) if game else self.game
        if game and wanted is None:
            return self._unknown_game(game)
        packs = [pack for pack in self.library.packs if wanted in (None, pack.header.id)]
        pages = [lists.penalties_page(pack, self.locale, self.texts, self.width) for pack in packs]
        return Text("\n\n").join(pages)

    def _language(self, wanted: str) -> Text:
        for locale in LOCALES:
            if wanted.lower() == locale or wanted == self.texts(f"language.{locale}"):
                self.locale = locale
                if self.shown:
                    return self._show(self.shown)
                return self._say("chat.language_set")
        return self._say("chat.unknown_language", languages=" ".join(LOCALES))

    def _game(self, wanted: str) -> Text:
        if wanted.lower() in ("all", "両方", "すべて"):
            self.game, self.choices = None, ()
            return self._say("chat.game_all")
        game = self.index.game_named(wanted) if wanted else self.game
        if game is None:
            return self._unknown_game(wanted) if wanted else self._say("chat.game_all")
        if wanted:
            self.game, self.choices = game, ()
        return self._say(
            "chat.game_set", game=self.library.pack(game).header.game.in_locale(self.locale)
        )

    def _unknown_game(self, wanted: str) -> Text:
        known = " ".join(pack.header.id for pack in self.library.packs)
        return self._say("chat.unknown_game", game=wanted, games=f"{known} all")

    def _help(self, _: str) -> Text:
        return self._say("chat.help")

    def _quit(self, _: str) -> Text:
        self.finished = True
        return self._say("chat.bye")

    def _say(self, key: str, **values: object) -> Text:
        """Return an interface text, its lines broken to the width."""
        page = Page(self.width)
        for line in self.texts(key, **values).rstrip("\n").split("\n"):
            indent = len(line) - len(line.lstrip())
            page.line(line.strip(), indent=indent)
        return page.text()
