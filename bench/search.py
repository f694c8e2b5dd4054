"""How good and how fast the search is, against other ways to do it, in one run.

    python -m bench.search QUERIES.jsonl

Every way sees the same sections and phrases and ranks them for the same labelled queries. The tables
after the first take parts of the product away, one at a time, by kind of query.
"""

import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from rapidfuzz import fuzz, process
from rich.console import Console
from rich.table import Table

from bench.changes import put
from bot import resources, text
from bot.policy import packs
from bot.policy.pack import Library, OffTopic
from bot.search import evaluation, meaning, names, phrases, ranking
from bot.search import index as index_module
from bot.search.evaluation import Labelled, Outcome
from bot.search.grams import grams
from bot.search.index import Index
from bot.search.names import Names
from bot.search.phrases import Phrase

Ranker = Callable[[str], Sequence[int]]


def by_best(scores: Iterable[tuple[int, float]]) -> list[int]:
    """Return places by their best score."""
    best: dict[int, float] = {}
    for place, score in scores:
        best[place] = max(best.get(place, float("-inf")), score)
    return sorted(best, key=lambda place: (-best[place], place))


def names_wratio(found: Sequence[Phrase]) -> Ranker:
    """Rapidfuzz WRatio over names and aliases."""
    named = [p for p in found if p.kind in ("name", "alias", "reading")]
    keys = [text.normalise(p.text) for p in named]

    def rank(query: str) -> list[int]:
        hits = process.extract(text.normalise(query), keys, scorer=fuzz.WRatio, limit=100)
        return by_best((named[place].place, score) for _, score, place in hits)

    return rank


def texts_partial(found: Sequence[Phrase]) -> Ranker:
    """Rapidfuzz partial_ratio over every phrase."""
    keys = [text.normalise(p.text) for p in found]

    def rank(query: str) -> list[int]:
        hits = process.extract(text.normalise(query), keys, scorer=fuzz.partial_ratio, limit=100)
        return by_best((found[place].place, score) for _, score, place in hits)

    return rank


def bm25(found: Sequence[Phrase]) -> Ranker:
    """BM25 (k1 1.2, b 0.75) over the grams of each section's phrases together."""
    classes = max(p.place for p in found) + 1
    counts: list[dict[str, int]] = [{} for _ in range(classes)]
    for phrase in found:
        for gram in grams(phrase.text):
            counts[phrase.place][gram] = counts[phrase.place].get(gram, 0) + 1
    lengths = np.array([sum(c.values()) for c in counts], dtype=float)
    spread: dict[str, list[int]] = {}
    for place, held in enumerate(counts):
        for gram in held:
            spread.setdefault(gram, []).append(place)

    def rank(query: str) -> list[int]:
        scores = np.zeros(classes)
        for gram in set(grams(query)):
            places = spread.get(gram, [])
            weight = np.log(1 + (classes - len(places) + 0.5) / (len(places) + 0.5))
            for place in places:
                times = counts[place][gram]
                norm = 1.2 * (0.25 + 0.75 * lengths[place] / lengths.mean())
                scores[place] += weight * times * 2.2 / (times + norm)
        return [int(p) for p in np.argsort(-scores, kind="stable")]

    return rank


def embeddings(found: Sequence[Phrase]) -> Ranker:
    """The nearest phrase by cosine of its embedding."""
    encoder = meaning.load_encoder()
    normal = [text.normalise(p.text) for p in found]
    vectors = np.vstack(
        [encoder.encode(normal[start : start + 64]) for start in range(0, len(normal), 64)]
    )

    def rank(query: str) -> list[int]:
        cosines = vectors @ encoder.encode([text.normalise(query)])[0]
        best = np.argsort(-cosines)[:300]
        return by_best((found[i].place, float(cosines[i])) for i in best)

    return rank


def fts5(found: Sequence[Phrase]) -> Ranker:
    """SQLite FTS5 with the trigram tokenizer, any trigram of the query, best phrase by its BM25."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE t USING fts5(body, place UNINDEXED, tokenize='trigram')")
    rows = [(text.normalise(p.text), p.place) for p in found]
    base.executemany("INSERT INTO t VALUES (?, ?)", rows)

    def rank(query: str) -> list[int]:
        normal = text.normalise(query).replace('"', " ")
        pieces = {normal[i : i + 3] for i in range(len(normal) - 2)}
        if not pieces:
            return []
        match = " OR ".join(f'"{piece}"' for piece in sorted(pieces))
        select = "SELECT place, rank FROM t WHERE t MATCH ? ORDER BY rank LIMIT 200"
        return by_best((place, -score) for place, score in base.execute(select, (match,)))

    return rank


def outcomes(rank: Ranker, rows: Sequence[Labelled], ids: Sequence[str]) -> list[Outcome]:
    """Return what another way to search gives for each query."""
    found = []
    for row in rows:
        start = time.perf_counter()
        first = [ids[place] for place in rank(row.query) if place < len(ids)][:10]
        elapsed = 1000 * (time.perf_counter() - start)
        found.append(Outcome(row, "unsure", tuple(first), elapsed))
    return found


def compare(console: Console, library: Library, rows: Sequence[Labelled]) -> None:
    """Print the product beside other ways to search the same phrases."""
    ids = [section.id for _, section in phrases.sections(library)]
    found = [p for p in phrases.phrases(library) if p.place < len(ids)]
    ways = {
        "WRatio over names": names_wratio,
        "partial_ratio over texts": texts_partial,
        "BM25": bm25,
        "embeddings, nearest phrase": embeddings,
        "SQLite FTS5 trigram": fts5,
    }
    result = Table(
        "", "R@1", "R@5", "sit. R@1", "sit. R@5", "p50 ms", "p99 ms", title="ways to search"
    )

    def add(name: str, given: list[Outcome]) -> None:
        report = evaluation.report(given)
        situations = report["by_kind"].get("situation", {"R@1": 0.0, "R@5": 0.0})
        shares = (report["all"]["R@1"], report["all"]["R@5"], situations["R@1"], situations["R@5"])
        times = report["milliseconds"]
        result.add_row(name, *(f"{v:.3f}" for v in shares), f"{times['p50']}", f"{times['p99']}")

    answerable = [row for row in rows if row.expect]
    for name, way in ways.items():
        console.print(f"measuring {name} ...", style="dim")
        add(name, outcomes(way(found), answerable, ids))
    add("Gunbai on words alone", evaluation.run(Index(library, encoder=False), answerable))
    add("Gunbai", evaluation.run(warm(library), answerable))
    console.print(result)


def warm(library: Library) -> Index:
    """Return an index of ``library`` that has its encoder loaded."""
    index = Index(library, shipped=resources.folder("policy_data") / packs.MEANING_FILE)
    index.search("warm up the encoder")
    return index


def ablations() -> Iterator[tuple[str, list[tuple[Any, str, Any]]]]:
    """Yield what is taken away and the attributes that do so."""
    nothing: list[tuple[Any, str, Any]] = []
    yield "all parts", nothing
    yield "no numbers", [(names, "number_in", no), (names, "numbers_within", lambda _: [])]
    yield "no exact names", [(Names, "exact", lambda *_: [])]
    yield "no similar names", [(ranking, "NAME", 0.0), (ranking, "NAMED", 1000.0)]
    yield (
        "no romaji",
        [(text, "romaji_key", lambda _: ""), (index_module, "kana_of_romaji", lambda *_: "")],
    )
    yield "no words (naive Bayes)", [(ranking, "EVIDENCE", 0.0)]
    yield "no near phrases (TF-IDF)", [(ranking, "NEARNESS", 0.0)]
    yield "no meaning (embeddings)", [(ranking, "MEANING", 0.0)]
    weights = ("EVIDENCE", "NEARNESS", "MEANING")
    for name, kept in zip(("naive Bayes", "TF-IDF", "embeddings"), weights, strict=True):
        yield (
            f"ranked by {name} alone",
            [(ranking, other, 0.0) for other in (*weights, "NAME") if other != kept],
        )


def no(_: str) -> None:
    """Find no number."""


def reduced(library: Library) -> Iterator[tuple[str, Library]]:
    """Yield the library without some of its phrases."""
    untold = tuple(pack.model_copy(update={"situations": ()}) for pack in library.packs)
    yield "no situations (learned anew)", library.model_copy(update={"packs": untold})
    yield (
        "no off topic (learned anew)",
        library.model_copy(update={"off_topic": OffTopic(ja=(), en=())}),
    )


def ablate(console: Console, library: Library, rows: Sequence[Labelled]) -> None:
    """Print R@1 and R@5 of every kind with one part taken away at a time."""
    index = warm(library)
    reports = {}
    for name, changes in ablations():
        console.print(f"measuring {name} ...", style="dim")
        with put(*changes):
            reports[name] = evaluation.report(evaluation.run(index, rows))
    reports["without the encoder's package"] = evaluation.report(
        evaluation.run(Index(library, encoder=False), rows)
    )
    for name, less in reduced(library):
        console.print(f"measuring {name} ...", style="dim")
        reports[name] = evaluation.report(evaluation.run(Index(less), rows))
    kinds = list(next(iter(reports.values()))["by_kind"])
    for measure in ("R@1", "R@5"):
        result = Table("", "all", *(KINDS.get(kind, kind) for kind in kinds), title=measure)
        for name, report in reports.items():
            parts = (report["all"], *(report["by_kind"][kind] for kind in kinds))
            result.add_row(name, *(f"{part[measure]:.2f}".lstrip("0") for part in parts))
        console.print(result)
    result = Table("", "certain", "right", "rejected", "lost", title="confidence")
    for name, report in reports.items():
        certain, nothing = report["certain"], report["nothing"]
        values = (certain["right"], nothing["rejected"], nothing["answerable_rejected"])
        result.add_row(name, str(certain["answers"]), *(f"{value:.3f}" for value in values))
    console.print(result)


KINDS: Final = {
    "fullwidth": "wide",
    "situation": "sit.",
    "procedure": "proc.",
    "penalty": "pen.",
    "general": "gen.",
    "number": "num.",
}
"""Short names, so that the tables stay narrow."""


def main() -> None:
    """Print all tables."""
    console = Console(width=120)
    if len(sys.argv) != 2:
        console.print("usage: python -m bench.search QUERIES.jsonl")
        sys.exit(2)
    library = packs.load(resources.folder("policy_data"))
    rows = evaluation.read(Path(sys.argv[1]), library.ids)
    compare(console, library, rows)
    ablate(console, library, rows)


if __name__ == "__main__":
    main()
