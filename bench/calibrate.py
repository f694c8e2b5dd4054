"""Fits the models of bot/search/confidence.py and prints them, with and without the encoder.

    python -m bench.calibrate

Every fifth situation and off-topic phrase is left out of the index and asked; so are the official
names with one typing error each. No labelled query takes part. Takes about half a minute.
"""

import random
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bot import resources, text
from bot.policy import packs
from bot.search import confidence, meaning, phrases, ranking
from bot.search.lexical import Lexical
from bot.search.names import Games, Names
from bot.search.phrases import Phrase

Floats = NDArray[np.float64]
PENALTY = 3e-3
"""Ridge penalty of the fit: the features overlap."""


def held_out(phrase: Phrase) -> bool:
    """Return whether a phrase is asked rather than indexed."""
    return phrase.kind == "situation" and zlib.crc32(phrase.text.encode()) % 5 == 0


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


def questions(found: tuple[Phrase, ...]) -> Iterator[tuple[str, str, int]]:
    """Yield kind, text and the place that is right."""
    chance = random.Random(5)  # noqa: S311 - typing errors, not secrets
    for phrase in found:
        if held_out(phrase):
            yield "situation", phrase.text, phrase.place
        elif phrase.kind == "name" and len(phrase.text) > 3:
            yield "typing error", mistyped(phrase.text, chance), phrase.place


def main() -> None:
    """Fit and print."""
    console = Console()
    library = packs.load(resources.folder("policy_data"))
    listed = phrases.sections(library)
    found = phrases.phrases(library)
    games, names = Games(library), Names(listed)
    indexed = tuple(phrase for phrase in found if not held_out(phrase))
    console.print(f"learning {len(indexed)} phrases ...", style="dim")
    lexical = Lexical.build(indexed, len(listed) + 1)
    model = meaning.Meaning(meaning.learn(indexed, len(listed) + 1))
    asked = [
        (kind, words, game, place)
        for kind, question, place in questions(found)
        for words, game in [games.split(question)]
        if text.key(words) and not names.exact(words)
    ]
    for label, used in (("MEANING", model), ("WORDS", None)):
        console.print(f"{label}:")
        rows, right, off_topic, kinds, firsts = [], [], [], [], []
        for kind, words, game, place in asked:
            near: dict[int, float] = {}
            for surface, similarity in names.near(words):
                near[surface.place] = max(near.get(surface.place, 0.0), similarity)
            allowed = np.array([game in (None, pack.header.id) for pack, _ in listed])
            by_words = lexical.scores(words)
            parts = ranking.signals(near, by_words, used.scores(words) if used else None)
            firsts.append([int(p) for p in ranking.order(parts, allowed)[:5]])
            rows.append(list(ranking.features(words, parts, by_words, allowed).values()))
            right.append(int(ranking.order(parts, allowed)[0]) == place)
            off_topic.append(place == len(listed))
            kinds.append(kind)
        told = [
            i
            for i, (kind, _, _, place) in enumerate(asked)
            if kind == "situation" and place < len(listed)
        ]
        for depth in (1, 5):
            hit = np.mean([asked[i][3] in firsts[i][:depth] for i in told])
            console.print(f"  situations R@{depth}: {hit:.3f} of {len(told)}")
        report(console, np.array(rows), np.array(right), np.array(off_topic), np.array(kinds))


def report(
    console: Console,
    table: Floats,
    right: NDArray[np.bool_],
    off: NDArray[np.bool_],
    kinds: NDArray[np.str_],
) -> None:
    """Fit both models, print their coefficients and what thresholds give."""
    even = np.where(off, 1 / off.sum(), 1 / (~off).sum())
    answerable = fit(table, (~off).astype(float), even)
    sure = fit(table, right.astype(float), np.ones(len(table)))
    for label, coefficients in (("answerable", answerable), ("right", sure)):
        console.print(f"  {label}: ({', '.join(f'{c:.2f}' for c in coefficients)})")
    odds, trust = table @ answerable, table @ sure
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
