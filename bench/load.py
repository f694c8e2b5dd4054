"""How long loading the rule data takes, as it is and at 10 and 50 times its size.

    python -m bench.load

The larger sets are the real packs copied under other ids. Times are the best of several loads in
this process; the ratio column is what tells whether the cost grows linearly.
"""

import shutil
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot import resources
from bot.policy import packs
from bot.policy.pack import Library

SIZES = (1, 10, 50)
ROUNDS = {1: 5, 10: 3, 50: 2}


def copies(source: Path, target: Path, times: int) -> None:
    """Fill ``target`` with ``times`` copies of every pack, each under ids of its own."""
    for pack in sorted(entry for entry in source.iterdir() if entry.is_dir()):
        for number in range(times):
            letters = "".join(chr(97 + int(digit)) for digit in f"{number:02}")
            name = pack.name + letters
            for file in pack.rglob("*.yaml"):
                copy = target / name / file.relative_to(pack)
                copy.parent.mkdir(parents=True, exist_ok=True)
                text = file.read_text(encoding="utf-8")
                text = text.replace(f'"{pack.name}:', f'"{name}:')
                text = text.replace(f"\nid: {pack.name}\n", f"\nid: {name}\n")
                copy.write_text(text, encoding="utf-8")


def best_time(folder: Path, rounds: int) -> tuple[float, Library]:
    """Return the shortest of ``rounds`` loads in seconds, and the library."""
    shortest = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        library = packs.load(folder)
        shortest = min(shortest, time.perf_counter() - start)
    return shortest, library


def main() -> None:
    """Print the table."""
    console = Console()
    table = Table("size", "files", "kB", "sections", "seconds", "ratio", "ratio / size")
    base = 0.0
    folder = Path(tempfile.mkdtemp(prefix="gunbai-bench-"))
    try:
        for size in SIZES:
            data = folder / str(size)
            copies(resources.folder("policy_data"), data, size)
            files = list(data.rglob("*.yaml"))
            console.print(f"loading {size}x ...", style="dim")
            seconds, library = best_time(data, ROUNDS[size])
            base = base or seconds
            table.add_row(
                f"{size}x",
                str(len(files)),
                f"{sum(file.stat().st_size for file in files) / 1000:,.0f}",
                str(sum(len(pack.sections) for pack in library.packs)),
                f"{seconds:.3f}",
                f"{seconds / base:.1f}",
                f"{seconds / base / size:.2f}",
            )
    finally:
        shutil.rmtree(folder)
    console.print(table)


if __name__ == "__main__":
    main()
