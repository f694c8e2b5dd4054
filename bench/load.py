"""How long loading the rule data takes, as it is and at 10 and 50 times its size.

    python -m bench.load

The larger sets are the real packs with copies of their sections added. Times are the best of several loads in
this process; the ratio column is what tells whether the cost grows linearly.
"""

import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bot import resources, yamlsource
from bot.policy import packs
from bot.policy.pack import Library

SIZES = (1, 10, 50)
ROUNDS = {1: 5, 10: 3, 50: 2}


def copies(source: Path, target: Path, times: int) -> None:
    """Fill ``target`` with the packs of ``source``, each with ``times`` copies of its sections.

    A copy's ids and chapters get a number in front (2.3 becomes 702.3 in the seventh) and its names
    another at the end, so that nothing clashes and references stay inside the copy.
    """
    for pack in sorted(entry for entry in source.iterdir() if entry.is_dir()):
        folder = target / pack.name
        folder.mkdir(parents=True)
        header = _read(pack / "pack.yaml")
        sections = [_read(file) for file in sorted(pack.glob("*.yaml")) if file.name != "pack.yaml"]
        told = [_read(file) for file in sorted((pack / "situations").glob("*.yaml"))]
        (folder / "situations").mkdir()
        declared, chapters = list(header["sections"]), list(header["chapters"])
        for number in range(1, times):
            for situations in told:
                copy = _renumbered(situations, pack.name, number)
                _write(folder / "situations" / _file_name(copy["section"]), copy)
            for section in sections:
                copy = _renumbered(section, pack.name, number)
                _write(folder / _file_name(copy["id"]), copy)
                declared.append(copy["id"])
            chapters.extend(_renumbered(c, pack.name, number) for c in header["chapters"])
        for section in sections:
            _write(folder / _file_name(section["id"]), section)
        for situations in told:
            _write(folder / "situations" / _file_name(situations["section"]), situations)
        _write(folder / "pack.yaml", header | {"sections": declared, "chapters": chapters})


def _renumbered(value: Any, pack: str, number: int, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _renumbered(part, pack, number, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_renumbered(part, pack, number, key) for part in value]
    if key == "number" and isinstance(value, str) and "." not in value:
        return f"{number}0{9 if value == 'A' else value}"
    if isinstance(value, str) and value.startswith(pack + ":"):
        chapter, dot, rest = value.removeprefix(pack + ":").partition(".")
        chapter, slash, part = chapter.partition("/")
        return f"{pack}:{number}0{9 if chapter == 'A' else chapter}{dot}{rest}{slash}{part}"
    if key in ("ja", "en", "kana") and isinstance(value, str) and len(value) < 90:
        return f"{value}z{number}z"
    return value


def _read(file: Path) -> dict[str, Any]:
    data: dict[str, Any] = yamlsource.read(file).data
    return data


def _write(file: Path, data: dict[str, Any]) -> None:
    file.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


def _file_name(section_id: str) -> str:
    return section_id.partition(":")[2].replace("/", "-") + ".yaml"


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
