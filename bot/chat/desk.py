"""Where questions come in and replies go out: everything a reply needs, without Discord's glue."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot import __version__, limits, outline, text
from bot.chat import lists, markdown, render
from bot.chat.asker import Asker
from bot.chat.controls import VIEWS, Control, View
from bot.chat.metrics import Metrics
from bot.chat.replies import Option, Reply
from bot.chat.shelf import Shelf, short_label
from bot.i18n import Catalogue, Texts
from bot.policy.pack import Pack
from bot.policy.texts import Locale
from bot.search.confidence import Confidence
from bot.store.store import Server

OUTCOMES: Final[dict[Confidence, str]] = {
    "certain": "answer",
    "unsure": "choices",
    "none": "nothing",
}
"""What a lookup is counted as."""


_NOT_SAID: Final = re.compile(
    r"""
    ```.*?(?:```|\Z) | `                             # code
    | <(?:@[!&]?|\#)\d+> | @(?:everyone|here)\b      # people, roles and channels
    | <a?:\w+:\d+>                                  # emoji
    | </[^<>]{1,100}:\d+> | <t:-?\d+(?::\w)?> | <id:\w+>  # commands, times, places of a server
    | https?://\S+
    | ^>(?:>>)?[ ]                                  # quotations
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
"""What a message holds besides words."""


class NoSuchSubjectError(LookupError):
    """A click on something that the rule data no longer have."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Answers questions and clicks from the rulebooks in use."""

    shelf: Shelf
    catalogue: Catalogue
    metrics: Metrics

    def texts(self, locale: Locale) -> Texts:
        """Return the interface texts in ``locale``."""
        return self.catalogue[locale]

    def lookup(self, query: str, asker: Asker) -> Reply:
        """Return the answer to ``query``, a choice of sections, or that there is nothing."""
        books, texts = self.shelf.current, self.texts(asker.locale)
        game = asker.game if books.pack(asker.game) else None
        state = Control("pick", "", asker.locale, "overview", 0, asker.id, asker.private)
        result = books.find(query[: limits.QUERY], game, lists.CHOICES)
        self.metrics.lookups.labels(OUTCOMES[result.confidence], asker.locale).inc()
        if result.confidence == "certain":
            hit = result.hits[0]
            named = hit.kind == "number" or text.key(query) in (
                text.key(hit.section.name.ja),
                text.key(hit.section.name.en),
            )
            state = replace(state, subject=hit.section.id)
            return render.answer(
                hit.pack, hit.section, state, texts, matched=None if named else hit
            )
        if result.confidence == "unsure":
            return lists.choices(query, result.hits, state, texts)
        near = [(hit.pack, hit.section) for hit in result.hits]
        if not near and text.key(query):
            near = list(books.near(query, game, asker.locale))
        heading = "nothing.near" if near else "nothing.often"
        near = near or list(books.near("", game, asker.locale))
        searched = [p for p in books.library.packs if game in (None, p.header.id)]
        return lists.nothing(query, searched, texts(heading), near, state, texts)

    def lookup_message(self, content: str, asker: Asker) -> Reply:
        """Return the answer to what a message says, without its mentions, code and addresses."""
        return self.lookup(" ".join(_NOT_SAID.sub(" ", content).split()), asker)

    def settings_words(self, server: Server, locale: Locale) -> str:
        """Return a server's settings, one a line."""
        texts = self.texts(locale)
        pack = self.shelf.current.pack(server.game)
        game = pack.header.game.in_locale(locale) if pack else texts("option.all_games")
        language = texts(
            f"option.language_{server.locale}" if server.locale else "option.automatic"
        )
        private = texts("settings.private" if server.private else "settings.public")
        return texts("settings.words", language=language, game=game, private=private)

    def completions(self, typed: str, locale: Locale, game: str | None) -> Iterator[Option]:
        """Yield what ``typed`` may become: short labels, with ids as values."""
        books, texts = self.shelf.current, self.texts(locale)
        game = game if books.pack(game) else None
        for pack, section in books.complete(typed[: text.MAX_LENGTH], locale, game, limits.OPTIONS):
            words = outline.penalty_words(pack, section, locale, texts)
            label = short_label(pack, section, locale, words)
            yield Option(markdown.cut(label, limits.CHOICE_NAME), section.id)

    def penalties(self, game: str | None, asker: Asker) -> Reply:
        """Return the ladder and table of ``game``, or of the first game."""
        books = self.shelf.current
        pack = books.pack(game or asker.game) or books.library.packs[0]
        state = Control("game", "", asker.locale, "overview", 0, asker.id, asker.private)
        return lists.penalties(books.library, pack, state, self.texts(asker.locale))

    def helped(self, locale: Locale) -> Reply:
        """Return how to ask."""
        return lists.helped(self.shelf.current.library, self.texts(locale), locale)

    def about(self, locale: Locale) -> Reply:
        """Return what this is."""
        books = self.shelf.current
        return lists.about(
            books.library,
            self.texts(locale),
            locale,
            version=__version__,
            understands=books.index.understands,
        )

    def clicked(self, control: Control, value: str | None) -> Reply:
        """Return the state that a click leads to. Raises NoSuchSubjectError."""
        if ":" not in control.subject:
            return lists.penalties(
                self.shelf.current.library,
                self._pack(control.subject),
                control,
                self.texts(control.locale),
            )
        if control.role == "view" and value in VIEWS:
            view: View = next(view for view in VIEWS if view == value)
            control = replace(control, view=view, page=0)
        if control.role == "related" and value:
            control = replace(control, subject=value, view="overview", page=0)
        pack = self._pack(control.subject.partition(":")[0])
        try:
            section = pack.section(control.subject)
        except KeyError as error:
            raise NoSuchSubjectError(control.subject) from error
        return render.answer(pack, section, control, self.texts(control.locale))

    def _pack(self, pack_id: str) -> Pack:
        pack = self.shelf.current.pack(pack_id)
        if pack is None:
            raise NoSuchSubjectError(pack_id)
        return pack
