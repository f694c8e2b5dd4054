"""The commands as they are registered: within Discord's rules, in both languages, where they belong."""

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.chat.client import Client
from bot.chat.desk import Desk
from bot.chat.translator import Translator
from bot.i18n import Catalogue
from bot.policy.pack import Library
from bot.store.keeper import Kept
from bot.store.store import Store
from tests.e2e.standin.command_limits import check_commands

SUBCOMMAND, STRING, BOOLEAN = 1, 3, 5
SLASH, MESSAGE = 1, 3
SERVER, BOT_DM, OTHER_DM = 0, 1, 2
MANAGE_SERVER = 1 << 5
Part = dict[str, Any]


@pytest.fixture
def client(desk: Desk, tmp_path: Path) -> Client:
    """The bot as it is made at the start; it is never connected."""
    return Client(desk, Kept(Store(f"sqlite:///{tmp_path / 'kept.db'}")))


async def payload(client: Client, catalogue: Catalogue) -> dict[str, Part]:
    """What is registered, by English name."""
    translator = Translator(catalogue)
    found = [
        await command.get_translated_payload(client.tree, translator)
        for command in client.tree.get_commands()
    ]
    return {part["name"]: part for part in found}


def walk(part: Part, path: str = "") -> Iterator[tuple[str, Part]]:
    """Yield a command and everything in it that has a name and a description."""
    path = f"{path}/{part['name']}"
    yield path, part
    for option in part.get("options") or ():
        yield from walk(option, path)


def choices(part: Part) -> list[Part]:
    return list(part.get("choices") or ())


def names(part: Part) -> list[str]:
    return [part["name"], *(part.get("name_localizations") or {}).values()]


def descriptions(part: Part) -> list[str]:
    return [part["description"], *(part.get("description_localizations") or {}).values()]


def valid_name(name: str) -> bool:
    r"""Tell whether ``name`` fits ^[-_'\p{L}\p{N}]{1,32}$ and is lower case."""
    allowed = all(c in "-_'" or unicodedata.category(c)[0] in "LN" for c in name)
    return 1 <= len(name) <= 32 and allowed and name == name.lower()


@pytest.mark.asyncio
async def test_discord_takes_every_command(client: Client, catalogue: Catalogue) -> None:
    found = await payload(client, catalogue)
    check_commands(list(found.values()))
    assert sorted(found) == [
        "Find the infraction",
        "about",
        "help",
        "infraction",
        "language",
        "penalties",
        "settings",
    ]


@pytest.mark.asyncio
async def test_names_and_descriptions_are_within_discords_rules(
    client: Client, catalogue: Catalogue
) -> None:
    for command in (await payload(client, catalogue)).values():
        for path, part in walk(command):
            if command["type"] == MESSAGE:
                assert all(1 <= len(name) <= 32 for name in names(part)), path
                assert not part.get("description")
                continue
            assert all(map(valid_name, names(part))), path
            assert all(1 <= len(text) <= 100 for text in descriptions(part)), path
            assert len(part.get("options") or ()) <= 25, path
            assert len(choices(part)) <= 25, path
            for choice in choices(part):
                assert all(1 <= len(name) <= 100 for name in names(choice)), path
                assert 1 <= len(choice["value"]) <= 100, path


@pytest.mark.asyncio
async def test_no_two_parts_beside_each_other_have_one_name_in_either_language(
    client: Client, catalogue: Catalogue
) -> None:
    found = await payload(client, catalogue)
    slash = [c for c in found.values() if c["type"] == SLASH]
    families = [slash]
    for command in slash:
        families.extend(part.get("options") or [] for _, part in walk(command))
        families.extend(choices(part) for _, part in walk(command))
    for family in families:
        for language in ("en", "ja"):
            shown = [in_language(part, language) for part in family]
            assert len(set(shown)) == len(shown), shown


def in_language(part: Part, language: str) -> str:
    found = (part.get("name_localizations") or {}).get(language, part["name"])
    assert isinstance(found, str)
    return found


def size(part: Part) -> int:
    """The characters of names, descriptions and values, the longest wording of each."""
    own = max(map(len, names(part))) + max(
        map(len, descriptions(part) if "description" in part else [""])
    )
    own += sum(max(map(len, names(choice))) + len(choice["value"]) for choice in choices(part))
    return own + sum(size(option) for option in part.get("options") or ())


@pytest.mark.asyncio
async def test_a_command_has_at_most_8000_characters(client: Client, catalogue: Catalogue) -> None:
    for name, command in (await payload(client, catalogue)).items():
        assert size(command) <= 8000, name


@pytest.mark.asyncio
async def test_everything_is_there_in_both_languages(client: Client, catalogue: Catalogue) -> None:
    for command in (await payload(client, catalogue)).values():
        for path, part in walk(command):
            assert set(part["name_localizations"]) == {"ja"}, path
            assert not part["name_localizations"]["ja"].isascii(), path
            assert part["name"].isascii(), path
            if "description" in part:
                assert set(part["description_localizations"]) == {"ja"}, path
                assert not part["description_localizations"]["ja"].isascii(), path
                assert part["description"].isascii(), path


@pytest.mark.asyncio
async def test_games_are_offered_by_the_names_they_have_in_each_language(
    client: Client, catalogue: Catalogue, library: Library
) -> None:
    offered = 0
    for command in (await payload(client, catalogue)).values():
        for path, part in walk(command):
            if part["name"] != "game":
                continue
            offered += 1
            made = {choice["value"]: choice for choice in choices(part)}
            assert set(made) - {"all"} == {pack.header.id for pack in library.packs}, path
            assert ("all" in made) is path.startswith("/settings/")
            for pack in library.packs:
                choice = made[pack.header.id]
                assert choice["name"] == pack.header.game.en
                assert choice["name_localizations"]["ja"] == pack.header.game.ja
    assert offered == 3


@pytest.mark.asyncio
async def test_languages_are_offered_by_their_own_names(
    client: Client, catalogue: Catalogue
) -> None:
    for command in (await payload(client, catalogue)).values():
        for path, part in walk(command):
            if part["name"] == "language" and part["type"] == STRING:
                made = {choice["value"]: choice["name"] for choice in choices(part)}
                assert (made["ja"], made["en"]) == ("日本語", "English")
                assert ("all" in made) is path.startswith("/settings/")


@pytest.mark.asyncio
async def test_settings_are_for_those_who_manage_a_server_and_only_there(
    client: Client, catalogue: Catalogue
) -> None:
    found = await payload(client, catalogue)
    settings = found["settings"]
    assert settings["default_member_permissions"] == MANAGE_SERVER
    assert settings["contexts"] == [SERVER]
    assert settings["integration_types"] == [0]
    assert {option["name"] for option in settings["options"]} == {
        "language",
        "game",
        "private",
        "reset",
    }
    assert not any(option.get("required") for option in settings["options"])


@pytest.mark.asyncio
async def test_everything_else_is_for_everyone_everywhere(
    client: Client, catalogue: Catalogue
) -> None:
    for name, command in (await payload(client, catalogue)).items():
        if name != "settings":
            assert command["default_member_permissions"] is None, name
            assert sorted(command["contexts"]) == [SERVER, BOT_DM, OTHER_DM], name
            assert sorted(command["integration_types"]) == [0, 1], name
            assert not command.get("nsfw"), name


@pytest.mark.asyncio
async def test_only_the_question_itself_has_to_be_given(
    client: Client, catalogue: Catalogue
) -> None:
    found = await payload(client, catalogue)
    options = {option["name"]: option for option in found["infraction"]["options"]}
    assert list(options) == ["query", "game", "language", "private"]
    assert options["query"]["required"]
    assert options["query"]["autocomplete"]
    assert options["private"]["type"] == BOOLEAN
    assert not any(options[name].get("required") for name in ("game", "language", "private"))
    assert not any(option.get("required") for option in found["penalties"]["options"])
    for name in ("about", "help"):
        assert not found[name]["options"]
    parts = {part["name"]: part for part in found["language"]["options"]}
    assert set(parts) == {"set", "forget"}
    assert all(part["type"] == SUBCOMMAND for part in parts.values())
    assert [option["name"] for option in parts["set"]["options"]] == ["language"]
    assert parts["set"]["options"][0]["required"]
    assert not parts["forget"]["options"]


def test_the_bot_asks_for_no_intent_and_mentions_nobody(client: Client) -> None:
    assert client.intents.value == 0
    assert client.allowed_mentions
    allowed: object = client.allowed_mentions.to_dict()
    assert allowed == {"parse": []}
    assert not client.cached_messages


def test_the_menu_of_a_message_is_one_of_the_commands(client: Client) -> None:
    menus = client.tree.get_commands(type=discord.AppCommandType.message)
    assert [menu.name for menu in menus] == ["Find the infraction"]
    assert set(menus) <= set(client.tree.get_commands())
