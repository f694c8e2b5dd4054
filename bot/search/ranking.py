"""Fusion: one order of sections out of names, words and meaning, and how sure it is.

Each part gives every section a score on its own scale; scores are standardised over the sections of
a query and added. The weights and thresholds below were measured (bench/README.md), not chosen by
hand for any query.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from bot.search.lexical import LexicalScores

Floats = NDArray[np.float32]
Confidence = Literal["certain", "unsure", "none"]

EVIDENCE, NEARNESS, MEANING, NAME = 1.0, 0.5, 1.0, 4.0
"""Weights of naive Bayes, nearest phrases, embeddings (standardised) and of a full name."""
NAME_FROM: Final = 0.7
"""Similarity (0 to 1) of a name from which it begins to count."""
NAME_MATTERS: Final = 80.0
"""Similarity (0 to 100) from which a name is what a hit is said to have matched."""

CERTAIN_SCORE, CERTAIN_MARGIN = 8.0, 3.0
"""Fused score and lead over the next section from which an answer is given without asking."""
NONE_SCORE: Final = 3.0
"""Fused score below which nothing is offered."""
OFF_TOPIC_MARGIN: Final = 0.0
"""How far off topic may be ahead of the best section before nothing is offered."""


@dataclass(frozen=True, slots=True)
class Fused:
    """Sections by fused score, and the confidence in the first."""

    confidence: Confidence
    scores: Floats

    def best(self, limit: int) -> Iterator[tuple[int, float]]:
        """Yield place and score (0 to 100) of the best sections; equal scores by place."""
        order = np.lexsort((np.arange(len(self.scores)), -self.scores))
        for place in order[:limit]:
            if np.isfinite(self.scores[place]):
                score = float(np.clip(self.scores[place] * 5, 0, 100))
                yield int(place), score


def fuse(
    by_name: Mapping[int, float],
    by_words: LexicalScores,
    by_meaning: Floats | None,
    allowed: Sequence[bool],
) -> Fused:
    """Return one order of the sections. ``by_name`` has similarities from 0 to 100."""
    total = signals(by_name, by_words, by_meaning).sum(axis=0)
    off_topic, scores = float(total[-1]), total[:-1].copy()
    scores[~np.asarray(allowed)] = -np.inf
    return Fused(_confidence(scores, off_topic), scores)


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
    spread = float(scores.std())
    if spread < 1e-9:
        return np.zeros_like(scores)
    return ((scores - scores.mean()) / spread).astype(np.float32)


def _confidence(scores: Floats, off_topic: float) -> Confidence:
    order = np.sort(scores[np.isfinite(scores)])[::-1]
    if not len(order) or order[0] < NONE_SCORE or off_topic - order[0] > OFF_TOPIC_MARGIN:
        return "none"
    margin = order[0] - (order[1] if len(order) > 1 else 0.0)
    sure = order[0] >= CERTAIN_SCORE and margin >= CERTAIN_MARGIN
    return "certain" if sure else "unsure"
