"""The index of everything a section can be called by, and the search through it.

A ladder, best first: section number, exact name or alias, reading in kana or romaji, fuzzy name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rapidfuzz import fuzz, process

from bot.policy.header import Chapter
from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.search import text

Confidence = Literal["certain", "unsure", "none"]
MatchKind = Literal["number", "name", "alias", "reading", "romaji", "fuzzy"]

FUZZY_MINIMUM_LENGTH: Final = 4
"""Shortest query that is compared loosely; shorter ones resemble everything."""
FUZZY_CUTOFF: Final = 72.0
FUZZY_CERTAIN: Final = 88.0
FUZZY_MARGIN: Final = 8.0
"""How far the best section must be ahead of the next to be given without asking (0 to 100)."""


@dataclass(frozen=True, slots=True)
class Surface:
    """One way to write a section's name."""

    key: str
    text: str
    kind: MatchKind
    pack: Pack
    section: Section


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that may be meant, how sure (0 to 100), and what matched."""

    pack: Pack
    section: Section
    score: float
    kind: MatchKind
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found; ``certain`` has its answer first, ``none`` has no hits."""

    confidence: Confidence
    hits: tuple[Hit, ...]


NOTHING: Final = Result("none", ())

_NUMBER: Final = re.compile(
    r"(?=.*\d)(?:[§#]|section|第)?\s*((?:\d+|[a-z])(?:\s*[.\-/ ]\s*(?:\d+|[a-z](?![a-z])))*)\s*(?:章|節|項)?"
)


class Index:
    """Every section of a library by everything it can be called. Built once, never changed."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._surfaces = tuple(surface for pack in library.packs for surface in _surfaces(pack))
        self._by_key: dict[str, list[Surface]] = {}
        for surface in self._surfaces:
            self._by_key.setdefault(surface.key, []).append(surface)
        self._games = {
            text.key(word): pack.header.id for pack in library.packs for word in _game_words(pack)
        }

    def search(self, query: str, *, game: str | None = None, limit: int = 10) -> Result:
        """Return the sections ``query`` may mean, best first.

        A word in the query that names a game searches that game only, unless ``game`` is given.
        A query without a letter, digit or kana finds nothing.
        """
        by_id = self._by_id(query.strip(), game)
        if by_id:
            return by_id
        words, named = self._split_game(query)
        game = game or named
        wanted = text.key(words)
        if not wanted:
            return NOTHING
        number = _NUMBER.fullmatch(text.normalise(words))
        if number:
            return _result(self._numbered(number[1], game), limit)
        exact = [s for s in self._by_key.get(wanted, []) if game in (None, s.pack.header.id)]
        if not exact:
            exact = [s for s in self._romaji(words) if game in (None, s.pack.header.id)]
        if exact:
            return _result([_hit(surface, 100.0) for surface in exact], limit)
        return self._fuzzy(wanted, game, limit)

    def complete(
        self, prefix: str, *, game: str | None = None, limit: int = 12
    ) -> Iterator[tuple[str, Pack, Section]]:
        """Yield names and aliases that begin with ``prefix``, then those that contain it.

        One name a section; a number or kana reading brings the section's name.
        """
        wanted = text.key(prefix)
        if not wanted:
            return
        pool = [
            s for s in self._surfaces if s.kind != "romaji" and game in (None, s.pack.header.id)
        ]
        starting = [
            s
            for s in pool
            if s.key.startswith(wanted) or s.section.number.startswith(prefix.strip())
        ]
        containing = [s for s in pool if wanted in s.key]
        seen: set[str] = set()
        for surface in (*starting, *containing):
            if surface.section.id not in seen and len(seen) < limit:
                seen.add(surface.section.id)
                name = surface.section.name.ja if surface.kind == "reading" else surface.text
                yield name, surface.pack, surface.section

    def game_named(self, word: str) -> str | None:
        """Return the id of the pack that ``word`` names, if any."""
        return self._games.get(text.key(word))

    def _by_id(self, query: str, game: str | None) -> Result | None:
        try:
            section = self._library.section(query)
        except KeyError:
            return None
        pack = self._library.pack(query.partition(":")[0])
        if game not in (None, pack.header.id):
            return None
        return Result("certain", (Hit(pack, section, 100.0, "number", section.id),))

    def _split_game(self, query: str) -> tuple[str, str | None]:
        """Return the query without its first word that names a game, and that game's id."""
        words = re.sub(r"(?<=[^\d\s.])(?=\d)", " ", text.normalise(query)).split()
        if len(words) > 1:
            for index, word in enumerate(words):
                named = self._games.get(text.key(word))
                if named:
                    return " ".join(words[:index] + words[index + 1 :]), named
        return query, None

    def _numbered(self, number: str, game: str | None) -> list[Hit]:
        wanted = ".".join(re.findall(r"\d+|[a-z]", number)).upper()
        return [
            Hit(pack, section, 100.0, "number", wanted)
            for pack in self._library.packs
            if game in (None, pack.header.id)
            for section in _numbered(pack, wanted)
        ]

    def _romaji(self, words: str) -> list[Surface]:
        sound = text.romaji_key(words)
        return self._by_key.get(f"romaji:{sound}", []) if len(sound) > 1 else []

    def _fuzzy(self, wanted: str, game: str | None, limit: int) -> Result:
        if len(wanted) < FUZZY_MINIMUM_LENGTH:
            return NOTHING
        pool = [
            surface
            for surface in self._surfaces
            if surface.kind != "romaji" and game in (None, surface.pack.header.id)
        ]
        found = process.extract(
            wanted,
            [surface.key for surface in pool],
            scorer=fuzz.ratio,
            score_cutoff=FUZZY_CUTOFF,
            limit=limit * 4,
        )
        hits = _best_per_section([_hit(pool[place], score, "fuzzy") for _, score, place in found])
        if not hits:
            return NOTHING
        second = hits[1].score if len(hits) > 1 else 0.0
        sure = hits[0].score >= FUZZY_CERTAIN and hits[0].score - second >= FUZZY_MARGIN
        return Result("certain" if sure else "unsure", tuple(hits[:limit]))


def _surfaces(pack: Pack) -> Iterator[Surface]:
    for section in pack.sections:
        names: list[tuple[str, MatchKind]] = [
            (section.name.ja, "name"),
            (section.name.en, "name"),
            *((alias, "alias") for alias in section.aliases.ja),
            *((alias, "alias") for alias in section.aliases.en),
            *((reading, "reading") for reading in section.readings),
        ]
        for name, kind in names:
            yield Surface(text.key(name), name, kind, pack, section)
        for reading in section.readings:
            yield Surface(f"romaji:{text.romaji_key(reading)}", reading, "romaji", pack, section)
    for chapter in pack.header.chapters:
        for section in _opening_sections(pack, chapter):
            for name in (chapter.name.ja, chapter.name.en):
                yield Surface(text.key(name), name, "name", pack, section)


def _opening_sections(pack: Pack, chapter: Chapter) -> Iterator[Section]:
    """Yield where a chapter is ruled on: its introduction, or else each of its sections."""
    if chapter.section:
        yield pack.section(chapter.section)
        return
    for section in pack.sections:
        if pack.chapter_of(section) == chapter and "/" not in section.id:
            yield section


def _numbered(pack: Pack, number: str) -> Iterator[Section]:
    """Yield the section with this number, or the opening sections of the chapter that has it."""
    found = [s for s in pack.sections if s.number == number and "/" not in s.id]
    yield from found
    for chapter in pack.header.chapters:
        if not found and chapter.number == number:
            yield from _opening_sections(pack, chapter)


def _game_words(pack: Pack) -> Iterator[str]:
    header = pack.header
    yield from (header.id, header.game.ja, header.game.en, header.short.ja, header.short.en)
    yield from (*header.aliases.ja, *header.aliases.en)


def _hit(surface: Surface, score: float, kind: MatchKind | None = None) -> Hit:
    return Hit(surface.pack, surface.section, score, kind or surface.kind, surface.text)


def _best_per_section(hits: list[Hit]) -> list[Hit]:
    """Return the best hit of each section: higher score first, then by section id."""
    best: dict[str, Hit] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.section.id, hit.text)):
        best.setdefault(hit.section.id, hit)
    return list(best.values())


def _result(hits: list[Hit], limit: int) -> Result:
    unique = {hit.section.id: hit for hit in reversed(hits)}
    found = [hit for section_id, hit in sorted(unique.items(), key=lambda item: item[0])]
    if not found:
        return NOTHING
    return Result("certain" if len(found) == 1 else "unsure", tuple(found[:limit]))
