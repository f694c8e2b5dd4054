"""How well the words of a query fit each section, without any model of language.

Two views of the same grams: a naive Bayes model of each section over all its phrases, and the
phrases themselves by TF-IDF cosine, of which the nearest few count.
"""

import math
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.search.grams import grams
from bot.search.phrases import Phrase

Floats = NDArray[np.float32]
Ints = NDArray[np.integer[Any]]
Arrays = dict[str, NDArray[Any]]
VERSION: Final = "lexical-2"
ARRAYS: Final = frozenset(
    {"words", "weight"}
    | {f"{kind}_{part}" for kind in ("class", "phrase") for part in ("start", "id", "value")}
)
"""The arrays that an index of words consists of."""

SMOOTHING: Final = 1.0
FLOOR, CEILING = -1.0, 5.0
"""Bounds of one gram's weight of evidence, so that no single gram decides."""
COMMON: Final = (0.1, 100)
"""Share of all phrases, and number of them, up to which a gram tells them apart well enough."""
MOST: Final = 300_000
"""Postings of phrases that one query may look at; beyond it the commonest grams are left out."""
NEAREST: Final = 3
"""How many of a section's phrases count; the mean of three is less easily misled than the best."""
WIDTH: Final = 400
"""How many phrases are looked at for that, over all sections."""


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """Scores by section place (the last one: off topic), and each section's nearest phrase or -1."""

    evidence: Floats
    nearness: Floats
    nearest: NDArray[np.int32]
    covered: float
    """Share of the query's grams, by weight, that occur in any phrase at all (0 to 1)."""


class Lexical:
    """The grams of all phrases, turned into postings. Built once, never changed."""

    def __init__(self, arrays: Arrays, places: Sequence[int], classes: int) -> None:
        """Take what ``arrays`` of another instance gave; ``places`` of the phrases in order."""
        self.arrays = arrays
        words = bytes(arrays["words"]).decode().split("\n")
        self._number = {word: number for number, word in enumerate(words)}
        self._weight = arrays["weight"]
        self._heaviest = float(self._weight.max(initial=0.0))
        self._places = np.asarray(places, dtype=np.int64)
        self._classes = classes

    @classmethod
    def build(cls, found: Sequence[Phrase], classes: int) -> "Lexical":
        """Count the grams of ``found`` for ``classes`` places (the last one: off topic)."""
        places = [phrase.place for phrase in found]
        return cls(
            _arrays((grams(phrase.text) for phrase in found), places, classes), places, classes
        )

    @property
    def words(self) -> Container[str]:
        """Every gram of any phrase, whole words among them."""
        return self._number

    def scores(self, query: str) -> LexicalScores:
        """Return how well each section's words fit ``query``."""
        numbers, weights, covered = self._query(query)
        evidence = self._sum("class", numbers, weights, self._classes)
        cosines = self._sum("phrase", numbers, weights, len(self._places))
        nearness, nearest = self._nearest(cosines)
        return LexicalScores(evidence, nearness, nearest, covered)

    def _nearest(self, cosines: Floats) -> tuple[Floats, NDArray[np.int32]]:
        """Return by section the mean of its nearest phrases' cosines, and the nearest phrase."""
        width = min(WIDTH, len(cosines))
        best = (
            np.argpartition(-cosines, width - 1)[:width] if width else np.zeros(0, dtype=np.int64)
        )
        best = best[cosines[best] > 0]
        best = best[np.lexsort((best, -cosines[best], self._places[best]))]
        places = self._places[best]
        rank = np.arange(len(best)) - np.searchsorted(places, places)
        counted = rank < NEAREST
        nearness = np.bincount(
            places[counted], weights=cosines[best][counted] / NEAREST, minlength=self._classes
        ).astype(np.float32)
        nearest = np.full(self._classes, -1, dtype=np.int32)
        nearest[places[rank == 0]] = best[rank == 0]
        return nearness, nearest

    def _query(self, query: str) -> tuple[NDArray[np.int64], Floats, float]:
        """Return the known grams of ``query``, their weights in a vector of length 1, and coverage."""
        counts = Counter(grams(query))
        known = [(self._number[g], 1 + math.log(c)) for g, c in counts.items() if g in self._number]
        unknown = len(counts) - len(known)
        numbers = np.array([number for number, _ in known], dtype=np.int64)
        weights = np.array([w for _, w in known], dtype=np.float32) * self._weight[numbers]
        heaviest = self._heaviest
        total = float(weights.sum()) + unknown * heaviest
        covered = float(weights.sum()) / total if total else 0.0
        norm = float(np.linalg.norm(weights)) or 1.0
        return numbers, weights / np.float32(norm), covered

    def _sum(self, kind: str, numbers: NDArray[np.int64], weights: Floats, size: int) -> Floats:
        """Return the postings of the grams, each times its weight, summed by section or phrase."""
        start = self.arrays[f"{kind}_start"]
        lengths = start[numbers + 1] - start[numbers]
        if int(lengths.sum()) > MOST:
            ordered = np.sort(lengths)
            within = np.searchsorted(np.cumsum(ordered), MOST, side="right")
            rare = lengths < ordered[within]  # all of one length go together, whatever their order
            numbers, weights, lengths = numbers[rare], weights[rare], lengths[rare]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        # Positions of all postings of the grams, one gram after the other.
        owner = np.repeat(np.arange(len(numbers)), lengths)
        where = np.arange(total) + (start[numbers] - (ends - lengths))[owner]
        values = self.arrays[f"{kind}_value"][where] * weights[owner]
        ids = self.arrays[f"{kind}_id"][where]
        return np.bincount(ids, weights=values, minlength=size).astype(np.float32)


def _arrays(texts: Iterable[list[str]], places: Sequence[int], classes: int) -> Arrays:
    """Return the postings of ``texts``, one list of grams each; one pass, whatever their number."""
    number: dict[str, int] = {}
    gram_ids, occurs, lengths = array("i"), array("i"), array("q")
    by_class: list[Counter[int]] = [Counter() for _ in range(classes)]
    for place, found in zip(places, texts, strict=True):
        counts = Counter(found)
        ids = [number.setdefault(gram, len(number)) for gram in counts]
        gram_ids.extend(ids)
        occurs.extend(counts.values())
        lengths.append(len(ids))
        by_class[place].update(ids)
    words, phrases = len(number), len(lengths)
    grams_of = np.frombuffer(gram_ids, dtype=np.int32) if words else np.zeros(0, np.int32)
    times = np.frombuffer(occurs, dtype=np.int32) if words else np.zeros(0, np.int32)
    phrase_ids = np.repeat(np.arange(phrases, dtype=np.int32), lengths)
    spread = np.bincount(grams_of, minlength=words)
    weight = np.log((phrases + 1) / (spread + 0.5)).astype(np.float32)
    values = ((1 + np.log(times)) * weight[grams_of]).astype(np.float32)
    norms = np.sqrt(np.bincount(phrase_ids, weights=values**2, minlength=phrases))
    values = (values / np.maximum(norms[phrase_ids], 1e-9)).astype(np.float32)
    telling = spread[grams_of] <= max(COMMON[0] * phrases, COMMON[1])
    sizes = np.bincount(np.asarray(places, dtype=np.int64), minlength=classes)
    return {
        "words": np.frombuffer("\n".join(number).encode(), dtype=np.uint8),
        "weight": weight,
        **_postings("phrase", grams_of[telling], phrase_ids[telling], values[telling], words),
        **_postings("class", *_evidence(by_class, sizes, spread), words),
    }


def _evidence(
    by_class: Sequence[Counter[int]], sizes: Ints, spread: Ints
) -> tuple[Ints, Ints, Floats]:
    """Return gram, section and the gram's weight of evidence for it, above the floor, where it occurs.

    A gram that never occurs in a section stands at the floor there, which is the same for all.
    """
    grams_of = np.array([gram for held in by_class for gram in held], dtype=np.int32)
    occurs = np.array([times for held in by_class for times in held.values()], dtype=np.int32)
    classes_of = np.repeat(np.arange(len(by_class), dtype=np.int32), [len(h) for h in by_class])
    total = max(int(sizes.sum()), 1)
    inside = (occurs + SMOOTHING * spread[grams_of] / total) / (sizes[classes_of] + SMOOTHING)
    outside = (spread[grams_of] - occurs + 0.5) / (total - sizes[classes_of] + 1)
    weight = np.clip(np.log(inside / outside), FLOOR, CEILING) - FLOOR
    return grams_of, classes_of, weight.astype(np.float32)


def _postings(kind: str, gram_ids: Ints, ids: Ints, values: Floats, words: int) -> Arrays:
    """Return what stands under each gram; ``ids`` come in order and stay so within a gram."""
    order = np.argsort(gram_ids, kind="stable")
    start = np.zeros(words + 1, dtype=np.int64)
    np.cumsum(np.bincount(gram_ids, minlength=words), out=start[1:])
    return {
        f"{kind}_start": start,
        f"{kind}_id": ids[order].astype(np.int32),
        f"{kind}_value": values[order],
    }
