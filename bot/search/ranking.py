"""Fusion: one order of sections out of names, words and meaning, and how sure it is.

Each part gives every section a score on its own scale; scores are standardised over the sections of
a query and added. The weights and thresholds below were measured (bench/README.md), not chosen by
hand for any query.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.search import confidence
from bot.search.confidence import Confidence
from bot.search.lexical import LexicalScores

Floats = NDArray[np.float32]

EVIDENCE, NEARNESS, MEANING, NAME = 1.0, 1.0, 1.5, 8.0
"""Weights of naive Bayes, nearest phrases, embeddings (standardised) and of a full name."""
NAME_FROM: Final = 0.6
"""Similarity (0 to 1) of a name from which it begins to count."""
NAME_MATTERS: Final = 80.0
"""Similarity (0 to 100) from which a name is what a hit is said to have matched."""
NAMED: Final = 75.0
"""Similarity (0 to 100) of a name from which sections are offered whatever else is said."""
OTHER_GAME: Final = 0.3
"""Share of the best score from which another game's section is offered beside a name's own."""


@dataclass(frozen=True, slots=True)
class Fused:
    """Sections by fused score, and the confidence in the first."""

    confidence: Confidence
    scores: Floats
    ranks: NDArray[np.int64]
    """The place of each section in the order of ids, which decides between equal scores."""

    def best(self, limit: int) -> Iterator[tuple[int, float]]:
        """Yield place and score (0 to 100) of the best sections; equal scores by id.

        Equal to four digits: what is beyond depends on the order of adding up.
        """
        order = np.lexsort((self.ranks, -np.round(self.scores, 4)))[:limit]
        for place, score in zip(order.tolist(), self.scores[order].tolist(), strict=True):
            if score > float("-inf"):
                yield place, min(max(5 * score, 0.0), 100.0)


def fuse(
    words: str,
    by_name: Mapping[int, float],
    by_words: LexicalScores,
    by_meaning: Floats | None,
    allowed: NDArray[np.bool_],
    ranks: NDArray[np.int64],
) -> Fused:
    """Return one order of the sections. ``by_name`` has similarities from 0 to 100."""
    parts = signals(by_name, by_words, by_meaning)
    scores = parts[:, :-1].sum(axis=0)
    scores[~allowed] = -np.inf
    said = features(words, parts, by_words, allowed)
    judged = confidence.judge(list(said.values()), with_meaning=by_meaning is not None)
    named = max((s for place, s in by_name.items() if allowed[place]), default=0.0)
    if judged == "none" and named >= NAMED:
        judged = "unsure"  # whoever types most of a name means a section
    return Fused(judged, scores, ranks)


FEATURES: Final = (
    "evidence",
    "evidence_off",
    "nearness",
    "nearness_off",
    "meaning",
    "meaning_off",
    "name",
    "covered",
    "cosine",
    "score",
    "score_off",
    "length",
    "agreement",
    "lead",
    "one",
)
"""What the confidence models look at, in order."""


def features(
    words: str, parts: Floats, by_words: LexicalScores, allowed: NDArray[np.bool_]
) -> dict[str, float]:
    """Return the features of one query by name."""
    inside = parts[:, :-1][:, allowed]
    total = np.sort(inside.sum(axis=0))[::-1]
    firsts = inside[:3].argmax(axis=1)
    values = [
        *(float(value) for row in range(3) for value in (inside[row].max(), parts[row, -1])),
        float(inside[3].max()),
        by_words.covered,
        float(by_words.nearness[:-1].max()),
        float(total[0]),
        float(parts[:, -1].sum() - total[0]),
        min(len(words), 40) / 10,
        (float(firsts[0] == firsts[2]) + float(firsts[1] == firsts[2])) * bool(parts[2].any()),
        float(total[0] - total[1]) if len(total) > 1 else float(total[0]),
        1.0,
    ]
    return dict(zip(FEATURES, values, strict=True))


def signals(
    by_name: Mapping[int, float], by_words: LexicalScores, by_meaning: Floats | None
) -> Floats:
    """Return the weighted parts, one row each: evidence, nearness, meaning, name."""
    rows = np.zeros((4, len(by_words.evidence)), dtype=np.float32)
    rows[0] = EVIDENCE * standardised(by_words.evidence)
    rows[1] = NEARNESS * standardised(by_words.nearness)
    if by_meaning is not None:
        rows[2] = MEANING * standardised(by_meaning)
    for place, similarity in by_name.items():
        rows[3, place] = NAME * max(0.0, similarity / 100 - NAME_FROM) / (1 - NAME_FROM)
    return rows


def standardised(scores: Floats) -> Floats:
    """Return ``scores`` with mean 0 and standard deviation 1; zeros where they are all alike."""
    away: Floats = scores - np.float32(scores.sum() / max(len(scores), 1))
    spread = math.sqrt(float(away @ away) / max(len(scores), 1))
    return away / np.float32(spread) if spread >= 1e-9 else np.zeros_like(scores)
