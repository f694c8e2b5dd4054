"""Discord's Markdown as HTML, as far as the bot writes it.

Inside a line it is markdown-it's: bold, code and escapes. What starts a line is Discord's own and read
here, because every library reads paragraphs where Discord reads lines: each one stands by itself, blank
ones and spaces in front stay, ``-#`` is small print, and only an indented line continues an item.
"""

import re
from typing import Final

from markdown_it import MarkdownIt

_INLINE: Final = MarkdownIt("zero").enable(["escape", "backticks", "emphasis"])
_ITEM: Final = re.compile(r"( *)(-|\d+\.) (.*)")
_SIGN: Final = "⚠"
"""Discord draws it as an emoji, which the font lacks."""


def inline(text: str) -> str:
    """Return one line."""
    html: str = _INLINE.renderInline(text)
    return html.replace(_SIGN, '<i class="sign">!</i>')


def lines(text: str) -> str:
    """Return a description or a field's value, each line a block."""
    drawn: list[str] = []
    least: int | None = None  # the indentation of the list that the line before belongs to
    for line in text.split("\n"):
        item = _ITEM.fullmatch(line)
        if item:
            spaces, mark, words = item.groups()
            least = len(spaces) if least is None else min(least, len(spaces))
            level = (len(spaces) - least) // 2
            shown = "•" if mark == "-" else mark
            drawn.append(
                f'<div class="item" style="--level: {level}"><b>{shown}</b>'
                f"<span>{inline(words)}</span></div>"
            )
        elif least is not None and line.startswith(" "):
            drawn.append(f'<div class="item"><b></b><span>{inline(line.strip())}</span></div>')
        else:
            least = None
            if line.startswith("-# "):
                drawn.append(f'<div class="small">{inline(line[3:])}</div>')
            else:
                drawn.append(f"<div>{inline(line) or '<br>'}</div>")
    return "".join(drawn)
