"""The Japanese of the commands: by key, for Japanese clients alone."""

import discord
import pytest
from discord.app_commands import (
    TranslationContext,
    TranslationContextLocation,
    locale_str,
)
from discord.app_commands.translator import OtherTranslationContext

from bot.chat.translator import Translator
from bot.i18n import Catalogue


@pytest.fixture
def translator(catalogue: Catalogue) -> Translator:
    return Translator(catalogue)


async def translated(
    translator: Translator, string: locale_str, locale: discord.Locale
) -> str | None:
    context: OtherTranslationContext = TranslationContext(
        location=TranslationContextLocation.other, data=None
    )
    return await translator.translate(string, locale, context)


@pytest.mark.asyncio
async def test_a_text_with_a_key_is_looked_up(translator: Translator, catalogue: Catalogue) -> None:
    string = locale_str("infraction", key="command.infraction.name")
    assert await translated(translator, string, discord.Locale.japanese) == (
        catalogue["ja"]("command.infraction.name")
    )


@pytest.mark.asyncio
async def test_a_text_may_bring_its_japanese(translator: Translator) -> None:
    string = locale_str("Demo", ja="デモ")
    assert await translated(translator, string, discord.Locale.japanese) == "デモ"


@pytest.mark.asyncio
async def test_a_text_without_either_stays(translator: Translator) -> None:
    assert await translated(translator, locale_str("x"), discord.Locale.japanese) is None


@pytest.mark.asyncio
async def test_other_clients_get_what_the_commands_are_registered_in(
    translator: Translator,
) -> None:
    string = locale_str("infraction", key="command.infraction.name")
    for locale in discord.Locale:
        if locale is not discord.Locale.japanese:
            assert await translated(translator, string, locale) is None


@pytest.mark.asyncio
async def test_a_key_that_is_nowhere_is_an_error(translator: Translator) -> None:
    with pytest.raises(KeyError):
        await translated(translator, locale_str("x", key="no.such.key"), discord.Locale.japanese)
