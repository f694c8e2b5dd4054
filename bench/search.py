"""How good and how fast the search is, against other ways to do it, in one run.

    python -m bench.search QUERIES.jsonl

Every way sees the same sections and phrases and ranks them for the same labelled queries. The second
table takes parts of the product away; the third measures index building and search at 1, 10 and 50
times the data.
"""

import resource
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process
from rich.console import Console
from rich.table import Table

from bench.load import copies
from bot import resources, text
from bot.policy import packs
from bot.policy.pack import Library
from bot.search import evaluation, meaning, phrases, ranking
from bot.search.evaluation import Labelled
from bot.search.grams import grams
from bot.search.index import Index
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


def product(index: Index, ids: Sequence[str]) -> Ranker:
    """The search as it ships."""
    places = {section_id: place for place, section_id in enumerate(ids)}
    return lambda query: [places[hit.section.id] for hit in index.search(query).hits]


def measure(rank: Ranker, rows: Sequence[Labelled], ids: Sequence[str]) -> list[str]:
    """Return R@1 and R@5 of all and of the situations, and milliseconds a query."""
    outcomes = []
    for row in rows:
        start = time.perf_counter()
        found = [ids[place] for place in rank(row.query) if place < len(ids)][:10]
        elapsed = 1000 * (time.perf_counter() - start)
        outcomes.append(evaluation.Outcome(row, "unsure", tuple(found), elapsed))
    report = evaluation.report(outcomes)
    situations = report["by_kind"].get("situation", {"R@1": 0.0, "R@5": 0.0})
    times = report["milliseconds"]
    values = (report["all"]["R@1"], report["all"]["R@5"], situations["R@1"], situations["R@5"])
    return [*(f"{value:.3f}" for value in values), f"{times['p50']:.1f}", f"{times['p99']:.1f}"]


def table(title: str) -> Table:
    """Return an empty table of measures."""
    return Table("", "R@1", "R@5", "sit. R@1", "sit. R@5", "p50 ms", "p99 ms", title=title)


def compare(console: Console, library: Library, rows: Sequence[Labelled]) -> None:
    """Print the product beside other ways, then the product with parts taken away."""
    ids = [section.id for _, section in phrases.sections(library)]
    found = [p for p in phrases.phrases(library) if p.place < len(ids)]
    index = Index(library, shipped=resources.folder("policy_data") / packs.MEANING_FILE)
    index.search("warm up the encoder")
    ways = {
        "WRatio over names": names_wratio(found),
        "partial_ratio over texts": texts_partial(found),
        "BM25": bm25(found),
        "embeddings, nearest phrase": embeddings(found),
        "SQLite FTS5 trigram": fts5(found),
        "Gunbai": product(index, ids),
    }
    result = table("ways to search")
    for name, rank in ways.items():
        console.print(f"measuring {name} ...", style="dim")
        result.add_row(name, *measure(rank, rows, ids))
    console.print(result)
    ablate(console, index, rows, ids)


def ablate(console: Console, index: Index, rows: Sequence[Labelled], ids: Sequence[str]) -> None:
    """Print what each part of the ranking adds."""
    weights = {name: getattr(ranking, name) for name in ("EVIDENCE", "NEARNESS", "MEANING", "NAME")}
    result = table("without one part, or one alone")
    result.add_row("all parts", *measure(product(index, ids), rows, ids))
    for name in weights:
        for label, kept in ((f"without {name.lower()}", False), (f"{name.lower()} alone", True)):
            for other, value in weights.items():
                setattr(ranking, other, value if (other == name) == kept else 0.0)
            result.add_row(label, *measure(product(index, ids), rows, ids))
    for name, value in weights.items():
        setattr(ranking, name, value)
    console.print(result)


def grow(console: Console, rows: Sequence[Labelled]) -> None:
    """Print building and searching at 1, 10 and 50 times the data, on words alone."""
    result = Table(
        "size", "phrases", "build s", "from cache s", "p50 ms", "p99 ms", "complete p99", "MB"
    )
    folder = Path(tempfile.mkdtemp(prefix="gunbai-bench-"))
    shipped_version = meaning.encoder_version
    meaning.encoder_version = lambda: None
    try:
        for size in (1, 10, 50):
            console.print(f"growing to {size}x ...", style="dim")
            data = folder / str(size)
            copies(resources.folder("policy_data"), data, size)
            library = packs.load(data)
            start = time.perf_counter()
            Index(library, cache_folder=data / "cache")
            built = time.perf_counter() - start
            start = time.perf_counter()
            index = Index(library, cache_folder=data / "cache")
            cached = time.perf_counter() - start
            times = np.array([o.milliseconds for o in evaluation.run(index, rows)])
            completing = []
            for row in rows:
                start = time.perf_counter()
                list(index.complete(row.query[:4], locale="ja"))
                completing.append(1000 * (time.perf_counter() - start))
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
            p50, p99 = np.quantile(times, [0.5, 0.99])
            result.add_row(
                f"{size}x",
                f"{len(phrases.phrases(library)):,}",
                f"{built:.2f}",
                f"{cached:.2f}",
                f"{p50:.1f}",
                f"{p99:.1f}",
                f"{np.quantile(completing, 0.99):.1f}",
                f"{memory:.0f}",
            )
    finally:
        meaning.encoder_version = shipped_version
        shutil.rmtree(folder)
    console.print(result)


def main() -> None:
    """Print all tables."""
    console = Console(width=100)
    if len(sys.argv) != 2:
        console.print("usage: python -m bench.search QUERIES.jsonl")
        sys.exit(2)
    rows = [row for row in evaluation.read(Path(sys.argv[1])) if row.expect]
    library = packs.load(resources.folder("policy_data"))
    compare(console, library, rows)
    grow(console, rows)


if __name__ == "__main__":
    main()
