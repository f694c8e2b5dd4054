"""The chat without its input and output: a line in, a page out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rich.text import Text

from bot.i18n import Catalogue, Texts
from bot.policy.pack import Library
from bot.policy.texts import LOCALES, Locale
from bot.search.index import Hit, Index
from bot.terminal import render


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
        return self._lines("chat.greeting")

    def answer(self, line: str) -> Text:
        """Return the reply to one line: a command, the number of a choice, or a question."""
        line = line.strip()
        if not line:
            return Text()
        if line.startswith(("/", "／")):
            command, _, rest = line.replace("／", "/", 1).replace("\u3000", " ").partition(" ")
            run = self._commands.get(command.lower())
            if run is None:
                return Text(self.texts("chat.unknown_command", commands=" ".join(self._commands)))
            return run(rest.strip())
        if self.choices and line.isdecimal() and 1 <= int(line) <= len(self.choices):
            return self._show(self.choices[int(line) - 1])
        return self._find(line)

    def completions(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield what the line may become, each with a word on what it is."""
        if line.startswith("/"):
            for command in self._commands:
                if command.startswith(line):
                    yield command, self.texts(f"chat.command{command.replace('/', '.')}")
            return
        for name, pack, section in self.index.complete(line, game=self.game):
            yield name, f"{pack.header.short.in_locale(self.locale)} {section.number}"

    def _find(self, query: str) -> Text:
        if not query:
            return Text(self.texts("chat.ask_something"))
        result = self.index.search(query, game=self.game)
        if result.confidence == "certain":
            return self._show(result.hits[0])
        self.choices = result.hits
        if result.confidence == "unsure":
            page = render.choices_page(result.hits, self.locale, self.texts, self.width)
            return Text("\n").join([page, Text(self.texts("chat.choose"))])
        return render.nothing_page(self.library, query, self.locale, self.texts, self.width)

    def _show(self, hit: Hit, *, whole: bool = False) -> Text:
        self.choices, self.shown = (), hit
        page = render.section_page(
            hit.pack, hit.section, self.locale, self.texts, self.width, whole=whole
        )
        return (
            page if whole else Text("\n").join([page, Text(self.texts("chat.more"), style="dim")])
        )

    def _whole(self, query: str) -> Text:
        if not query:
            if self.shown is None:
                return Text(self.texts("chat.ask_something"))
            return self._show(self.shown, whole=True)
        result = self.index.search(query, game=self.game)
        if result.confidence == "certain":
            return self._show(result.hits[0], whole=True)
        return self._find(query)

    def _penalties(self, game: str) -> Text:
        wanted = self.index.game_named(game) if game else self.game
        if game and wanted is None:
            return self._unknown_game(game)
        packs = [pack for pack in self.library.packs if wanted in (None, pack.header.id)]
        pages = [render.penalties_page(pack, self.locale, self.texts, self.width) for pack in packs]
        return Text("\n\n").join(pages)

    def _language(self, wanted: str) -> Text:
        for locale in LOCALES:
            if wanted.lower() == locale or wanted == self.texts(f"language.{locale}"):
                self.locale = locale
                if self.shown:
                    return self._show(self.shown)
                return self._lines("chat.language_set")
        return Text(self.texts("chat.unknown_language", languages=" ".join(LOCALES)))

    def _game(self, wanted: str) -> Text:
        if wanted.lower() in ("all", "両方", "すべて"):
            self.game = None
            return Text(self.texts("chat.game_all"))
        game = self.index.game_named(wanted)
        if game is None:
            return self._unknown_game(wanted)
        self.game = game
        name = self.library.pack(game).header.game.in_locale(self.locale)
        return Text(self.texts("chat.game_set", game=name))

    def _unknown_game(self, wanted: str) -> Text:
        known = " ".join(pack.header.id for pack in self.library.packs)
        return Text(self.texts("chat.unknown_game", game=wanted, games=f"{known} all"))

    def _help(self, _: str) -> Text:
        return self._lines("chat.help")

    def _quit(self, _: str) -> Text:
        self.finished = True
        return Text(self.texts("chat.bye"))

    def _lines(self, key: str) -> Text:
        return Text(self.texts(key).rstrip("\n"))
