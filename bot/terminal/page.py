"""A page of styled text in a given width, with Japanese line breaking."""

import re
from typing import Final

from rich.cells import cell_len
from rich.text import Text

SEVERITY_STYLES = ("green", "yellow", "dark_orange", "red", "bold red", "bold magenta")
"""From the lightest rung of a ladder on; only ever added to words that say the same."""


class Page:
    """Collects lines of at most ``width`` columns; full-width characters count as two."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._lines: list[Text] = []

    def line(self, text: str, style: str = "", indent: int = 0, mark: str = "") -> None:
        """Add ``text``, broken over as many lines as it needs.

        ``mark`` stands in front of the first line and the others are set in as far.
        """
        hang = indent + Text(mark).cell_len
        for place, part in enumerate(wrap(text, self._width - hang)):
            lead = " " * indent + mark if place == 0 else " " * hang
            self._lines.append(Text(lead + part, style=style))

    def styled(self, line: Text) -> None:
        """Add a line as it is."""
        self._lines.append(line)

    def heading(self, text: str) -> None:
        """Add a heading with an empty line before it."""
        self.gap()
        self.line(text, style="bold")

    def gap(self) -> None:
        """Add an empty line, unless the page has just begun or one is there."""
        if self._lines and self._lines[-1].plain:
            self._lines.append(Text())

    def rule(self) -> None:
        """Add a line across the page."""
        self._lines.append(Text("─" * self._width, style="dim"))

    def text(self) -> Text:
        """Return the page."""
        return Text("\n").join(self._lines)


_OPENING: Final = "「『（《〈【［“‘(["
_CLOSING: Final = "、。，．・：；？！」』）》〉】］”’ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々〜～…,.:;?!)]%％"
_UNITS: Final = re.compile(
    rf" +|[{re.escape(_OPENING)}]*(?:[\x21-\x7e\u00a0-\u024f]+|.)[{re.escape(_CLOSING)}]*",
    re.DOTALL,
)
"""What stays on one line: spaces, a Latin word or one other character, with its punctuation."""


def wrap(text: str, width: int) -> list[str]:
    """Return ``text`` in lines of at most ``width`` columns (10 at least).

    Lines break at spaces and between Japanese characters; none begins with a full stop, a closing
    bracket, a small kana or a long-vowel mark, and none ends with an opening bracket. (The rules
    are the core of JIS X 4051; a full UAX 14 library took a millisecond a character.)
    """
    width = max(width, 10)
    lines, line, used = [], "", 0
    for unit in _UNITS.findall(" ".join(text.split())):
        room = cell_len(unit)
        if used + room > width and line:
            lines.append(line.rstrip())
            line, used = "", 0
        if not line and unit.isspace():
            continue
        while room > width:
            head = _head(unit, width)
            lines.append(head)
            unit = unit[len(head) :]  # a word longer than a line is cut
            room = cell_len(unit)
        line, used = line + unit, used + room
    return [*lines, line.rstrip()] if line.rstrip() or not lines else lines


def _head(unit: str, width: int) -> str:
    """Return as much of ``unit`` as fits ``width`` columns."""
    used = 0
    for place, character in enumerate(unit):
        used += cell_len(character)
        if used > width:
            return unit[:place]
    return unit
