"""The index of everything a section can be called by, and the search through it.

A ladder, best first: section number, exact name or alias, reading in kana or romaji, fuzzy name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rapidfuzz import fuzz, process

from bot import text
from bot.policy.header import Chapter
from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.policy.texts import Locale

Confidence = Literal["certain", "unsure", "none"]
MatchKind = Literal["number", "name", "alias", "reading", "romaji", "fuzzy"]

FUZZY_MINIMUM_LENGTH: Final = 4
"""Shortest query that is compared loosely; shorter ones resemble everything."""
FUZZY_CUTOFF: Final = 72.0
"""Least similarity (0 to 100) of a name that is offered."""


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
    r"(?=.*\d)((?:\d+|[a-z])(?:\s*[.,\-/の。 ]\s*(?:\d+|[a-z](?![a-z])))*)\s*(?:章|節|項|条|番)?"
)
_AROUND_NUMBER: Final = re.compile(
    r"^(?:[\s(\[（「§#第]|section|sec\.?|rule|no\.?)+|[\s)\]）」.。、,?？]+$"
)
"""What people put around a number; it says nothing."""


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

        ``game`` restricts the search; a game or a full id named in the query itself goes before it.
        A query without a letter, digit or kana finds nothing. A name that is only similar is never
        certain: "unintentional" is one letter pair away from its opposite.
        """
        by_id = self._by_id(query.strip())
        if by_id:
            return by_id
        words, named = self._split_game(query)
        game = named or game
        wanted = text.key(words)
        if not wanted:
            return NOTHING
        number = _NUMBER.fullmatch(_AROUND_NUMBER.sub("", text.normalise(words)))
        if number:
            return _result(self._numbered(number[1], game), limit)
        exact = [s for s in self._by_key.get(wanted, []) if game in (None, s.pack.header.id)]
        if not exact:
            exact = [s for s in self._romaji(words) if game in (None, s.pack.header.id)]
        if exact:
            return _result([_hit(surface, 100.0) for surface in exact], limit)
        return self._fuzzy(wanted, game, limit)

    def complete(
        self, prefix: str, *, locale: Locale, game: str | None = None, limit: int = 12
    ) -> Iterator[tuple[str, Pack, Section]]:
        """Yield what ``prefix`` may become: names and aliases that begin with it, then containing ones.

        One name a section. A number, a kana reading or romaji brings the name in ``locale``.
        """
        wanted = text.key(prefix)
        if not wanted:
            return
        sound = f"romaji:{text.romaji_key(prefix)}"
        number = prefix.strip().upper()
        pool = [s for s in self._surfaces if game in (None, s.pack.header.id)]
        starting = [
            s
            for s in pool
            if s.key.startswith(wanted)
            or s.section.number.startswith(number)
            or (len(sound) > len("romaji:x") and s.key.startswith(sound))
        ]
        containing = [s for s in pool if wanted in s.key and s.kind != "romaji"]
        seen: set[str] = set()
        for surface in (*starting, *containing):
            if surface.section.id not in seen and len(seen) < limit:
                seen.add(surface.section.id)
                typed = surface.kind in ("name", "alias") and surface.key.startswith(wanted)
                name = surface.text if typed else surface.section.name.in_locale(locale)
                yield name, surface.pack, surface.section

    def game_named(self, word: str) -> str | None:
        """Return the id of the pack that ``word`` names, if any."""
        return self._games.get(text.key(word)) if text.key(word) else None

    def _by_id(self, query: str) -> Result | None:
        hits = [
            Hit(pack, section, 100.0, "number", section.id)
            for pack in self._library.packs
            for section in pack.sections
            if query in (section.id, section.id.partition(":")[2])
            and (":" in query or "/" in query)
        ]
        return _result(hits, len(hits)) if hits else None

    def _split_game(self, query: str) -> tuple[str, str | None]:
        """Return the query without the words that name a game, and that game's id.

        The longest name counts: "Flesh and Blood 4.1" is the game and a number.
        """
        words = re.sub(r"(?<=[^\d\s.,\-(\[])(?=\d)", " ", text.normalise(query)).split()
        named: str | None = None
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + 6), start, -1):
                found = self._games.get(text.key(" ".join(words[start:end])))
                if found and (named in (None, found)) and len(words) > end - start:
                    named, words = found, words[:start] + words[end:]
                    break
            else:
                start += 1
        return (" ".join(words), named) if named else (query, None)

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
        return Result("unsure", tuple(hits[:limit]))


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
