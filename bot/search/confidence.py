"""How sure a search is: two logistic models over what its parts say about a query.

One tells whether a rulebook answers the question at all, the other whether the first section is the
right one. Fitted by ``python -m bench.calibrate`` on phrases held out of the index, never on a
labelled query; once with and once without the encoder. The order of the coefficients is that of
``ranking.FEATURES``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Confidence = Literal["certain", "unsure", "none"]

CERTAIN_ANSWERABLE_FROM: Final = 1.5
"""Log odds of being a question for a rulebook below which no answer is given without asking."""


@dataclass(frozen=True, slots=True)
class Model:
    """Coefficients, and the log odds from which sections are offered and one is given as certain."""

    answerable: tuple[float, ...]
    right: tuple[float, ...]
    offer_from: float
    certain_from: float


MEANING: Final = Model(
    answerable=(
        *(-0.30, -0.07, -0.12, 0.52, 0.37, -1.59, 0.50, 0.86, 0.24),
        *(-0.39, -0.75, 0.36, 0.33, -0.10, 0.18),
    ),
    right=(
        *(-0.28, -0.35, -0.26, 0.42, -0.12, -0.19, -0.06, -0.20, 0.46),
        *(0.07, -0.19, -0.02, 0.02, 0.26, -0.68),
    ),
    offer_from=-0.75,
    certain_from=2.75,
)
WORDS: Final = Model(
    answerable=(
        *(-0.12, -0.68, -0.20, -0.08, 0.00, 0.00, 0.52, 1.40, 0.55),
        *(-0.32, -0.44, 0.56, 0.00, 0.07, -1.50),
    ),
    right=(
        *(-0.12, -0.42, -0.18, 0.31, 0.00, 0.00, 0.04, -0.21, 0.97),
        *(0.05, -0.17, 0.01, 0.00, 0.27, -1.59),
    ),
    offer_from=-0.86,
    certain_from=2.75,
)


def judge(features: Sequence[float], *, with_meaning: bool) -> Confidence:
    """Return the confidence in the first section of a query with these ``ranking.FEATURES``."""
    model = MEANING if with_meaning else WORDS
    answerable = sum(map(float.__mul__, model.answerable, features))
    right = sum(map(float.__mul__, model.right, features))
    if answerable < model.offer_from:
        return "none"
    sure = right >= model.certain_from and answerable >= CERTAIN_ANSWERABLE_FROM
    return "certain" if sure else "unsure"
