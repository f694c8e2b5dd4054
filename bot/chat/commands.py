"""The slash commands and the message menu: glue between Discord and the desk."""

from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot import limits
from bot.chat import sending
from bot.chat.asker import Asker, asker
from bot.chat.desk import Desk
from bot.chat.lists import said
from bot.i18n import Texts
from bot.policy.pack import Library
from bot.policy.texts import LOCALES
from bot.store.keeper import Kept
from bot.store.store import Server
from bot.store.trouble import StoreError

Interaction = discord.Interaction[Any]
Guard = Callable[[Interaction, str, Callable[[], Awaitable[None]]], Awaitable[None]]
"""Runs the answer to an interaction: measures it, and deals with whatever goes wrong."""
ALL: Final = "all"
"""Value of a choice that takes a setting back."""


def register(
    tree: app_commands.CommandTree[Any], desk: Desk, kept: Kept, guard: Guard, library: Library
) -> None:
    """Add every command to ``tree``; the games to choose from are those of ``library``."""
    english = desk.catalogue["en"]
    for command in (
        _infraction(desk, kept, guard, library, english),
        _penalties(desk, kept, guard, library, english),
        _settings(desk, kept, guard, library, english),
        _language(desk, kept, guard, english),
        _plain("about", desk, kept, guard, english),
        _plain("help", desk, kept, guard, english),
    ):
        tree.add_command(command)
    tree.add_command(_message_menu(desk, kept, guard, english))


def _name(texts: Texts, key: str) -> locale_str:
    return locale_str(texts(key), key=key)


def _games(library: Library, texts: Texts, *, everything: bool = False) -> list[Choice[str]]:
    """Return the games as choices, named in the languages of their packs."""
    choices = [
        Choice(
            name=locale_str(pack.header.game.en[: limits.CHOICE_NAME], ja=pack.header.game.ja),
            value=pack.header.id,
        )
        for pack in library.packs[: limits.OPTIONS - 1]
    ]
    if everything:
        choices.append(Choice(name=_name(texts, "option.all_games"), value=ALL))
    return choices


def _languages(texts: Texts) -> list[Choice[str]]:
    return [Choice(name=texts(f"option.language_{locale}"), value=locale) for locale in LOCALES]


def _infraction(
    desk: Desk, kept: Kept, guard: Guard, library: Library, texts: Texts
) -> app_commands.Command[Any, ..., Any]:
    @app_commands.command(
        name=_name(texts, "command.infraction.name"),
        description=_name(texts, "command.infraction.description"),
    )
    @app_commands.rename(
        query=_name(texts, "option.query.name"),
        game=_name(texts, "option.game.name"),
        language=_name(texts, "option.language.name"),
        private=_name(texts, "option.private.name"),
    )
    @app_commands.describe(
        query=_name(texts, "option.query.description"),
        game=_name(texts, "option.game.description"),
        language=_name(texts, "option.language.description"),
        private=_name(texts, "option.private.description"),
    )
    @app_commands.choices(game=_games(library, texts), language=_languages(texts))
    async def infraction(
        interaction: Interaction,
        query: str,
        game: str | None = None,
        language: str | None = None,
        private: bool | None = None,
    ) -> None:
        async def run() -> None:
            who = await asker(interaction, kept, language=language, game=game, private=private)
            await sending.respond(interaction, desk.lookup(query, who))

        await guard(interaction, "infraction", run)

    @infraction.autocomplete("query")
    async def complete(interaction: Interaction, typed: str) -> list[Choice[str]]:
        found: list[Choice[str]] = []

        async def run() -> None:
            chosen = interaction.namespace
            who = await asker(
                interaction, kept, language=_text(chosen.language), game=_text(chosen.game)
            )
            options = desk.completions(typed, who.locale, who.game)
            found.extend(Choice(name=option.label, value=option.value) for option in options)

        await guard(interaction, "autocomplete", run)
        return found

    return infraction


def _penalties(
    desk: Desk, kept: Kept, guard: Guard, library: Library, texts: Texts
) -> app_commands.Command[Any, ..., Any]:
    @app_commands.command(
        name=_name(texts, "command.penalties.name"),
        description=_name(texts, "command.penalties.description"),
    )
    @app_commands.rename(
        game=_name(texts, "option.game.name"), language=_name(texts, "option.language.name")
    )
    @app_commands.describe(
        game=_name(texts, "option.game.description"),
        language=_name(texts, "option.language.description"),
    )
    @app_commands.choices(game=_games(library, texts), language=_languages(texts))
    async def penalties(
        interaction: Interaction, game: str | None = None, language: str | None = None
    ) -> None:
        async def run() -> None:
            who = await asker(interaction, kept, language=language, game=game)
            await sending.respond(interaction, desk.penalties(game, who))

        await guard(interaction, "penalties", run)

    return penalties


def _settings(
    desk: Desk, kept: Kept, guard: Guard, library: Library, texts: Texts
) -> app_commands.Command[Any, ..., Any]:
    languages = [*_languages(texts), Choice(name=_name(texts, "option.automatic"), value=ALL)]

    @app_commands.command(
        name=_name(texts, "command.settings.name"),
        description=_name(texts, "command.settings.description"),
    )
    @app_commands.rename(
        language=_name(texts, "option.language.name"),
        game=_name(texts, "option.game.name"),
        private=_name(texts, "option.private.name"),
        reset=_name(texts, "option.reset.name"),
    )
    @app_commands.describe(
        language=_name(texts, "option.language.description"),
        game=_name(texts, "option.game.description"),
        private=_name(texts, "option.private.description"),
        reset=_name(texts, "option.reset.description"),
    )
    @app_commands.choices(language=languages, game=_games(library, texts, everything=True))
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def settings(
        interaction: Interaction,
        language: str | None = None,
        game: str | None = None,
        private: bool | None = None,
        reset: bool = False,
    ) -> None:
        async def run() -> None:
            who = await asker(interaction, kept)
            said_in = desk.texts(who.locale)
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                await sending.respond(interaction, said(said_in("settings.forbidden")))
                return
            before = await kept.server(interaction.guild_id)
            start = Server() if reset else before
            wanted = Server(
                locale=_changed(start.locale, language, LOCALES),
                game=_changed(
                    start.game, game, [p.header.id for p in desk.shelf.current.library.packs]
                ),
                private=start.private if private is None else private,
            )
            try:
                if wanted != before:
                    await kept.save_server(interaction.guild_id, wanted)
            except StoreError:
                await sending.respond(interaction, said(said_in("settings.not_saved")))
                return
            words = desk.settings_words(wanted, who.locale)
            key = "settings.saved" if wanted != before else "settings.shown"
            await sending.respond(interaction, said(f"{said_in(key)}\n{words}"))

        await guard(interaction, "settings", run)

    return settings


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _changed(before: Any, wish: str | None, known: Collection[str]) -> Any:
    """Return a setting after ``wish``: left alone without a known one, taken back by ``ALL``."""
    if wish == ALL:
        return None
    return wish if wish in known else before


def _language(desk: Desk, kept: Kept, guard: Guard, texts: Texts) -> app_commands.Group:
    group = app_commands.Group(
        name=_name(texts, "command.language.name"),
        description=_name(texts, "command.language.description"),
    )

    @group.command(
        name=_name(texts, "command.language_set.name"),
        description=_name(texts, "command.language_set.description"),
    )
    @app_commands.rename(language=_name(texts, "option.language.name"))
    @app_commands.describe(language=_name(texts, "option.language.description"))
    @app_commands.choices(language=_languages(texts))
    async def set_language(interaction: Interaction, language: str) -> None:
        async def run() -> None:
            who = await asker(interaction, kept, language=language)
            said_in = desk.texts(who.locale)
            try:
                await kept.save_locale(interaction.user.id, who.locale)
            except StoreError:
                await sending.respond(interaction, said(said_in("settings.not_saved")))
                return
            await sending.respond(interaction, said(said_in("language_command.set")))

        await guard(interaction, "language", run)

    @group.command(
        name=_name(texts, "command.language_forget.name"),
        description=_name(texts, "command.language_forget.description"),
    )
    async def forget(interaction: Interaction) -> None:
        async def run() -> None:
            who = await asker(interaction, kept)
            said_in = desk.texts(who.locale)
            try:
                held = await kept.forget(interaction.user.id)
            except StoreError:
                await sending.respond(interaction, said(said_in("settings.not_saved")))
                return
            key = "language_command.forgotten" if held else "language_command.nothing_kept"
            await sending.respond(interaction, said(said_in(key)))

        await guard(interaction, "forget", run)

    return group


def _plain(
    name: str, desk: Desk, kept: Kept, guard: Guard, texts: Texts
) -> app_commands.Command[Any, ..., Any]:
    @app_commands.command(
        name=_name(texts, f"command.{name}.name"),
        description=_name(texts, f"command.{name}.description"),
    )
    async def plain(interaction: Interaction) -> None:
        async def run() -> None:
            who = await asker(interaction, kept)
            reply = desk.about(who.locale) if name == "about" else desk.helped(who.locale)
            await sending.respond(interaction, reply)

        await guard(interaction, name, run)

    return plain


def _message_menu(desk: Desk, kept: Kept, guard: Guard, texts: Texts) -> app_commands.ContextMenu:
    async def find(interaction: Interaction, message: discord.Message) -> None:
        async def run() -> None:
            who: Asker = await asker(interaction, kept, private=True)
            await sending.respond(interaction, desk.lookup_message(message.content, who))

        await guard(interaction, "message", run)

    return app_commands.ContextMenu(name=_name(texts, "command.message.name"), callback=find)
