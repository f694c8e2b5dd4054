"""Text for Discord: escaped, bounded, and cut where a sentence or a line ends. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from bot.outline import Line

_SPECIAL: Final = re.compile(r"([\\*_`~|\[\]])")
_AT_START: Final = re.compile(
    r"^[^\S\n]*(?:(?=(?:-#?|#{1,3}|>|>>>)(?:\s|$))|\d+(?=\.(?:\s|$)))", re.MULTILINE
)
"""What stands before a sign that means something only at the start of a line."""
_ITEM: Final = re.compile(r"(?:-|\d+\.) ")
"""Marks that Discord reads as an item of a list."""
_MARKS: Final = {"! ": "⚠ "}
"""Signs that Discord shows better than those of a terminal."""
_ENDS: Final = re.compile(r"([。！？][」』）]*|(?<=[.!?])\s|\n)|[、\s]")
"""Where a text may be cut, besides anywhere as a last resort; the group is the end of a sentence."""


def escape(text: str) -> str:
    """Return ``text`` so that Discord shows it as it is: no Markdown, no mention."""
    plain = _SPECIAL.sub(r"\\\1", text)
    plain = _AT_START.sub(r"\g<0>\\", plain)
    return plain.replace("@", "@\u200b").replace("<", "\\<")


def cut(text: str, limit: int) -> str:
    """Return ``text``, or as much of it as ends with a sentence or a word, with an ellipsis."""
    if len(text) <= limit:
        return text
    return next(pieces(text, limit - 1), "").rstrip(" 、,") + "…"


def pieces(text: str, limit: int) -> Iterator[str]:
    """Yield ``text`` in pieces of at most ``limit`` characters, cut at the best place before it."""
    while len(text) > limit:
        at = _place(text, limit)
        if not text[:at].isspace():
            yield text[:at].rstrip()
        text = text[at:].lstrip()
    if text:
        yield text


def _place(text: str, limit: int) -> int:
    """Return where to cut: the last end of a sentence in the second half, else of a clause or word."""
    ends = [found for found in _ENDS.finditer(text, 0, limit) if found.end() > limit // 2]
    sentences = [found for found in ends if found[1]]
    if ends:
        return (sentences or ends)[-1].end()
    head = text[:limit]
    backslashes = len(head) - len(head.rstrip("\\"))
    return limit - backslashes % 2  # never between a backslash and its sign


def items(line: Line, limit: int) -> Iterator[str]:
    """Yield a line of an outline in Markdown, in pieces that each close what they open."""
    lead = "-# " if line.faint else "  " * line.level + _MARKS.get(line.mark, line.mark)
    around = "**" if line.strong else ""
    for part in pieces(escape(line.text), limit - len(lead) - 2 * len(around)):
        yield f"{lead}{around}{part}{around}"


def blocks(lines: Iterable[Line], limit: int) -> Iterator[str]:
    """Yield ``lines`` in texts of at most ``limit`` characters; a line stays whole where it fits.

    Only what stands below an item of a list is indented: elsewhere Discord would show the spaces in
    front of a line's first row alone.
    """
    held, listed = "", False
    for line in lines:
        listed = bool(_ITEM.fullmatch(line.mark)) if line.level == 0 else listed
        for part in items(line if listed else replace(line, level=0), limit):
            joined = f"{held}\n{part}" if held else part
            if len(joined) > limit:
                yield held
                joined = part
            held = joined
    if held:
        yield held
