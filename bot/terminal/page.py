"""A page of styled text in a given width, with Japanese line breaking."""

from rich.text import Text
from uniseg.wrap import tt_wrap

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


def wrap(text: str, width: int) -> list[str]:
    """Return ``text`` in lines of at most ``width`` columns, broken by the Unicode rules (UAX 14).

    No line begins with a full stop, closing bracket or small kana.
    """
    return [line.rstrip() for line in tt_wrap(text, max(width, 10))] or [""]
