"""Takes pictures of pages with a Chromium that is installed beside the project."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PIL import Image

from pictures import page

SCALE: Final = 2
COLOURS: Final = 128
"""Enough for text on a few flat colours, and a third of the size of all of them."""
FONT: Final = "Noto Sans CJK JP"
NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
OPTIONS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    f"--force-device-scale-factor={SCALE}",
)
_HEIGHTS: Final = """<script>document.documentElement.dataset.heights =
[...document.querySelectorAll("main")].map(drawn => drawn.offsetHeight).join(" ")</script>"""


class MissingError(Exception):
    """Something that has to be installed; the message says what and how."""


def found() -> str:
    """Return the browser's command. Raises MissingError without it or without the font."""
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        raise MissingError("Chromium is missing; on Debian and Ubuntu: apt install chromium")
    listing = shutil.which("fc-list")
    if listing is None:
        raise MissingError("fc-list is missing; on Debian and Ubuntu: apt install fontconfig")
    if not _run([listing, FONT]).strip():
        raise MissingError(f"{FONT} is missing; on Debian and Ubuntu: apt install fonts-noto-cjk")
    return browser


def heights(browser: str, bodies: Sequence[str]) -> list[int]:
    """Return how high each drawn reply is, in CSS pixels."""
    html = page.document((*bodies, _HEIGHTS), "ja")
    told = re.search(r'data-heights="([\d ]+)"', _opened(browser, html, "--dump-dom"))
    if told is None:
        raise OSError("the browser did not tell the heights of the pages")
    return [int(height) for height in told[1].split()]


def take(browser: str, html: str, height: int, file: Path) -> None:
    """Write a picture of ``html`` to ``file``."""
    file.unlink(missing_ok=True)
    _opened(browser, html, f"--screenshot={file}", f"--window-size={page.WIDTH},{height}")
    if not file.is_file():
        raise OSError(f"the browser did not write {file.name}")
    with Image.open(file) as taken:
        small = taken.convert("RGB").quantize(
            COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
    small.save(file, optimize=True)


def _opened(browser: str, html: str, *options: str) -> str:
    """Open a page in a browser of its own, that knows and leaves nothing, and return its output."""
    with tempfile.TemporaryDirectory() as folder:
        shown = Path(folder, "page.html")
        shown.write_text(html, encoding="utf-8")
        profile = f"--user-data-dir={folder}/profile"
        return _run([browser, *OPTIONS, profile, *options, shown.as_uri()])


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(  # noqa: S603 - the browser that was found, and pages of ours
        command, capture_output=True, check=True, timeout=60, encoding="utf-8", errors="replace"
    )
    return done.stdout
