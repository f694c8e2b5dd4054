"""The index of a library and the search through it: what was typed in, sections out.

A ladder, best first: section number, exact name or alias, reading in kana or romaji. Whatever is on
none of these rungs is ranked by names that resemble it, by its words and by its meaning together.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bot import text
from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.policy.texts import Locale
from bot.search import cache, lexical, meaning, names, phrases, ranking
from bot.search.confidence import Confidence
from bot.search.grams import kana_of_romaji
from bot.search.lexical import Lexical, LexicalScores
from bot.search.meaning import Meaning
from bot.search.names import Games, Names
from bot.search.phrases import Phrase

MatchKind = Literal[
    "number", "name", "alias", "reading", "romaji", "example", "situation", "meaning"
]


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that may be meant, how well it fits (0 to 100), and what matched."""

    pack: Pack
    section: Section
    score: float
    kind: MatchKind
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found; ``certain`` has its answer first.

    ``none`` may still have hits: the nearest sections to a number that no document has.
    """

    confidence: Confidence
    hits: tuple[Hit, ...]


class Index:
    """Every section of a library by everything it can be found by. Built once, never changed."""

    def __init__(
        self,
        library: Library,
        *,
        shipped: Path | None = None,
        cache_folder: Path | None = None,
        encoder: bool = True,
    ) -> None:
        """Index ``library``.

        ``shipped`` is the learned meaning that comes with the rule data; ``cache_folder`` keeps what
        has to be computed. Without ``encoder``, or its package, the search runs on words alone.
        """
        self._library = library
        self._listed = phrases.sections(library)
        self._phrases = phrases.phrases(library)
        self._names = Names(self._listed)
        self._games = Games(library)
        self._places: dict[str, list[int]] = {}
        for place, (_, section) in enumerate(self._listed):
            for written in (section.id, section.id.partition(":")[2]):
                self._places.setdefault(written, []).append(place)
        self._asked_first = tuple(_asked_first(library, self._listed))
        self._allowed: dict[str | None, NDArray[np.bool_]] = {
            game: np.array([game in (None, pack.header.id) for pack, _ in self._listed])
            for game in (None, *(pack.header.id for pack in library.packs))
        }
        self._ordered = sorted(
            range(len(self._listed)), key=lambda place: self._listed[place][1].id
        )
        self._ranks = np.argsort(np.array(self._ordered, dtype=np.int64))
        classes = len(self._listed) + 1
        kept = (
            (cache_folder / "lexical.npz", cache_folder / "meaning.npz") if cache_folder else None
        )
        self._lexical = _lexical(self._phrases, classes, kept[0] if kept else None)
        self._meaning: Meaning | None = (
            meaning.meaning(self._phrases, classes, shipped, kept[1] if kept else None)
            if encoder
            else None
        )

    @property
    def understands(self) -> bool:
        """Whether meaning takes part, or words alone."""
        return self._meaning is not None

    @property
    def warmed(self) -> bool:
        """Whether searches are as good as they get: nothing is being loaded any more."""
        return self._meaning is None or self._meaning.loaded

    def warm(self, *, waits: bool = True) -> None:
        """Begin to load what a search by meaning needs, in the background.

        Searches wait for it; or else run on words alone until it is there.
        """
        if self._meaning:
            self._meaning.start(waits=waits)

    def wait(self) -> None:
        """Wait until the first search by meaning needs nothing more."""
        if self._meaning:
            self._meaning.wait()

    def search(self, query: str, *, game: str | None = None, limit: int = 10) -> Result:
        """Return the sections ``query`` may mean, best first, at most ``limit``.

        ``game`` restricts the search; a game or a full id named in the query itself goes before it.
        A query without a letter, digit or kana finds nothing.
        """
        limit = max(limit, 1)
        query = query[: text.MAX_LENGTH]
        by_id = self._by_id(query.strip())
        if by_id:
            return by_id
        words, named = self._games.split(query)
        game = named or game
        if not text.key(words) or game not in self._allowed:
            return Result("none", ())
        number = names.number_in(words)
        if number:
            return self._numbered(number, game, limit)
        exact = [
            Hit(*self._listed[s.place], 100.0, s.kind, s.text)
            for s in self._names.exact(words)
            if self._in(s.place, game)
        ]
        if not exact:
            ranked = self._ranked(words, game, limit, self._meaning)
            asked = self._without_guesses(words, game, ranked)
            return self._with_numbers(words, game, limit, asked)
        own = _asked(exact, limit)
        # Words are enough to find another game's section, and need no encoder.
        others = (
            tuple(self._elsewhere(exact, self._ranked(words, None, limit, None)))
            if game is None
            else ()
        )
        return Result("unsure", (*own.hits, *others)[:limit]) if others else own

    def complete(
        self, prefix: str, *, locale: Locale, game: str | None = None, limit: int = 12
    ) -> Iterator[tuple[str, Pack, Section]]:
        """Yield what ``prefix`` may become: names and aliases that begin with it, then containing ones.

        One name a section. A number, a kana reading or romaji brings the name in ``locale``. The
        empty text brings what is asked most of each chapter; Latin letters left over from an
        unfinished conversion (ちこk) are passed over.
        """
        whole = self._games.named(prefix)
        rest, named = ("", whole) if whole else self._games.split(prefix)
        prefix, game = (rest, named) if named else (prefix, game)
        wanted = text.key(prefix)
        if not wanted:
            yield from self._first_sections(locale, game, limit)
            return
        converted = wanted.rstrip("abcdefghijklmnopqrstuvwxyz") if not wanted.isascii() else wanted
        seen: set[int] = set()
        for place, name in self._completed(prefix, converted):
            if place not in seen and self._in(place, game):
                seen.add(place)
                pack, section = self._listed[place]
                yield name or section.name.in_locale(locale), pack, section
                if len(seen) == limit:
                    return

    def _completed(self, prefix: str, converted: str) -> Iterator[tuple[int, str | None]]:
        """Yield the places that ``prefix`` may lead to, nearest first, and the name it begins."""
        number = names.number_in(prefix)
        if number:
            for place in self._ordered:
                if self._listed[place][1].number.startswith(number):
                    yield place, None
        for surface in self._names.beginning(converted):
            typed = surface.kind in ("name", "alias")
            yield surface.place, surface.text if typed else None
        sound = text.romaji_key(prefix)
        for surface in self._names.beginning(names.SOUND + sound) if len(sound) > 1 else ():
            yield surface.place, None
        for surface in self._names.containing(converted):
            yield surface.place, None
        near = sorted(self._names.near(prefix), key=lambda found: (-found[1], found[0].text))
        for surface, _ in near:
            yield surface.place, None

    def game_named(self, word: str) -> str | None:
        """Return the id of the pack that ``word`` names, if any."""
        return self._games.named(word)

    def _first_sections(
        self, locale: Locale, game: str | None, limit: int
    ) -> Iterator[tuple[str, Pack, Section]]:
        """Yield what is asked most of every chapter in turn, so that each is in reach."""
        found = (self._listed[place] for place in self._asked_first if self._in(place, game))
        for pack, section in islice(found, limit):
            yield section.name.in_locale(locale), pack, section

    def _in(self, place: int, game: str | None) -> bool:
        return game is None or self._listed[place][0].header.id == game

    def _by_id(self, query: str) -> Result | None:
        if ":" not in query and "/" not in query:
            return None
        hits = [
            Hit(*self._listed[place], 100.0, "number", self._listed[place][1].id)
            for place in self._places.get(query, ())
        ]
        return _asked(hits, len(hits)) if hits else None

    def _numbered(self, number: str, game: str | None, limit: int) -> Result:
        hits = [
            Hit(pack, section, 100.0, "number", number)
            for pack in self._library.packs
            if game in (None, pack.header.id)
            for section in names.numbered(pack, number)
        ]
        if hits:
            return _asked(hits, limit)
        near = names.nearest_numbers(self._library, number, game)
        return Result("none", tuple(Hit(p, s, 0.0, "number", s.number) for p, s in near)[:limit])

    def _ranked(self, words: str, game: str | None, limit: int, model: Meaning | None) -> Result:
        words, by_words = self._read(words)
        by_name: dict[int, tuple[float, MatchKind, str]] = {}
        for surface, similarity in self._names.near(words):
            if similarity > by_name.get(surface.place, (0.0,))[0]:
                by_name[surface.place] = (similarity, surface.kind, surface.text)
        fused = ranking.fuse(
            words,
            {place: similarity for place, (similarity, _, _) in by_name.items()},
            by_words,
            model.scores(words) if model else None,
            self._allowed[game],
            self._ranks,
        )
        hits: list[Hit] = []
        sure = fused.confidence
        if sure == "none" and any(self._in(place, game) for place in self._names.named_in(words)):
            sure = "unsure"  # whoever writes an official name means a section
        for place, score in fused.best(limit):
            pack, section = self._listed[place]
            kind, matched = self._why(place, by_name, int(by_words.nearest[place]))
            hits.append(Hit(pack, section, score, kind, matched))
        return Result(sure, tuple(hits) if sure != "none" else ())

    def _without_guesses(self, words: str, game: str | None, ranked: Result) -> Result:
        """Return ``ranked``, certain only for a mistyped name that is certain when typed rightly.

        A description is never certain: lawful acts and breaches are told in nearly the same words.
        """
        if ranked.confidence != "certain":
            return ranked
        name = ranked.hits[0].text
        if names.mistyped(words, name) and self._names.exact(name):
            return Result(self.search(name, game=game).confidence, ranked.hits)
        return Result("unsure", ranked.hits)

    def _with_numbers(self, words: str, game: str | None, limit: int, ranked: Result) -> Result:
        """Return ``ranked`` with the sections whose numbers stand among the words before it."""
        found = names.numbers_within(words)
        if not found:
            return ranked
        numbered = {
            section.id: Hit(pack, section, 100.0, "number", number)
            for number in found
            for pack in self._library.packs
            if game in (None, pack.header.id)
            for section in names.numbered(pack, number)
        }
        if not numbered and ranked.confidence == "none":
            return ranked
        others = [hit for hit in ranked.hits if hit.section.id not in numbered]
        return Result("unsure", (*numbered.values(), *others)[:limit])

    def _read(self, words: str) -> tuple[str, LexicalScores]:
        """Return ``words`` as they are best read, as typed or as romaji, with their scores."""
        normal = text.normalise(words)
        # Letters left over from an unfinished conversion: ちこk
        words = re.sub("(?<=[ぁ-ゖー])[a-z]{1,2}$", "", normal) or normal
        typed = self._lexical.scores(words)
        kana = kana_of_romaji(text.normalise(words), self._lexical.words)
        if kana:
            spoken = self._lexical.scores(kana)
            if spoken.covered > typed.covered:
                return kana, spoken
        return words, typed

    def _elsewhere(self, exact: list[Hit], ranked: Result) -> Iterator[Hit]:
        """Yield the section of another game that answers a name as well as the one that has it.

        Both games rule on lateness; only one of them calls it Tardiness.
        """
        games = {hit.pack.header.id for hit in exact}
        own = max((h.score for h in ranked.hits if h.pack.header.id in games), default=0.0)
        for hit in ranked.hits:
            if hit.pack.header.id not in games:
                if hit.score >= ranking.OTHER_GAME * own:
                    yield hit
                return

    def _why(
        self, place: int, by_name: dict[int, tuple[float, MatchKind, str]], nearest: int
    ) -> tuple[MatchKind, str]:
        """Return what of a section is nearest to the query."""
        if place in by_name and by_name[place][0] >= ranking.NAME_MATTERS:
            return by_name[place][1], by_name[place][2]
        if nearest >= 0:
            phrase: Phrase = self._phrases[nearest]
            return phrase.kind, phrase.text
        definition = self._listed[place][1].definition
        return "meaning", definition.ja if definition else self._listed[place][1].name.ja


def _asked_first(library: Library, listed: Sequence[tuple[Pack, Section]]) -> Iterator[int]:
    """Yield places: what every chapter is asked about most, then what comes next, and so on."""
    places = {section.id: place for place, (_, section) in enumerate(listed)}
    ordered = sorted(library.packs, key=lambda pack: pack.header.id)
    chapters = (chapter for pack in ordered for chapter in pack.asked_first())
    for section in filter(None, chain.from_iterable(zip_longest(*chapters))):
        yield places[section.id]


def _lexical(found: tuple[Phrase, ...], classes: int, kept: Path | None) -> Lexical:
    """Return the lexical index of ``found``, as kept, or built and kept."""
    key = phrases.digest(found, lexical.VERSION)
    arrays = cache.load(kept, key, lexical.ARRAYS) if kept else None
    if arrays is not None:
        return Lexical(arrays, [phrase.place for phrase in found], classes)
    built = Lexical.build(found, classes)
    if kept:
        cache.save(kept, key, built.arrays)
    return built


def _asked(hits: list[Hit], limit: int) -> Result:
    """Return hits that all fit alike: certain if it is one section, else in the order of their ids."""
    unique = {hit.section.id: hit for hit in reversed(hits)}
    found = [unique[section_id] for section_id in sorted(unique)]
    return Result("certain" if len(found) == 1 else "unsure", tuple(found[:limit]))
