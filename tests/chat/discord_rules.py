"""What Discord documents for messages, written out once more, apart from ``bot.limits``.

Lengths are code points, as Python's.
"""

import re
from collections import Counter
from collections.abc import Iterator

from bot.chat.controls import Control
from bot.chat.replies import Button, Menu, Reply

UNFILLED = re.compile(r"\bNone\b|(?<!\{)\{\w*\}(?!\})")
"""A value that was not there, or a placeholder that nobody filled in."""


def as_shown(text: str) -> str:
    """What Discord shows of Markdown: a backslash before a sign is not shown, nor is U+200B."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", text).replace("\u200b", "")


def bare(text: str) -> str:
    """Text without its escaped signs: what is left has its meaning in Markdown."""
    return re.sub(r"\\[^0-9A-Za-z\s]", "", text)


def squeezed(text: str) -> str:
    return "".join(text.split())


def everything(reply: Reply) -> str:
    """All that a reader sees in the embeds of a reply."""
    return "\n".join(text for _, text, _ in _texts(reply))


def faults(reply: Reply) -> list[str]:
    """What Discord would refuse, or a reader would stumble over."""
    return [*_embed_faults(reply), *_row_faults(reply)]


def _texts(reply: Reply) -> Iterator[tuple[str, str, int]]:
    for embed in reply.embeds:
        if embed.title is not None:
            yield "title", embed.title, 256
        if embed.description is not None:
            yield "description", embed.description, 4096
        if embed.author.name is not None:
            yield "author", embed.author.name, 256
        for field in embed.fields:
            yield "field name", field.name or "", 256
            yield "field value", field.value or "", 1024
        if embed.footer.text is not None:
            yield "footer", embed.footer.text, 2048


def _embed_faults(reply: Reply) -> Iterator[str]:
    texts = list(_texts(reply))
    for where, text, limit in texts:
        yield from (f"{where}: {what}" for what in _text_faults(where, text, limit))
    if sum(len(text) for _, text, _ in texts) > 6000:
        yield "message: more than 6000 characters"
    if not 1 <= len(reply.embeds) <= 10:
        yield f"{len(reply.embeds)} embeds"
    for embed in reply.embeds:
        if len(embed.fields) > 25:
            yield f"{len(embed.fields)} fields"
        if not (embed.description or embed.fields):
            yield "an embed that says nothing"


def _text_faults(where: str, text: str, limit: int) -> Iterator[str]:
    if not text.strip():
        yield "empty"
    if len(text) > limit:
        yield f"{len(text)} characters"
    if UNFILLED.search(text):
        yield f"unfilled: {text}"
    if where not in ("author", "footer"):  # which show no Markdown
        yield from markdown_faults(text)


def markdown_faults(text: str) -> Iterator[str]:
    """Markdown that is opened and not closed, and mentions."""
    for line in text.split("\n"):
        plain = bare(line)
        if "\\" in plain:
            yield f"a backslash that is shown: {line}"
        if plain.count("**") % 2 or "*" in plain.replace("**", ""):
            yield f"stars: {line}"
        if plain.count("`") % 2:
            yield f"code: {line}"
        if re.search(r"[_~|\[\]<]", re.sub("`[^`]*`", "", plain)):
            yield f"not escaped: {line}"
        if re.search("@(?!\u200b)(?:everyone|here|&|!|[0-9])", line):
            yield f"mention: {line}"


def _row_faults(reply: Reply) -> Iterator[str]:
    if len(reply.rows) > 5:
        yield f"{len(reply.rows)} rows"
    for row in reply.rows:
        if isinstance(row, Menu):
            yield from _menu_faults(row)
            continue
        if not 1 <= len(row) <= 5:
            yield f"{len(row)} buttons in a row"
        for button in row:
            yield from _button_faults(button)
    ids = Counter(control.custom_id for control in _controls(reply))
    for custom_id, count in ids.items():
        if count > 1:
            yield f"{count} times in one message: {custom_id}"
        if not 1 <= len(custom_id) <= 100:
            yield f"custom id of {len(custom_id)} characters: {custom_id}"


def _controls(reply: Reply) -> Iterator[Control]:
    for row in reply.rows:
        if isinstance(row, Menu):
            yield row.control
        else:
            yield from (button.control for button in row if button.control)


def _button_faults(button: Button) -> Iterator[str]:
    if bool(button.control) == bool(button.url):
        yield f"button {button.label}: leads nowhere, or to two places"
    if button.url and len(button.url) > 512:
        yield f"address of {len(button.url)} characters"
    if not 1 <= len(button.label.strip()) <= 80 or UNFILLED.search(button.label):
        yield f"button label: {button.label}"


def _menu_faults(menu: Menu) -> Iterator[str]:
    if not 1 <= len(menu.placeholder) <= 150:
        yield f"placeholder: {menu.placeholder}"
    if not 1 <= len(menu.options) <= 25:
        yield f"{len(menu.options)} options"
    if len({option.value for option in menu.options}) != len(menu.options):
        yield "two options with one value"
    if sum(option.chosen for option in menu.options) > 1:
        yield "two options chosen"
    for option in menu.options:
        if not 1 <= len(option.label.strip()) <= 100 or not 1 <= len(option.value) <= 100:
            yield f"option: {option}"
        if len(option.description) > 100 or UNFILLED.search(f"{option.label} {option.description}"):
            yield f"option: {option}"
