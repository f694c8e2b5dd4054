"""A reply before it is sent: embeds, and the buttons and menus below them. Pure."""

from dataclasses import dataclass, field

import discord

from bot.chat.controls import Control


@dataclass(frozen=True, slots=True)
class Button:
    """A button: what it does, or where it leads."""

    label: str
    control: Control | None = None
    url: str | None = None
    main: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a menu."""

    label: str
    value: str
    description: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu to pick one option from."""

    control: Control
    placeholder: str
    options: tuple[Option, ...]


Row = tuple[Button, ...] | Menu


@dataclass(frozen=True, slots=True)
class Reply:
    """What someone gets to see; ``private`` is for them alone."""

    embeds: tuple[discord.Embed, ...]
    rows: tuple[Row, ...] = field(default=())
    private: bool = True


def view(rows: tuple[Row, ...]) -> discord.ui.View:
    """Return rows as Discord's components. Nothing waits for their clicks: the client reads them.

    A stopped view is one that discord.py does not keep in memory.
    """
    shown = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        if isinstance(row, Menu):
            shown.add_item(_menu(row, number))
        else:
            for button in row:
                shown.add_item(_button(button, number))
    shown.stop()
    return shown


def _menu(menu: Menu, row: int) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(
            label=option.label,
            value=option.value,
            description=option.description or None,
            default=option.chosen,
        )
        for option in menu.options
    ]
    return discord.ui.Select(
        custom_id=menu.control.custom_id,
        placeholder=menu.placeholder,
        options=options,
        row=row,
    )


def _button(button: Button, row: int) -> discord.ui.Button[discord.ui.View]:
    if button.url:
        return discord.ui.Button(label=button.label, url=button.url, row=row)
    style = discord.ButtonStyle.primary if button.main else discord.ButtonStyle.secondary
    custom_id = button.control.custom_id if button.control else None
    return discord.ui.Button(label=button.label, custom_id=custom_id, style=style, row=row)
