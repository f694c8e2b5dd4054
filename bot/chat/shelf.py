"""The rulebooks in use, swapped as a whole when their files change."""

import asyncio
import gc
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cachetools import LRUCache

from bot import i18n, outline, text
from bot.i18n import Catalogue
from bot.policy import packs
from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.policy.texts import LOCALES, Locale
from bot.search.index import Index, Result

REMEMBERED: Final = 2000
"""Questions and beginnings whose result is kept; the same ones come again and again, and new
rulebooks begin anew."""

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rulebooks:
    """A library, its index, and the labels of its sections as completions show them."""

    library: Library
    index: Index
    labels: dict[str, str]
    _found: LRUCache[tuple[str, str | None, int], Result] = field(
        default_factory=lambda: LRUCache(REMEMBERED)
    )
    _completed: LRUCache[tuple[str, Locale, str | None, int], tuple[tuple[Pack, Section], ...]] = (
        field(default_factory=lambda: LRUCache(REMEMBERED))
    )

    def find(self, query: str, game: str | None, limit: int) -> Result:
        """Return the sections ``query`` may mean; a label that was picked or typed is its section."""
        asked = (query, game, limit)
        if asked not in self._found:
            section_id = self.labels.get(text.key(query))
            warmed = self.index.warmed
            found = self.index.search(section_id or query, game=game, limit=limit)
            if not warmed:
                return found  # a better one comes with the encoder
            self._found[asked] = found
        return self._found[asked]

    def complete(
        self, typed: str, locale: Locale, game: str | None, limit: int
    ) -> tuple[tuple[Pack, Section], ...]:
        """Return the sections that ``typed`` may become."""
        asked = (typed, locale, game, limit)
        if asked not in self._completed:
            found = self.index.complete(typed, locale=locale, game=game, limit=limit)
            self._completed[asked] = tuple((pack, section) for _, pack, section in found)
        return self._completed[asked]

    def near(self, query: str, game: str | None, locale: Locale) -> Sequence[tuple[Pack, Section]]:
        """Return sections whose names are nearest to a query; to the empty one, the most asked."""
        return self.complete(query, locale, game, 3)

    def pack(self, pack_id: str | None) -> Pack | None:
        """Return the pack with this id, None without one."""
        return next((p for p in self.library.packs if p.header.id == pack_id), None)


def short_label(pack: Pack, section: Section, locale: Locale, words: str) -> str:
    """Return a section in one line: number, name, penalty and game."""
    if section.penalty:  # phones show some forty characters of a completion
        words = pack.penalty(section.penalty).short.in_locale(locale)
    parts = (outline.label(section, locale), words, pack.header.short.in_locale(locale))
    return " | ".join(filter(None, parts))


class Shelf:
    """Holds the rulebooks in use; ``reload`` puts new ones in their place or keeps them."""

    def __init__(self, data: Path, cache: Path, catalogue: Catalogue) -> None:
        """Load the rulebooks of ``data``. Raises PacksError."""
        self._data, self._cache, self._catalogue = data, cache, catalogue
        self.current = self._load()

    async def reload(self) -> bool:
        """Check and load the rulebooks anew; return whether they took the place of the old."""
        try:
            loaded = await asyncio.to_thread(self._load)
            await asyncio.to_thread(loaded.index.wait)
        except packs.PacksError as error:
            first = i18n.problem_text(error.problems[0], self._catalogue["en"])
            count = len(error.problems)
            LOG.error(  # noqa: TRY400 - no traceback: the person needs file and line
                "rulebooks kept as they were, %d problems in the new: %s", count, first
            )
            return False
        except OSError as error:
            LOG.error("rulebooks kept as they were: %s", error)  # noqa: TRY400 - no traceback: the person needs the file
            return False
        except Exception:  # whatever else: the next reload has to be possible
            LOG.exception("rulebooks kept as they were")
            return False
        self.current = loaded
        LOG.info("rulebooks reloaded: %d sections", len(loaded.library.ids))
        return True

    def _load(self) -> Rulebooks:
        library = packs.load(self._data)
        index = Index(library, shipped=self._data / packs.MEANING_FILE, cache_folder=self._cache)
        index.warm(waits=False)  # the first answers need not wait for the encoder
        books = Rulebooks(library, index, dict(self._labels(library)))
        gc.collect()
        gc.freeze()  # rulebooks live on: looking through them again and again would stop answers
        return books

    def _labels(self, library: Library) -> list[tuple[str, str]]:
        return [
            (text.key(words), section.id)
            for pack in library.packs
            for section in pack.sections
            for locale in LOCALES
            for penalty in [outline.penalty_words(pack, section, locale, self._catalogue[locale])]
            for words in (
                short_label(pack, section, locale, penalty),
                f"{pack.header.short.in_locale(locale)} {outline.label(section, locale)}",
            )
        ]
