"""Who asks, and what they are answered in: from the command, their settings, and the place."""

from dataclasses import dataclass
from typing import Any

import discord

from bot.policy.texts import Locale
from bot.store.keeper import Kept


@dataclass(frozen=True, slots=True)
class Asker:
    """One person asking in one place."""

    id: int
    locale: Locale
    game: str | None
    private: bool


async def asker(
    interaction: discord.Interaction[Any],
    kept: Kept,
    *,
    language: str | None = None,
    game: str | None = None,
    private: bool | None = None,
) -> Asker:
    """Return who asks.

    Language: the option, else the person's own, their client's, the server's setting, the server's
    own, else English. Private unless the server or the option says otherwise where the bot is not a
    member: a guest does not speak up.
    """
    own = None if language else await kept.locale_of(interaction.user.id)
    server = await kept.server(interaction.guild_id) if interaction.guild_id else None
    wishes = (
        language,
        own,
        _locale(interaction.locale),
        server.locale if server else None,
        _locale(interaction.guild_locale),
    )
    locale: Locale = "ja" if next(filter(None, wishes), "en") == "ja" else "en"
    if private is None and server:
        private = server.private
    if private is None:
        private = interaction.guild_id is not None and not interaction.is_guild_integration()
    return Asker(
        id=interaction.user.id,
        locale=locale,
        game=game or (server.game if server else None),
        private=private,
    )


def _locale(named: discord.Locale | None) -> Locale | None:
    """Return the language of a Discord locale if it is one of ours."""
    if named is None:
        return None
    language = named.value.partition("-")[0]
    return "ja" if language == "ja" else "en" if language == "en" else None
