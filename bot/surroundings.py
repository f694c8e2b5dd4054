"""What every command of the command line needs from outside, and its exit statuses."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from bot.config import Settings
from bot.i18n import Catalogue, Texts
from bot.policy import packs
from bot.policy.pack import Library
from bot.policy.texts import Locale
from bot.search.index import Index

OK, NOT_FOUND, FAULTY, UNUSABLE = 0, 1, 1, 2
MIN_WIDTH, MAX_WIDTH = 20, 100
"""Narrower and wider than this, lines are hard to read, whatever the terminal says."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every command needs from outside."""

    settings: Settings
    data: Path
    cache: Path
    locale: Locale
    catalogue: Catalogue
    console: Console

    @property
    def texts(self) -> Texts:
        """The interface texts in the chosen language."""
        return self.catalogue[self.locale]

    @property
    def width(self) -> int:
        """Columns to write in."""
        return min(self.console.width, MAX_WIDTH)


class RefusalError(Exception):
    """A call that cannot be carried out; the message says why."""


def index_of(library: Library, around: Surroundings) -> Index:
    """Return the index of ``library`` with what ships beside the rule data."""
    shipped = around.data / packs.MEANING_FILE
    return Index(library, shipped=shipped, cache_folder=around.cache)


def game_of(word: str | None, index: Index, library: Library, around: Surroundings) -> str | None:
    """Return the id of the game that --game names. Raises RefusalError for one that is not there."""
    if word is None:
        return None
    game = index.game_named(word)
    if game is None:
        games = ", ".join(pack.header.id for pack in library.packs)
        raise RefusalError(around.texts("ask.unknown_game", game=word, games=games))
    return game
