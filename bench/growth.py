"""How building the index, searching and completing grow with the data.

    python -m bench.growth QUERIES.jsonl

At 1, 10 and 50 times the data (copies of all sections and situations), each in a process of its own,
so that its memory can be told. With the encoder the discriminant's numbers are random: learning them
for 50 times the phrases would take minutes, and searching costs the same with any numbers.
"""

import gc
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.table import Table

from bench.changes import put
from bench.load import copies
from bot import resources
from bot.policy import packs
from bot.search import evaluation, meaning, phrases
from bot.search.index import Index

SIZES: Final = (1, 10, 50)
COLUMNS: Final = {
    "phrases": ",",
    "build s": ".2f",
    "cached s": ".2f",
    "p50 ms": ".1f",
    "p99 ms": ".1f",
    "complete p99": ".1f",
    "data MB": ".0f",
    "index MB": ".0f",
}


def resident() -> float:
    """Return the memory in use by this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def random_meaning(_found: Any, classes: int) -> dict[str, Any]:
    """Return a discriminant of the right shape for ``classes`` places."""
    chance = np.random.default_rng(5)
    directions = chance.normal(size=(meaning.DIMENSIONS, classes)).astype(np.float16)
    return {"directions": directions, "offsets": np.zeros(classes, dtype=np.float32)}


def measure(data: Path, queries: Path, *, encoder: bool) -> dict[str, float]:
    """Return the measures of one size."""
    library = packs.load(data)
    rows = evaluation.read(queries, library.ids)
    gc.collect()
    loaded = resident()
    kept = data.with_name(f"{data.name}-{encoder}")
    start = time.perf_counter()
    Index(library, cache_folder=kept, encoder=encoder)
    built = time.perf_counter() - start
    gc.collect()
    start = time.perf_counter()
    index = Index(library, cache_folder=kept, encoder=encoder)
    cached = time.perf_counter() - start
    index.search("warm up the encoder")
    gc.collect()
    memory = resident()
    times = np.array([outcome.milliseconds for outcome in evaluation.run(index, rows)])
    completing = []
    for row in rows:
        for length in (1, 2, 4, 8):
            start = time.perf_counter()
            list(index.complete(row.query[:length], locale="ja", limit=25))
            completing.append(1000 * (time.perf_counter() - start))
    return {
        "phrases": len(phrases.phrases(library)),
        "build s": built,
        "cached s": cached,
        "p50 ms": float(np.quantile(times, 0.5)),
        "p99 ms": float(np.quantile(times, 0.99)),
        "complete p99": float(np.quantile(completing, 0.99)),
        "data MB": loaded,
        "index MB": memory - loaded,
    }


def main() -> None:
    """Print the table, or, for a child process, the measures of one size."""
    if len(sys.argv) == 4:
        with put((meaning, "learn", random_meaning)):
            found = measure(Path(sys.argv[1]), Path(sys.argv[2]), encoder=sys.argv[3] == "encoder")
        print(json.dumps(found))
        return
    console = Console(width=110)
    if len(sys.argv) != 2:
        console.print("usage: python -m bench.growth QUERIES.jsonl")
        sys.exit(2)
    result = Table("size", *COLUMNS)
    folder = Path(tempfile.mkdtemp(prefix="gunbai-bench-"))
    try:
        for size in SIZES:
            data = folder / str(size)
            copies(resources.folder("policy_data"), data, size)
            for encoder in ("words", "encoder"):
                console.print(f"{size}x, {encoder} ...", style="dim")
                done = subprocess.run(  # noqa: S603 - this very program
                    [sys.executable, "-m", "bench.growth", str(data), sys.argv[1], encoder],
                    check=True,
                    stdout=subprocess.PIPE,
                    env=os.environ,
                )
                found = json.loads(done.stdout)
                values = (format(found[name], form) for name, form in COLUMNS.items())
                result.add_row(f"{size}x {encoder}", *values)
    finally:
        shutil.rmtree(folder)
    console.print(result)


if __name__ == "__main__":
    main()
