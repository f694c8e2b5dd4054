"""Names and descriptions of commands in Japanese, for the clients that show Japanese."""

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.i18n import Catalogue


class Translator(app_commands.Translator):
    """Looks a command's texts up by their key; English is what they are registered in."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._texts = catalogue["ja"]

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - discord.py passes it
    ) -> str | None:
        """Return ``string`` in ``locale``, None where the English text stands."""
        if locale is not discord.Locale.japanese:
            return None
        key = string.extras.get("key")
        return self._texts(key) if key else string.extras.get("ja")
