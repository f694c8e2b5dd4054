"""What sections are called: numbers, names, aliases, readings; found exactly, in part or nearly."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import Final, Literal, get_args

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from bot import text
from bot.policy.header import Chapter
from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.policy.texts import LOCALES, Locale

NameKind = Literal["name", "alias", "reading", "romaji"]

PART_MINIMUM: Final = 2
"""Shortest query (characters of its key) that may be the beginning or a word of a name."""
PART: Final = 70.0
"""Least similarity (0 to 100) of a name that begins with the query or has it as a word."""
NEAR_MINIMUM: Final = 4
"""Shortest query that is compared loosely; shorter ones resemble everything."""
NEAR_CUTOFF: Final = 65.0
"""Least similarity (0 to 100, swapped letters count once) that counts at all."""


KINDS: Final[tuple[NameKind, ...]] = get_args(NameKind)
SOUND: Final = "romaji:"
"""Stands before the key of a sound; no written key has a colon."""
LAST: Final = "\U0010ffff"
"""Sorts behind every key."""


@dataclass(frozen=True, slots=True)
class Surface:
    """One way to write what a section is called; ``place`` counts the sections of the library."""

    key: str
    text: str
    kind: NameKind
    locale: Locale
    place: int


class Names:
    """Every surface of a library. Built once, never changed."""

    def __init__(self, listed: Sequence[tuple[Pack, Section]]) -> None:
        places = {section.id: place for place, (_, section) in enumerate(listed)}
        packs = {pack.header.id: pack for pack, _ in listed}
        found = (
            *(s for place, (_, section) in enumerate(listed) for s in _surfaces(section, place)),
            *(s for pack in packs.values() for s in _chapter_surfaces(pack, places)),
        )
        # Names before aliases before readings, then by id: neither files nor packs have an order.
        surfaces = sorted(
            found, key=lambda s: (KINDS.index(s.kind), listed[s.place][1].id, s.locale, s.key)
        )
        self._by_key: dict[str, list[Surface]] = {}
        for surface in surfaces:
            self._by_key.setdefault(surface.key, []).append(surface)
        self._beginnings = sorted((s.key, order) for order, s in enumerate(surfaces))
        self._surfaces = surfaces
        self._written = [s for s in surfaces if s.kind != "romaji"]
        self._keys = [s.key for s in self._written]
        self._joined = "\n".join(self._keys)
        self._starts = list(accumulate((len(key) + 1 for key in self._keys), initial=0))
        self._normal = [text.normalise(s.text) for s in self._written]
        self._lengths = np.array([len(key) for key in self._keys], dtype=np.int64)
        places_of: dict[str, list[int]] = {}
        for place, key in enumerate(self._keys):
            for pair in _pairs(key):
                places_of.setdefault(pair, []).append(place)
        self._by_pair = {pair: np.array(held, dtype=np.int32) for pair, held in places_of.items()}

    def exact(self, words: str) -> list[Surface]:
        """Return the surfaces that are ``words``, or that sound like them in romaji."""
        found = self._by_key.get(text.key(words), [])
        sound = text.romaji_key(words)
        if found or len(sound) < PART_MINIMUM + 1:
            return list(found)
        return list(self._by_key.get(f"{SOUND}{sound}", []))

    def near(self, words: str) -> Iterator[tuple[Surface, float]]:
        """Yield surfaces that begin with ``words`` or have them as a word (100), or resemble them."""
        wanted = text.key(words)
        if len(wanted) >= PART_MINIMUM:
            whole = re.compile(rf"(?<![0-9a-z]){re.escape(text.normalise(words))}(?![0-9a-z])")
            for place in self._containing(wanted):
                key = self._keys[place]
                if key.startswith(wanted) or whole.search(self._normal[place]):
                    yield self._written[place], PART + (100.0 - PART) * len(wanted) / len(key)
        if len(wanted) >= NEAR_MINIMUM:
            alike = self._alike(wanted)
            found = process.extract(
                wanted,
                [self._keys[place] for place in alike],
                scorer=OSA.normalized_similarity,
                score_cutoff=NEAR_CUTOFF / 100,
                limit=40,
            )
            for _, similarity, number in found:
                yield self._written[alike[number]], 100.0 * similarity

    def _alike(self, wanted: str) -> list[int]:
        """Return the places of the keys that share enough pairs of characters to be similar.

        One error changes at most three pairs (two swapped letters do), so none is missed.
        """
        asked = _pairs(wanted)
        held = [self._by_pair[pair] for pair in asked if pair in self._by_pair]
        if not held:
            return []
        shared = np.bincount(np.concatenate(held), minlength=len(self._keys))
        longest = np.maximum(self._lengths, len(wanted))
        errors = ((1 - NEAR_CUTOFF / 100) * longest).astype(np.int64)
        enough = shared >= np.maximum(len(asked) - 3 * errors, 1)
        fits = np.abs(self._lengths - len(wanted)) <= errors
        alike: list[int] = np.flatnonzero(enough & fits).tolist()
        return alike

    def named_in(self, words: str) -> Iterator[int]:
        """Yield the places of the sections whose official name stands whole among ``words``."""
        normal, wanted = text.normalise(words), text.key(words)
        for surface, name in zip(self._written, self._normal, strict=True):
            if surface.kind != "name" or len(surface.key) < NEAR_MINIMUM:
                continue
            if surface.key in wanted and (
                not surface.key.isascii() or re.search(rf"\b{re.escape(name)}\b", normal)
            ):
                yield surface.place

    def beginning(self, start: str) -> Iterator[Surface]:
        """Yield the surfaces whose key begins with ``start``: names, then aliases, then readings."""
        first = bisect_left(self._beginnings, (start, 0))
        last = bisect_left(self._beginnings, (start + LAST, 0))
        for order in sorted(order for _, order in self._beginnings[first:last]):
            yield self._surfaces[order]

    def containing(self, part: str) -> Iterator[Surface]:
        """Yield the written surfaces whose key has ``part`` in it, in the same order."""
        for place in self._containing(part):
            yield self._written[place]

    def _containing(self, wanted: str) -> Iterator[int]:
        """Yield the places of the keys that contain ``wanted``, by one search through all of them."""
        at = self._joined.find(wanted)
        while at >= 0:
            place = bisect_right(self._starts, at) - 1
            yield place
            at = self._joined.find(wanted, self._starts[place + 1])


def _pairs(key: str) -> set[str]:
    """Return the pairs of neighbouring characters of ``key``, its two ends included."""
    edged = f"<{key}>"
    return {edged[i : i + 2] for i in range(len(edged) - 1)}


def _surfaces(section: Section, place: int) -> Iterator[Surface]:
    for locale in LOCALES:
        name = section.name.in_locale(locale)
        yield Surface(text.key(name), name, "name", locale, place)
        for alias in getattr(section.aliases, locale):
            yield Surface(text.key(alias), alias, "alias", locale, place)
    for reading in section.readings:
        yield Surface(text.key(reading), reading, "reading", "ja", place)
        yield Surface(f"{SOUND}{text.romaji_key(reading)}", reading, "romaji", "ja", place)


def _chapter_surfaces(pack: Pack, places: dict[str, int]) -> Iterator[Surface]:
    for chapter in pack.header.chapters:
        for section in opening_sections(pack, chapter):
            for locale in LOCALES:
                name = chapter.name.in_locale(locale)
                yield Surface(text.key(name), name, "name", locale, places[section.id])


def opening_sections(pack: Pack, chapter: Chapter) -> Iterator[Section]:
    """Yield where a chapter is ruled on: its introduction, or else each of its sections."""
    if chapter.section:
        yield pack.section(chapter.section)
        return
    yield from pack.sections_of(chapter)


_TURNING: Final = re.compile(
    r"[不非未無前中後]|軽度|重度|故意|わざと|ない|なし|[0-9]+"
    r"|\b(?:not|no|non|without|minor|major|before|during|after|left)\b"
)
"""Words and signs that turn a name into another one, though most of its letters are the same."""
_KANJI: Final = re.compile("[㐀-䶿一-鿿々]")
MISTYPED_FROM: Final = 0.84
"""Least similarity (0 to 1) of a mistyped name to the name."""
_PREFIXES: Final = ("un", "in", "il", "im", "ir", "non", "non-")


def mistyped(words: str, name: str) -> bool:
    """Return whether ``words`` are ``name`` with at most two typing errors and the same sense.

    Part of a name is not the name, and one other kanji makes another word: neither counts.
    """
    one, other = text.key(words), text.key(name)
    return (
        len(other) >= NEAR_MINIMUM
        and abs(len(one) - len(other)) <= 1
        and OSA.normalized_similarity(one, other) >= MISTYPED_FROM
        and OSA.distance(one, other) <= 2
        and sorted(_KANJI.findall(one)) == sorted(_KANJI.findall(other))
        and not opposed(words, name)
    )


def opposed(words: str, name: str) -> bool:
    """Return whether ``words`` and a ``name`` they resemble differ in a negation, degree or number."""
    one, other = text.normalise(words), text.normalise(name)
    if sorted(set(_TURNING.findall(one))) != sorted(set(_TURNING.findall(other))):
        return True
    words_of_one, words_of_other = set(one.split()), set(other.split())
    return any(
        prefix + word in words_of_other - words_of_one
        or (word.startswith(prefix) and word.removeprefix(prefix) in words_of_other - words_of_one)
        for word in words_of_one - words_of_other
        for prefix in _PREFIXES
    )


# Numbers

_NUMBER: Final = re.compile(
    r"(?=.*\d)((?:\d+|[a-z])(?:\s*[.,\-ー_/の・点。 ]\s*(?:\d+|[a-z](?![a-z]))|(?<=\d)[a-z](?![a-z\d]))*)"
    r"\s*(?:章|節|項|条|番)?"
)
_AROUND: Final = re.compile(
    r"^(?:[\s(\[（「§#第の]|section|sec\.?|chapter|ch\.?|rule|no\.?|ppg)+"
    r"|[\s)\]）」.。、,?？]+$|(?:とは|って何|について|に関して|は)[?？]?$"
)
"""What people put around a number; it says nothing."""
_KANJI_DIGIT: Final = re.compile("[一二三四五六七八九]")
_IN_KANJI: Final = re.compile(
    "第?[一二三四五六七八九](?:(?:[.・点の-][一二三四五六七八九])+[章節項条番]?|章)|第[一二三四五六七八九][章節項条]?"
)


def number_in(words: str) -> str | None:
    """Return the section number that ``words`` are, as documents write it, or None."""
    normal = text.normalise(words)
    while (bare := _AROUND.sub("", normal)) != normal:
        if _IN_KANJI.fullmatch(normal):
            break
        normal = bare
    if _IN_KANJI.fullmatch(normal):
        normal = _KANJI_DIGIT.sub(_arabic, normal).removeprefix("第")
    found = _NUMBER.fullmatch(normal)
    if not found:
        return None
    return ".".join(part.lstrip("0") or "0" for part in re.findall(r"\d+|[a-z]", found[1])).upper()


def _arabic(found: re.Match[str]) -> str:
    return str("一二三四五六七八九".index(found[0]) + 1)


def numbers_within(words: str) -> list[str]:
    """Return the section numbers (with a dot) that stand among other words, each once."""
    found = re.findall(r"(?<![\d.])\d{1,2}(?:\.\d{1,2}){1,2}(?![\d.])", text.normalise(words))
    return list(dict.fromkeys(found))


def numbered(pack: Pack, number: str) -> Iterator[Section]:
    """Yield the section with this number, or the opening sections of the chapter that has it."""
    found = [s for s in pack.sections if s.number == number and "/" not in s.id]
    yield from found
    for chapter in pack.header.chapters:
        if not found and chapter.number == number:
            yield from opening_sections(pack, chapter)


def nearest_numbers(
    library: Library, number: str, game: str | None
) -> Iterator[tuple[Pack, Section]]:
    """Yield the sections nearest to a number that no document has: its neighbours, nearest first.

    Those that share the most leading parts with it; where none does, those of the nearest chapters.
    """
    wanted = number.split(".")
    packs = [pack for pack in library.packs if game in (None, pack.header.id)]
    whole = [(pack, s) for pack in packs for s in pack.sections if "/" not in s.id]
    near: list[tuple[Pack, Section]] = []
    for length in range(len(wanted) - 1, 0, -1):
        start = ".".join(wanted[:length]) + "."
        near = near or [(pack, s) for pack, s in whole if f"{s.number}.".startswith(start)]
    if not near:
        chapters = {(p.header.id, c.number) for p in packs for c in p.header.chapters}
        away = {chapter: _apart(wanted[:1], [chapter[1]]) for chapter in chapters}
        least = min(away.values(), default=())
        near = [
            (pack, s)
            for pack, s in whole
            if away[pack.header.id, s.number.partition(".")[0]] == least
        ]
    yield from sorted(near, key=lambda it: (_apart(wanted, it[1].number.split(".")), it[1].id))


def _apart(one: list[str], other: list[str]) -> tuple[int, ...]:
    """Return how far two numbers lie apart, part by part; letters count from A."""
    pairs = zip_longest(map(_value, one), map(_value, other), fillvalue=0)
    return tuple(abs(left - right) for left, right in pairs)


def _value(part: str) -> int:
    return int(part) if part.isdecimal() else 1000 + ord(part[0])


# Games

_MARKS: Final = re.compile(r"[^0-9a-zぁ-ゖゝゞー㐀-䶿一-鿿々]+")


def _bare(normal: str) -> str:
    """Return the key of a text that is normalised already."""
    return _MARKS.sub("", normal)


class Games:
    """The words that name a game."""

    def __init__(self, library: Library) -> None:
        self._games: dict[str, str] = {}
        for pack in library.packs:
            header = pack.header
            words = (header.id, header.game.ja, header.game.en, header.short.ja, header.short.en)
            for word in (*words, *header.aliases.ja, *header.aliases.en):
                self._games[text.key(word)] = header.id
        longest = sorted(self._games, key=lambda name: (-len(name), name))
        self._stuck = [(_stuck(name), self._games[name]) for name in longest if len(name) > 2]

    def named(self, word: str) -> str | None:
        """Return the id of the pack that ``word`` names, if any."""
        return self._games.get(text.key(word)) if text.key(word) else None

    def split(self, query: str) -> tuple[str, str | None]:
        """Return the query without the words that name a game, and that game's id.

        The longest name counts: "Flesh and Blood 4.1" is the game and a number. A Japanese name may
        be stuck to the rest: 遊戯王で遅刻.
        """
        words = re.sub(r"(?<=[^\d\s.,\-(\[])(?=\d)", " ", text.normalise(query)).split()
        named: set[str] = set()
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + 6), start, -1):
                found = self._games.get(_bare("".join(words[start:end])))
                if found and len(words) > end - start:
                    named.add(found)
                    words = words[:start] + words[end:]
                    break
            else:
                start += 1
        if named:
            return " ".join(words), next(iter(named)) if len(named) == 1 else None
        return self._split_stuck(query)

    def _split_stuck(self, query: str) -> tuple[str, str | None]:
        normal = text.normalise(query)
        for stuck, game in self._stuck:
            if not stuck.search(normal):
                continue
            rest = stuck.sub(" ", normal)
            if text.key(rest):
                return rest.strip(" 、。"), game
        return query, None


def _stuck(name: str) -> re.Pattern[str]:
    """Return what finds a game's name with other words stuck to it."""
    edge = r"(?<![0-9a-z])" if name.isascii() else ""
    after = "(?=[ぁ-ゖ㐀-鿿])" if name.isascii() else ""
    return re.compile(rf"[(]?{edge}{re.escape(name)}{after}[)]?(?:の大会|では|で|の|は|って)?")
