"""What the pictures show: questions, asked at the desk as Discord would, and its replies drawn."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.chat.asker import Asker
from bot.chat.desk import Desk
from bot.chat.replies import Button, Reply
from bot.policy.texts import LOCALES, Locale
from pictures import page

QUESTIONS: Final[dict[Locale, dict[str, str]]] = {
    "ja": {
        "answer": "fab 3.1",
        "choices": "デッキの枚数が足りない",
        "nothing": "大会の景品をください",
        "typing": "ちこ",
    },
    "en": {
        "answer": "fab 3.1",
        "choices": "too few cards in deck",
        "nothing": "where is the toilet",
        "typing": "late",
    },
}
GAME: Final = "fab"
COMPLETIONS: Final = 6
"""As many as a phone shows above its keyboard."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn reply and the name of its file."""

    name: str
    locale: Locale
    body: str

    @property
    def html(self) -> str:
        """The page to take a picture of."""
        return page.document((self.body,), self.locale)


def pictures(desk: Desk) -> Iterator[Picture]:
    """Yield every picture in every language."""
    for locale in LOCALES:
        for name, body in _bodies(desk, locale):
            yield Picture(f"{name}-{locale}", locale, body)


def _bodies(desk: Desk, locale: Locale) -> Iterator[tuple[str, str]]:
    texts, questions = desk.texts(locale), QUESTIONS[locale]
    asker = Asker(id=1, locale=locale, game=None, private=False)
    command = f"/{texts('command.infraction.name')}"
    for name in ("answer", "choices", "nothing"):
        reply = desk.lookup(questions[name], asker)
        yield name, page.answered(reply, f"{command} {questions[name]}", locale)
    options = list(desk.completions(questions["typing"], locale, None))[:COMPLETIONS]
    what = texts("option.query.description")
    query = texts("option.query.name")
    yield "typing", page.typing(options, command, query, what, questions["typing"])
    command = f"/{texts('command.penalties.name')} {GAME}"
    ladder = desk.penalties(GAME, asker)
    yield "penalties", page.answered(ladder, command, locale)
    yield "table", page.answered(_next(desk, ladder), command, locale)


def _next(desk: Desk, reply: Reply) -> Reply:
    """Return what the button to the next page leads to."""
    control = next(
        item.control
        for row in reply.rows
        if isinstance(row, tuple)
        for item in row
        if isinstance(item, Button) and item.control and item.control.role == "next"
    )
    return desk.clicked(control, None)
