"""Scores a search on labelled queries, so that anyone can measure a change."""

import json
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.search.index import Index, Result


class QueriesError(Exception):
    """A file of labelled queries cannot be used; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A query and the ids that answer it, best first; none for one that must find nothing."""

    query: str
    language: str
    game: str
    kind: str
    expect: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search gave for a labelled query, and how long it took in milliseconds."""

    labelled: Labelled
    confidence: str
    ids: tuple[str, ...]
    milliseconds: float

    def found(self, depth: int) -> bool:
        """Return whether an expected id is among the first ``depth``."""
        return bool(set(self.ids[:depth]) & set(self.labelled.expect))

    @property
    def reciprocal_rank(self) -> float:
        """1 over the place of the first expected id, 0 if there is none."""
        for place, section_id in enumerate(self.ids, 1):
            if section_id in self.labelled.expect:
                return 1 / place
        return 0.0


def read(file: Path, known: Collection[str]) -> list[Labelled]:
    """Read JSON lines with query, lang, game, kind and expect, whose ids are all ``known``.

    Raises QueriesError by line.
    """
    rows = []
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QueriesError(f"{file}: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows.append(_labelled(json.loads(line), known))
        except (ValueError, KeyError, TypeError) as error:
            raise QueriesError(f"{file}:{number}: {type(error).__name__}: {error}") from error
    if not rows:
        raise QueriesError(f"{file}: no queries in it")
    return rows


def _labelled(row: Any, known: Collection[str]) -> Labelled:
    if not isinstance(row["expect"], list):
        raise TypeError("expect is a list")
    for section_id in row["expect"]:
        if section_id not in known:
            raise ValueError(f"no rulebook has the section {section_id}")
    for name in ("query", "lang", "game", "kind"):
        if not isinstance(row[name], str):
            raise TypeError(f"{name} is a text")
    return Labelled(row["query"], row["lang"], row["game"], row["kind"], tuple(row["expect"]))


def run(index: Index, rows: Iterable[Labelled]) -> list[Outcome]:
    """Search every query over all games and return the outcomes in order."""
    outcomes = []
    for row in rows:
        start = time.perf_counter()
        result: Result = index.search(row.query)
        elapsed = 1000 * (time.perf_counter() - start)
        hits = result.hits if result.confidence != "none" else ()
        ids = tuple(hit.section.id for hit in hits)
        outcomes.append(Outcome(row, result.confidence, ids, elapsed))
    return outcomes


def report(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the measures of all outcomes, and of each language, kind and game."""
    answerable = [o for o in outcomes if o.labelled.expect]
    negatives = [o for o in outcomes if not o.labelled.expect]
    certain = [o for o in answerable if o.confidence == "certain"]
    times = sorted(o.milliseconds for o in outcomes)
    return {
        "queries": len(outcomes),
        "all": _measures(answerable),
        "by_language": _grouped(answerable, "language"),
        "by_kind": _grouped(answerable, "kind"),
        "by_kind_and_language": {
            f"{kind} {language}": _measures(part)
            for (kind, language), part in _groups(answerable, ("kind", "language")).items()
        },
        "by_game": _grouped(answerable, "game"),
        "certain": {
            "answers": len(certain),
            "right": _share([o.found(1) for o in certain]),
            "negatives": sum(o.confidence == "certain" for o in negatives),
        },
        "nothing": {
            "negatives": len(negatives),
            "rejected": _share([o.confidence == "none" for o in negatives]),
            "answerable_rejected": _share([o.confidence == "none" for o in answerable]),
        },
        "milliseconds": {
            "p50": round(times[len(times) // 2], 2),
            "p99": round(times[min(len(times) - 1, int(len(times) * 0.99))], 2),
        },
    }


def _measures(part: Sequence[Outcome]) -> dict[str, float]:
    return {
        "n": len(part),
        "R@1": _share([o.found(1) for o in part]),
        "R@5": _share([o.found(5) for o in part]),
        "MRR": round(sum(o.reciprocal_rank for o in part) / max(len(part), 1), 4),
        "strict@1": _share([o.ids[:1] == o.labelled.expect[:1] for o in part]),
    }


def _groups(
    outcomes: Sequence[Outcome], keys: tuple[str, ...]
) -> dict[tuple[str, ...], list[Outcome]]:
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(tuple(getattr(outcome.labelled, key) for key in keys), []).append(outcome)
    return dict(sorted(groups.items()))


def _grouped(outcomes: Sequence[Outcome], key: str) -> dict[str, dict[str, float]]:
    return {name: _measures(part) for (name,), part in _groups(outcomes, (key,)).items()}


def _share(answers: Sequence[bool]) -> float:
    return round(sum(answers) / len(answers), 4) if answers else 0.0


def report_lines(report: dict[str, Any]) -> Iterator[str]:
    """Yield a report in lines of at most 80 columns."""
    yield f"{'':24}{'n':>5}{'R@1':>8}{'R@5':>8}{'MRR':>8}{'strict@1':>10}"
    yield _line("all", report["all"])
    for group in ("by_language", "by_game", "by_kind", "by_kind_and_language"):
        for name, measures in report[group].items():
            yield _line(name, measures)
    certain, nothing, times = report["certain"], report["nothing"], report["milliseconds"]
    yield (
        f"certain: {certain['answers']} answers, {certain['right']:.1%} right,"
        f" {certain['negatives']} of the negatives"
    )
    yield (
        f"nothing found: {nothing['rejected']:.1%} of {nothing['negatives']} negatives,"
        f" {nothing['answerable_rejected']:.1%} of the others"
    )
    yield f"milliseconds a query: p50 {times['p50']}, p99 {times['p99']}"


def _line(name: str, measures: dict[str, float]) -> str:
    values = (f"{measures[key]:.3f}" for key in ("R@1", "R@5", "MRR"))
    columns = "".join(f"{value:>8}" for value in values)
    return f"{name:24}{measures['n']:>5}{columns}{measures['strict@1']:>10.3f}"


def failure_lines(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield the queries whose first hit is not among the expected, and negatives that got hits."""
    for outcome in outcomes:
        expected = outcome.labelled.expect
        if outcome.found(1) if expected else outcome.confidence == "none":
            continue
        got = " ".join(outcome.ids[:5]) or "-"
        yield (
            f"{outcome.confidence:8}{outcome.labelled.query} | {' '.join(expected) or '-'} | {got}"
        )
