"""Lines of an outline on a page: indented, marked, and coloured by the rung they speak of."""

from collections.abc import Iterable

from bot.outline import Line
from bot.policy.pack import Pack
from bot.terminal.page import SEVERITY_STYLES, Page


def rung_style(pack: Pack, code: str) -> str:
    """Return the style of a rung of a pack's ladder."""
    place = [penalty.code for penalty in pack.header.ladder].index(code)
    return SEVERITY_STYLES[min(place, len(SEVERITY_STYLES) - 1)]


def add_lines(page: Page, pack: Pack, lines: Iterable[Line]) -> None:
    """Add ``lines`` to a page."""
    for line in lines:
        if line.penalty:
            style = rung_style(pack, line.penalty)
        elif line.faint:
            style = "dim"
        else:
            style = "bold" if line.strong else ""
        page.line(line.text, style=style, indent=2 * line.level, mark=line.mark)
