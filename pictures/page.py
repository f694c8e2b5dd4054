"""A reply as a page that looks like Discord on a phone. Pure: the reply in, HTML out.

No library draws embeds. Widths and colours are those of Discord's dark theme.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

import discord

from bot.chat.replies import Button, Menu, Option, Reply, Row
from bot.policy.texts import Locale
from pictures import markdown

WIDTH: Final = 390
"""Of a common phone, in CSS pixels."""
ONLY_YOU: Final[dict[Locale, str]] = {
    "ja": "これはあなただけに表示されています",
    "en": "Only you can see this",
}
"""What Discord itself writes below a private reply."""

STYLE: Final = """
* { box-sizing: border-box; margin: 0 }
body { width: 390px; background: #313338; color: #dbdee1; -webkit-text-size-adjust: none;
  font: 15px/1.4 "Noto Sans CJK JP", sans-serif; overflow-wrap: anywhere }
main { width: 390px; padding: 14px 12px 16px; background: #313338; white-space: pre-wrap }
.asked { margin-left: 26px; padding: 0 0 6px 30px; font-size: 13px; color: #949ba4; position: relative }
.asked::before { content: ""; position: absolute; left: -6px; top: 10px; width: 28px; height: 14px;
  border: solid #4e5058; border-width: 2px 0 0 2px; border-top-left-radius: 6px }
.asked b { color: #a9b3f8; font-weight: 500 }
.message { display: flex; gap: 12px }
.avatar { flex: none; width: 40px; height: 40px; border-radius: 50%; background: #5865f2; color: #fff;
  font-weight: 700; font-size: 18px; line-height: 39px; text-align: center }
.body { flex: 1; min-width: 0 }
.name { font-weight: 500; color: #f2f3f5; line-height: 20px; padding-bottom: 4px }
.name span { background: #5865f2; color: #fff; border-radius: 4px; font-size: 10px; font-weight: 700;
  padding: 1px 5px; margin-left: 5px; vertical-align: 1.5px }
.embed { border-left: 4px solid #1e1f22; border-radius: 4px; background: #2b2d31; font-size: 14px;
  padding: 10px 12px 12px 12px; display: grid; gap: 7px }
.author { font-size: 13px; font-weight: 500; color: #f2f3f5 }
.title { font-size: 15.5px; font-weight: 700; color: #f2f3f5 }
.head { font-weight: 700; color: #f2f3f5 }
strong { font-weight: 700; color: #f2f3f5 }
code { font: 12.5px/1.3 monospace, "Noto Sans CJK JP"; background: #1e1f22; border-radius: 4px;
  padding: 1px 3px }
.small, .footer { font-size: 12px; color: #949ba4 }
.item { display: flex; gap: 6px; padding-left: calc(var(--level, 0) * 16px) }
.item > b { flex: none; min-width: 10px; font-weight: 400 } .item > span { min-width: 0 }
.sign { display: inline-block; width: 17px; height: 14px; background: #ffcc4d; color: #231f20;
  clip-path: polygon(50% 0, 100% 100%, 0 100%); font: 700 10px/17px "Noto Sans CJK JP";
  text-align: center; vertical-align: -1.5px }
.rows { display: grid; gap: 8px; padding-top: 8px } .row { display: flex; flex-wrap: wrap; gap: 8px }
.button { background: #4e5058; color: #fff; border-radius: 8px; padding: 0 14px; line-height: 36px;
  font-size: 14px; font-weight: 500; max-width: 100%; white-space: pre; overflow: hidden;
  text-overflow: ellipsis }
.main { background: #5865f2 } .link::after { content: " ↗"; color: #b5bac1 }
.menu { background: #1e1f22; border-radius: 8px; padding: 0 12px; line-height: 42px; color: #949ba4;
  display: flex; justify-content: space-between; white-space: pre }
.menu .chosen { color: #dbdee1 } .menu::after { content: "⌵"; color: #b5bac1 }
.only { font-size: 12px; color: #949ba4; padding-top: 8px }
.typing { padding: 0; white-space: pre } .typing p { color: #949ba4; font-size: 12px; padding: 10px 16px 6px }
.option { padding: 0 16px; line-height: 42px; border-top: 1px solid #3f4147; background: #2b2d31;
  overflow: hidden; text-overflow: ellipsis }
.typing { padding-bottom: 14px }
.composer { margin: 10px 12px 0; background: #383a40; border-radius: 20px; padding: 0 16px;
  line-height: 40px; overflow: hidden } .composer b { font-weight: 500; color: #f2f3f5 }
.composer i { font-style: normal; background: #1e1f22; border-radius: 5px; padding: 4px 7px;
  margin-left: 4px } .composer u { border-left: 2px solid #5865f2; margin-left: 1px; text-decoration: none }
"""


def document(bodies: Iterable[str], locale: Locale) -> str:
    """Return a page of one or several drawn replies."""
    return (
        f'<!doctype html><html lang="{locale}"><meta charset="utf-8"><title>Gunbai</title>'
        f"<style>{STYLE}</style><body>{''.join(bodies)}"
    )


def answered(reply: Reply, asked: str, locale: Locale) -> str:
    """Return ``reply`` below what was asked for it."""
    embeds = "".join(_embed(embed) for embed in reply.embeds)
    rows = f'<div class="rows">{"".join(map(_row, reply.rows))}</div>' if reply.rows else ""
    only = f'<div class="only">{ONLY_YOU[locale]}</div>' if reply.private else ""
    return (
        f'<main><div class="asked"><b>{escape(asked)}</b></div><div class="message">'
        f'<div class="avatar">軍</div><div class="body"><div class="name">Gunbai<span>APP</span></div>'
        f"{embeds}{rows}{only}</div></div></main>"
    )


def typing(options: Sequence[Option], command: str, name: str, what: str, typed: str) -> str:
    """Return the completions of ``typed`` above the line where it is typed."""
    rows = "".join(f'<div class="option">{escape(option.label)}</div>' for option in options)
    return (
        f'<main class="typing"><p>{escape(what)}</p>{rows}<div class="composer">'
        f"<b>{escape(command)}</b> <i>{escape(name)}: {escape(typed)}<u></u></i></div></main>"
    )


def _embed(embed: discord.Embed) -> str:
    colour = f' style="border-color: {embed.colour}"' if embed.colour else ""
    parts = []
    if embed.author.name:
        parts.append(f'<div class="author">{escape(embed.author.name)}</div>')
    if embed.title:
        parts.append(f'<div class="title">{markdown.inline(embed.title)}</div>')
    if embed.description:
        parts.append(f"<div>{markdown.lines(embed.description)}</div>")
    parts.extend(
        f'<div class="field"><div class="head">{markdown.inline(field.name or "")}</div>'
        f"{markdown.lines(field.value or '')}</div>"
        for field in embed.fields
    )
    if embed.footer.text:
        parts.append(f'<div class="footer">{escape(embed.footer.text)}</div>')
    return f'<div class="embed"{colour}>{"".join(parts)}</div>'


def _row(row: Row) -> str:
    if isinstance(row, Menu):
        chosen = next((option.label for option in row.options if option.chosen), None)
        kind = "chosen" if chosen else "placeholder"
        return f'<div class="menu"><span class="{kind}">{escape(chosen or row.placeholder)}</span></div>'
    return f'<div class="row">{"".join(map(_button, row))}</div>'


def _button(button: Button) -> str:
    kind = "button link" if button.url else "button main" if button.main else "button"
    return f'<div class="{kind}">{escape(button.label)}</div>'
