"""Fits the models of bot/search/confidence.py and prints them, with and without the encoder.

    python -m bench.calibrate

Every fifth situation and off-topic phrase is left out of the index and asked through the search as it
ships; so are the official names with one typing error each. No labelled query takes part. What
thresholds give is told of phrases that the model then in use was not fitted on (five folds). Takes
about a minute.
"""

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bench.changes import put
from bot import resources
from bot.policy import packs
from bot.policy.pack import Library, OffTopic, Situations
from bot.search import confidence, evaluation, phrases, ranking
from bot.search.evaluation import Labelled, Outcome
from bot.search.index import Index
from bot.search.names import Names
from bot.search.ranking import Fused

Floats = NDArray[np.float64]
PENALTY: Final = 3e-3
"""Ridge penalty of the fit: the features overlap."""
FOLDS: Final = 5


@dataclass(frozen=True, slots=True)
class Seen:
    """A question that was ranked: what the confidence models look at, and whether the first is right."""

    labelled: Labelled
    features: tuple[float, ...]
    right: bool


def held_out(phrase: str) -> bool:
    """Return whether a situation is asked rather than indexed."""
    return zlib.crc32(phrase.encode()) % 5 == 0


def halves(library: Library) -> tuple[Library, list[Labelled]]:
    """Return the library without the phrases held out, and those as questions with their answers."""
    asked: list[Labelled] = []

    def kept(
        texts: Sequence[str], language: str, game: str, section: str | None
    ) -> tuple[str, ...]:
        expect = (section,) if section else ()
        kind = "situation" if section else "off topic"
        asked.extend(Labelled(t, language, game, kind, expect) for t in texts if held_out(t))
        return tuple(t for t in texts if not held_out(t))

    def less(told: Situations) -> Situations:
        parts: dict[str, Any] = {
            name: kept(getattr(told, name), name, told.section.partition(":")[0], told.section)
            for name in ("ja", "en", "kana")
        }
        return told.model_copy(update=parts)

    fewer = tuple(
        pack.model_copy(update={"situations": tuple(map(less, pack.situations))})
        for pack in library.packs
    )
    off_topic = OffTopic(
        ja=kept(library.off_topic.ja, "ja", "any", None),
        en=kept(library.off_topic.en, "en", "any", None),
    )
    chance = random.Random(5)  # noqa: S311 - typing errors, not secrets
    for pack, section in phrases.sections(library):
        for language, name in (("ja", section.name.ja), ("en", section.name.en)):
            if len(name) > 3:
                typed = mistyped(name, chance)
                asked.append(Labelled(typed, language, pack.header.id, "typo", (section.id,)))
    return library.model_copy(update={"packs": fewer, "off_topic": off_topic}), asked


def mistyped(name: str, chance: random.Random) -> str:
    """Return ``name`` with one letter lost, doubled or swapped with the next."""
    place = chance.randrange(len(name) - 1)
    return chance.choice(
        [
            name[:place] + name[place + 1 :],
            name[: place + 1] + name[place:],
            name[:place] + name[place + 1] + name[place] + name[place + 2 :],
        ]
    )


def fit(features: Floats, answers: Floats, weights: Floats) -> Floats:
    """Return the coefficients of a ridge-penalised logistic regression (Newton's method)."""
    coefficients = np.zeros(features.shape[1])
    weights = weights / float(weights.sum())
    for _ in range(200):
        odds = 1 / (1 + np.exp(-features @ coefficients))
        slope = features.T @ (weights * (odds - answers)) + PENALTY * coefficients
        curve = (features * (weights * odds * (1 - odds))[:, None]).T @ features
        step = np.linalg.solve(curve + PENALTY * np.eye(len(coefficients)), slope)
        coefficients = coefficients - step
        if np.abs(step).max() < 1e-9:
            break
    return coefficients


def watched(
    library: Library, asked: Sequence[Labelled], *, encoder: bool
) -> tuple[list[Seen], list[Outcome]]:
    """Ask everything and return what was ranked (numbers and exact names are not), and the outcomes."""
    ids = [section.id for _, section in phrases.sections(library)]
    index, exact = Index(library, encoder=encoder), Names(phrases.sections(library)).exact
    fused: list[tuple[dict[str, float], Fused]] = []
    features, fuse = ranking.features, ranking.fuse
    last: list[dict[str, float]] = []

    def watched_features(*arguments: Any) -> dict[str, float]:
        last[:] = [features(*arguments)]
        return last[0]

    def watched_fuse(*arguments: Any) -> Fused:
        found = fuse(*arguments)
        fused.append((last[0], found))
        return found

    seen, outcomes = [], []
    with put((ranking, "features", watched_features), (ranking, "fuse", watched_fuse)):
        for labelled in asked:
            fused.clear()
            outcomes.extend(evaluation.run(index, [labelled]))
            if fused and not exact(labelled.query):
                values, found = fused[0]
                first = [ids[place] for place, _ in found.best(1) if place < len(ids)]
                right = bool(set(first) & set(labelled.expect))
                seen.append(Seen(labelled, tuple(values.values()), right))
    return seen, outcomes


def main() -> None:
    """Fit and print."""
    console = Console(width=110)
    library, asked = halves(packs.load(resources.folder("policy_data")))
    for label, encoder in (("MEANING", True), ("WORDS", False)):
        console.print(f"{label}: asking {len(asked)} phrases ...", style="dim")
        seen, outcomes = watched(library, asked, encoder=encoder)
        console.print(f"{label}, the search as it ships:")
        for line in evaluation.report_lines(evaluation.report(outcomes)):
            console.print("  " + line, highlight=False)
        report(console, seen)


def report(console: Console, seen: Sequence[Seen]) -> None:
    """Fit both models, print their coefficients and what thresholds give on phrases left out."""
    table = np.array([item.features for item in seen])
    right = np.array([item.right for item in seen])
    off = np.array([not item.labelled.expect for item in seen])
    kinds = np.array([item.labelled.kind for item in seen])
    even = np.where(off, 1 / off.sum(), 1 / (~off).sum())
    ones = np.ones(len(table))
    for label, answers, weights in (("answerable", ~off, even), ("right", right, ones)):
        fitted = fit(table, answers.astype(float), weights)
        console.print(f"  {label}: ({', '.join(f'{c:.2f}' for c in fitted)})")
    odds, trust = np.zeros(len(table)), np.zeros(len(table))
    for fold in range(FOLDS):
        part = np.arange(len(table)) % FOLDS == fold
        rest = ~part
        odds[part] = table[part] @ fit(table[rest], (~off[rest]).astype(float), even[rest])
        trust[part] = table[part] @ fit(table[rest], right[rest].astype(float), ones[rest])
    for lost in (0.01, 0.02, 0.03, 0.05):
        line = float(np.quantile(odds[~off], lost))
        rejected = (odds[off] < line).mean()
        console.print(
            f"  offer from {line:.2f}: {lost:.0%} lost, {rejected:.1%} of off topic rejected"
        )
    for line in (1.5, 2.0, 2.5, 2.75, 3.0, 3.5):
        given = (trust >= line) & (odds >= confidence.CERTAIN_ANSWERABLE_FROM)
        share = ", ".join(f"{kind} {given[kinds == kind].mean():.0%}" for kind in np.unique(kinds))
        console.print(
            f"  certain from {line}: {right[given].mean():.1%} right,"
            f" off topic {off[given].sum()}, given: {share}"
        )


if __name__ == "__main__":
    main()
