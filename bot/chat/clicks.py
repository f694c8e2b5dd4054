"""What happens when a button or menu is used: glue between Discord and the desk."""

from dataclasses import replace
from typing import Any

import discord

from bot.chat import controls, sending
from bot.chat.asker import asker
from bot.chat.controls import Control, StaleControlError
from bot.chat.desk import Desk, NoSuchSubjectError
from bot.chat.lists import said
from bot.chat.replies import Reply
from bot.store.keeper import Kept


async def answer(interaction: discord.Interaction[Any], desk: Desk, kept: Kept) -> None:
    """Answer one click. Raises ExpiredError."""
    data: dict[str, Any] = dict(interaction.data or {})
    try:
        control = controls.read(str(data.get("custom_id", "")))
    except StaleControlError:
        who = await asker(interaction, kept)
        await sending.respond(interaction, said(desk.texts(who.locale)("click.stale")))
        return
    values = data.get("values") or [None]
    try:
        reply = desk.clicked(control, values[0])
    except NoSuchSubjectError:
        await sending.respond(interaction, said(desk.texts(control.locale)("click.gone")))
        return
    if control.role == "publish":
        await _publish(interaction, desk, control, reply)
    elif control.role == "pick":
        await _pick(interaction, desk, control, reply)
    elif interaction.user.id == control.owner:
        await sending.update(interaction, reply)
    else:  # someone else's answer stays as it is; who clicked gets a copy
        own = replace(control, owner=interaction.user.id, private=True)
        await sending.respond(interaction, desk.clicked(own, values[0]))


async def _publish(
    interaction: discord.Interaction[Any], desk: Desk, control: Control, private: Reply
) -> None:
    """Show a private answer to everyone; its button goes first, so that a second click finds none."""
    texts = desk.texts(control.locale)
    shown = tuple(
        tuple(b for b in row if b.control is None or b.control.role != "publish")
        if isinstance(row, tuple)
        else row
        for row in private.rows
    )
    await sending.update(interaction, replace(private, rows=tuple(filter(None, shown))))
    public = desk.clicked(replace(control, private=False), None)
    try:
        await sending.follow(interaction, public)
    except discord.Forbidden:
        await sending.follow(interaction, said(texts("click.forbidden")))


async def _pick(
    interaction: discord.Interaction[Any], desk: Desk, control: Control, reply: Reply
) -> None:
    """Post the answer that was chosen from a private list, or show it in the list's place."""
    if control.private:
        await sending.update(interaction, reply)
        return
    label = reply.embeds[0].title or ""
    await sending.update(interaction, said(desk.texts(control.locale)("click.picked", label=label)))
    try:
        await sending.follow(interaction, reply)
    except discord.Forbidden:
        private = desk.clicked(replace(control, private=True), None)
        await sending.follow(interaction, private)
