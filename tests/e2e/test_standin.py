"""The stand-in itself: what it refuses, how it fails on purpose, and a real client against it."""

import asyncio
import copy
import json
import os
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.conftest import ROOT
from tests.e2e import launcher
from tests.e2e.standin import Exchange, NotSentError, StandIn, command_limits, faults
from tests.e2e.standin.schema import load
from tests.e2e.standin.server import HOST

pytestmark = pytest.mark.asyncio

OPENAPI = ROOT.parent / "shared" / "discord" / "openapi.json"
BLUSH, WIDE = "\U0001f633", "語"


# A client without a library, for what no library would send.


class Raw:
    """Sends requests as they are."""

    def __init__(self, standin: StandIn, session: aiohttp.ClientSession) -> None:
        self._standin = standin
        self.session = session

    async def call(
        self, method: str, path: str, body: Any = None, **options: Any
    ) -> tuple[int, Any]:
        headers = {"Authorization": f"Bot {self._standin.token}"} | options.pop("headers", {})
        url = self._standin.api + path
        async with self.session.request(
            method, url, json=body, headers=headers, **options
        ) as response:
            text = await response.text()
            is_json = response.headers.get("Content-Type") == "application/json"
            return response.status, json.loads(text) if is_json else text

    async def register(self, *commands: dict[str, Any]) -> tuple[int, Any]:
        path = f"/applications/{self._standin.application_id}/commands"
        return await self.call("PUT", path, list(commands))

    async def open(self, name: str = "ask", **options: Any) -> Exchange:
        user = self._standin.create.user("ann")
        return await self._standin.interact.command(name, options, user=user)

    async def answer(self, opened: Exchange, kind: int, data: Any = None) -> tuple[int, Any]:
        path = f"/interactions/{opened.id}/{opened.token}/callback"
        return await self.call("POST", path, {"type": kind, "data": data})

    def hook(self, opened: Exchange, rest: str = "") -> str:
        return f"/webhooks/{self._standin.application_id}/{opened.token}{rest}"


ASK = {
    "name": "ask",
    "description": "Asks",
    "options": [
        {"type": 3, "name": "text", "description": "d", "max_length": 5, "autocomplete": True}
    ],
}


@asynccontextmanager
async def raw(**options: Any) -> AsyncIterator[tuple[StandIn, Raw]]:
    async with StandIn(OPENAPI, **options) as standin, aiohttp.ClientSession() as session:
        client = Raw(standin, session)
        assert (await client.register(ASK))[0] == 200
        yield standin, client
    assert asyncio.all_tasks() == {asyncio.current_task()}, "nothing is left running"


def errors_at(body: Any, path: str) -> list[str]:
    """The codes of a refusal at a place written with dots."""
    node = body["errors"]
    for key in filter(None, path.split(".")):
        node = node.get(key, {})
    return [error["code"] for error in node.get("_errors", [])]


def button(number: int = 0, **more: Any) -> dict[str, Any]:
    made = {"type": 2, "style": 1, "label": "b", "custom_id": f"b{number}"} | more
    return {key: value for key, value in made.items() if value is not None}


def row(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(parts)}


def buttons(count: int) -> dict[str, Any]:
    return row(*(button(number) for number in range(count)))


def select(options: int = 1, **more: Any) -> dict[str, Any]:
    offered = [{"label": "o", "value": str(number)} for number in range(options)]
    return {"type": 3, "custom_id": "s", "options": offered} | more


def choice(**more: Any) -> dict[str, Any]:
    return select(options=0, options_=None) | {"options": [{"label": "o", "value": "v"} | more]}


def embed(**more: Any) -> dict[str, Any]:
    return {"embeds": [{"title": "t"} | more]}


def fields(count: int, **more: Any) -> dict[str, Any]:
    return embed(fields=[{"name": "n", "value": "v"} | more] * count)


def rows(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"components": list(entries)}


def six_thousand(extra: int) -> dict[str, Any]:
    return {"embeds": [{"description": "x" * 4000}, {"description": "x" * (2000 + extra)}]}


# What is accepted at the limit, what is one over it, where and how it is refused.
MAX, BAD, MISSING = "BASE_TYPE_MAX_LENGTH", "BASE_TYPE_BAD_LENGTH", "BASE_TYPE_REQUIRED"
MESSAGES: dict[str, tuple[dict[str, Any] | None, dict[str, Any], str, str]] = {
    "content": ({"content": BLUSH * 2000}, {"content": BLUSH * 2001}, "content", MAX),
    "embeds": (
        {"embeds": [{"title": "t"}] * 10},
        {"embeds": [{"title": "t"}] * 11},
        "embeds",
        MAX,
    ),
    "embed title": (embed(title=WIDE * 256), embed(title=WIDE * 257), "embeds.0.title", MAX),
    "description": (
        embed(description=BLUSH * 4096),
        embed(description=BLUSH * 4097),
        "embeds.0.description",
        MAX,
    ),
    "fields": (fields(25), fields(26), "embeds.0.fields", MAX),
    "field name": (
        fields(1, name="x" * 256),
        fields(1, name="x" * 257),
        "embeds.0.fields.0.name",
        MAX,
    ),
    "no field name": (None, fields(1, name=""), "embeds.0.fields.0.name", MISSING),
    "field value": (
        fields(1, value="x" * 1024),
        fields(1, value="x" * 1025),
        "embeds.0.fields.0.value",
        MAX,
    ),
    "blank field value": (None, fields(1, value="  "), "embeds.0.fields.0.value", MISSING),
    "footer": (
        embed(footer={"text": "x" * 2048}),
        embed(footer={"text": "x" * 2049}),
        "embeds.0.footer.text",
        MAX,
    ),
    "author": (
        embed(author={"name": "x" * 256}),
        embed(author={"name": "x" * 257}),
        "embeds.0.author.name",
        MAX,
    ),
    "all embeds": (six_thousand(0), six_thousand(1), "embeds", "MAX_EMBED_SIZE_EXCEEDED"),
    "colour": (embed(color=0xFFFFFF), embed(color=0x1000000), "embeds.0.color", "NUMBER_TYPE_MAX"),
    "empty embed": (None, {"embeds": [{"color": 1}]}, "embeds.0.description", MISSING),
    "embed url": (
        embed(url="https://e.x"),
        embed(url="e.x"),
        "embeds.0.url",
        "URL_TYPE_INVALID_URL",
    ),
    "rows": (
        rows(*(row(button(n)) for n in range(5))),
        rows(*(row(button(n)) for n in range(6))),
        "components",
        BAD,
    ),
    "empty row": (None, rows(row()), "components.0.components", BAD),
    "buttons": (
        rows(buttons(5)),
        rows(buttons(6)),
        "components.0.components.5",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "select alone": (
        rows(row(select()), buttons(1)),
        rows(row(select(), button())),
        "components.0.components.1",
        "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
    ),
    "custom id": (
        rows(row(button(custom_id="x" * 100))),
        rows(row(button(custom_id="x" * 101))),
        "components.0.components.0.custom_id",
        BAD,
    ),
    "same custom id": (
        rows(row(button(1)), row(button(2))),
        rows(row(button(1)), row(button(1))),
        "components.1.components.0.custom_id",
        "COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "no custom id": (
        None,
        rows(row(button(custom_id=None))),
        "components.0.components.0.custom_id",
        "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED",
    ),
    "button label": (
        rows(row(button(label="x" * 80))),
        rows(row(button(label="x" * 81))),
        "components.0.components.0.label",
        MAX,
    ),
    "bare button": (
        rows(row(button(label=None, emoji={"name": "\u25c0\ufe0f"}))),
        rows(row(button(label=None))),
        "components.0.components.0",
        "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
    ),
    "emoji": (
        rows(row(button(emoji={"name": "1\ufe0f\u20e3"}))),
        rows(row(button(emoji={"name": "\u25b2"}))),
        "components.0.components.0.emoji.name",
        "BUTTON_COMPONENT_INVALID_EMOJI",
    ),
    "link": (
        rows(row(button(style=5, custom_id=None, url="https://e.x"))),
        rows(row(button(style=5, custom_id=None))),
        "components.0.components.0.url",
        "BUTTON_COMPONENT_URL_REQUIRED",
    ),
    "link with custom id": (
        None,
        rows(row(button(style=5, url="https://e.x"))),
        "components.0.components.0",
        "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    "options": (
        rows(row(select(25))),
        rows(row(select(26))),
        "components.0.components.0.options",
        BAD,
    ),
    "no options": (None, rows(row(select(0))), "components.0.components.0.options", BAD),
    "placeholder": (
        rows(row(select(placeholder="x" * 150))),
        rows(row(select(placeholder="x" * 151))),
        "components.0.components.0.placeholder",
        MAX,
    ),
    "max values": (
        rows(row(select(2, max_values=2))),
        rows(row(select(2, max_values=3))),
        "components.0.components.0.max_values",
        "NUMBER_TYPE_MAX",
    ),
    "min values": (
        rows(row(select(min_values=0))),
        rows(row(select(min_values=-1))),
        "components.0.components.0.min_values",
        "NUMBER_TYPE_MIN",
    ),
    **{
        f"option {key}": (
            rows(row(choice(**{key: "x" * 100}))),
            rows(row(choice(**{key: "x" * 101}))),
            f"components.0.components.0.options.0.{key}",
            MAX if key == "description" else BAD,
        )
        for key in ("label", "value", "description")
    },
    "same option value": (
        None,
        rows(
            row(
                select() | {"options": [{"label": "a", "value": "v"}, {"label": "b", "value": "v"}]}
            )
        ),
        "components.0.components.0.options.1.value",
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "mentions": (
        {"content": "x", "allowed_mentions": {"parse": ["users"]}},
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "allowed_mentions",
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
async def test_a_message_is_held_to_its_limits_however_it_is_sent(name: str) -> None:
    accepted, refused, path, code = MESSAGES[name]
    async with raw() as (_, client):
        opened = await client.open()
        status, body = await client.answer(opened, 4, refused)
        assert (status, body["code"]) == (400, 50035)
        assert code in errors_at(body, f"data.{path}")
        assert not opened.settled, "a refused answer acknowledges nothing"
        good = {"content": "x"} if accepted is None else accepted
        assert (await client.answer(opened, 4, good))[0] == 204, "at the limit"
        for method, rest in (("POST", ""), ("PATCH", "/messages/@original")):
            status, body = await client.call(method, client.hook(opened, rest), refused)
            assert (status, body["code"]) == (400, 50035)
            assert code in errors_at(body, path)
            assert (await client.call(method, client.hook(opened, rest), good))[0] == 200


@pytest.mark.parametrize("body", [{}, {"content": ""}, {"content": " \n"}, {"embeds": []}])
async def test_an_empty_message_is_refused(body: dict[str, Any]) -> None:
    async with raw() as (_, client):
        opened = await client.open()
        status, refusal = await client.answer(opened, 4, body)
        assert (status, refusal["code"]) == (400, 50006)


def suggestions(count: int = 1, **more: Any) -> dict[str, Any]:
    return {"choices": [{"name": "n", "value": "v"} | more] * count}


@pytest.mark.parametrize(
    ("accepted", "refused", "path", "code"),
    [
        (suggestions(25), suggestions(26), "choices", MAX),
        (suggestions(name="x" * 100), suggestions(name="x" * 101), "choices.0.name", BAD),
        (suggestions(0), suggestions(name=""), "choices.0.name", BAD),
        (suggestions(value="x" * 100), suggestions(value="x" * 101), "choices.0.value", MAX),
    ],
)
async def test_suggestions_are_held_to_their_limits(
    accepted: dict[str, Any], refused: dict[str, Any], path: str, code: str
) -> None:
    async with raw() as (standin, client):
        user = standin.create.user("ann")
        opened = await standin.interact.autocomplete("ask", {"text": ""}, focused="text", user=user)
        status, body = await client.answer(opened, 8, refused)
        assert status == 400
        assert errors_at(body, f"data.{path}") == [code]
        assert (await client.answer(opened, 4, {"content": "x"}))[0] == 400, "only choices answer"
        assert (await client.answer(opened, 8, accepted))[0] == 204
        assert opened.choices == accepted["choices"]


def command(**more: Any) -> dict[str, Any]:
    return {"name": "c", "description": "d"} | more


def option(**more: Any) -> dict[str, Any]:
    return {"type": 3, "name": "o", "description": "d"} | more


def options(count: int, **more: Any) -> dict[str, Any]:
    return command(options=[option(name=f"o{number}", **more) for number in range(count)])


def choices(count: int, **more: Any) -> dict[str, Any]:
    offered = [{"name": f"n{number}", "value": "v"} | more for number in range(count)]
    return command(options=[option(choices=offered)])


def large(extra: int) -> dict[str, Any]:
    """A command of 8000 characters and some, its longest wordings counted."""
    made = options(25, choices=[{"name": f"{n:02}", "value": "x" * 100} for n in range(3)])
    made["options"] = made["options"][:25]
    lacking = 8000 + extra - command_limits.size(made)
    for entry in made["options"]:
        add = min(lacking, 99)
        if add <= 0:
            break
        entry["description_localizations"] = {"ja": "説" * (1 + add)}
        lacking -= add
    assert command_limits.size(made) == 8000 + extra
    return made


MENU = {"type": 3, "name": "この裁定を調べる"}
INVALID_NAME = "APPLICATION_COMMAND_INVALID_NAME"
COMMANDS: dict[str, tuple[dict[str, Any] | None, dict[str, Any], str, str]] = {
    "name": (command(name="裁" * 32), command(name="裁" * 33), "name", BAD),
    "no name": (None, command(name=""), "name", BAD),
    "upper case": (command(name="裁定-ask_it'"), command(name="Ask"), "name", INVALID_NAME),
    "blank in name": (command(name="कमांड"), command(name="a b"), "name", INVALID_NAME),
    "middle dot": (
        command(name="ポケモンカード"),
        command(name="ポケモン・カード"),
        "name",
        INVALID_NAME,
    ),
    "description": (
        command(description="x" * 100),
        command(description="x" * 101),
        "description",
        BAD,
    ),
    "no description": (None, command(description=""), "description", BAD),
    "options": (options(25), options(26), "options", MAX),
    "option name": (None, command(options=[option(name="A")]), "options.0.name", INVALID_NAME),
    "option text": (
        command(options=[option(description="x" * 100)]),
        command(options=[option(description="x" * 101)]),
        "options.0.description",
        BAD,
    ),
    "required last": (
        command(options=[option(name="a", required=True), option(name="b")]),
        command(options=[option(name="a"), option(name="b", required=True)]),
        "options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "choices": (choices(25), choices(26), "options.0.choices", MAX),
    "choice name": (
        choices(1, name="x" * 100),
        choices(1, name="x" * 101),
        "options.0.choices.0.name",
        BAD,
    ),
    "choice value": (
        choices(1, value="x" * 100),
        choices(1, value="x" * 101),
        "options.0.choices.0.value",
        MAX,
    ),
    "locale": (
        command(name_localizations={"ja": "あ"}),
        command(name_localizations={"jp": "あ"}),
        "name_localizations.jp",
        "BASE_TYPE_CHOICES",
    ),
    "localised name": (
        command(name_localizations={"ja": "裁定"}),
        command(name_localizations={"ja": "裁 定"}),
        "name_localizations.ja",
        INVALID_NAME,
    ),
    "localised text": (
        command(description_localizations={"ja": "x" * 100}),
        command(description_localizations={"ja": "x" * 101}),
        "description_localizations.ja",
        BAD,
    ),
    "total": (large(0), large(1), "", "APPLICATION_COMMAND_TOO_LARGE"),
    "contexts": (
        command(contexts=[0, 1, 2]),
        command(contexts=[3]),
        "contexts.0",
        "BASE_TYPE_CHOICES",
    ),
    "installations": (
        command(integration_types=[0, 1]),
        command(integration_types=[2]),
        "integration_types.0",
        "BASE_TYPE_CHOICES",
    ),
    "max length": (
        command(options=[option(max_length=6000)]),
        command(options=[option(max_length=6001)]),
        "options.0.max_length",
        "NUMBER_TYPE_MAX",
    ),
    "menu name": (MENU | {"name": "A b" + "x" * 29}, MENU | {"name": "x" * 33}, "name", BAD),
    "menu text": (
        MENU,
        MENU | {"description": "d"},
        "description",
        "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID",
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_command_is_held_to_its_limits(name: str) -> None:
    accepted, refused, path, code = COMMANDS[name]
    async with raw() as (standin, client):
        status, body = await client.register(copy.deepcopy(ASK), refused)
        assert (status, body["code"]) == (400, 50035)
        assert code in errors_at(body, f"1.{path}")
        assert [entry["name"] for entry in standin.commands.listed(None)] == ["ask"]
        if accepted is not None:
            assert (await client.register(accepted))[0] == 200, "at the limit"


async def test_at_most_a_hundred_commands_with_names_of_their_own() -> None:
    async with raw() as (_, client):
        hundred = [command(name=f"c{number}") for number in range(100)]
        assert (await client.register(*hundred))[0] == 200
        status, body = await client.register(*hundred, command(name="more"))
        assert (status, body["code"]) == (400, 30032)
        assert (await client.register(command(), command()))[1]["code"] == 50035


async def test_a_command_that_stays_keeps_its_id() -> None:
    async with raw() as (standin, client):
        _, (before,) = await client.register(ASK)
        _, (_, after) = await client.register(command(), ASK)
        assert before["id"] == after["id"]
        path = f"/applications/{standin.application_id}/guilds/{standin.create.guild().id}/commands"
        status, made = await client.call("POST", path, command())
        assert (status, made["type"]) == (201, 1)
        assert [entry["id"] for entry in (await client.call("GET", path))[1]] == [made["id"]]


# Answers that come too late, twice, or with a wrong token.


async def test_the_first_answer_has_three_seconds() -> None:
    async with raw() as (standin, client):
        opened = await client.open()
        standin.advance(3.1)
        assert (await opened.response()).unanswered
        status, body = await client.answer(opened, 4, {"content": "late"})
        assert (status, body) == (404, {"message": "Unknown interaction", "code": 10062})
        assert (await client.call("POST", client.hook(opened), {"content": "x"}))[1][
            "code"
        ] == 10015


async def test_there_is_one_first_answer() -> None:
    async with raw() as (_, client):
        opened = await client.open()
        assert (await client.answer(opened, 5))[0] == 204
        status, body = await client.answer(opened, 4, {"content": "again"})
        assert (status, body["code"]) == (400, 40060)


async def test_a_token_works_for_fifteen_minutes() -> None:
    async with raw() as (standin, client):
        opened = await client.open()
        await client.answer(opened, 4, {"content": "x"})
        standin.advance(14 * 60)
        assert (await client.call("POST", client.hook(opened), {"content": "y"}))[0] == 200
        standin.advance(61)
        status, body = await client.call("PATCH", client.hook(opened, "/messages/@original"), {})
        assert (status, body["code"]) == (401, 50027)
        path = f"/webhooks/1/{opened.token}"
        assert (await client.call("POST", path, {"content": "x"}))[1]["code"] == 10015


async def test_a_wrong_token_is_refused_everywhere() -> None:
    async with raw() as (standin, client):
        wrong = {"Authorization": "Bot wrong"}
        refusal = (401, {"message": "401: Unauthorized", "code": 0})
        assert await client.call("GET", "/users/@me", headers=wrong) == refusal
        async with client.session.ws_connect(standin.gateway.url) as socket:
            assert (await socket.receive_json())["op"] == 10
            await socket.send_json({"op": 2, "d": {"token": "wrong", "intents": 0}})
            assert (await socket.receive()).data == 4004
        assert not standin.gateway.sessions
        assert "wrong" not in str(standin.records)


async def test_a_deferral_is_filled_by_the_first_follow_up_and_edits_keep_what_they_leave_out() -> (
    None
):
    async with raw() as (_, client):
        opened = await client.open()
        await client.answer(opened, 5, {"flags": 64})
        assert opened.message.loading
        await client.call("POST", client.hook(opened), {"content": "x", "embeds": [{"title": "t"}]})
        message = await opened.shown()
        assert (message.ephemeral, message.text, opened.follow_ups) == (True, "x\nt", [])
        original = client.hook(opened, "/messages/@original")
        assert (await client.call("PATCH", original, {"content": "y"}))[1]["embeds"]
        assert (await opened.edited()).text == "y\nt"
        assert (await client.call("PATCH", original, {"content": "", "embeds": []}))[1][
            "code"
        ] == 50006
        assert (await client.call("DELETE", original))[0] == 204
        assert (await client.call("GET", original))[1]["code"] == 10008


async def test_only_an_app_of_the_user_is_held_to_five_follow_ups() -> None:
    async with raw() as (standin, client):
        await client.register(ASK | {"integration_types": [0, 1], "contexts": [0, 1, 2]})
        user = standin.create.user("ann")
        opened = await standin.interact.command("ask", {}, user=user, context=2)
        assert opened.payload["authorizing_integration_owners"] == {"1": user.id}
        await client.answer(opened, 4, {"content": "x"})
        for _ in range(5):
            assert (await client.call("POST", client.hook(opened), {"content": "x"}))[0] == 200
        assert (await client.call("POST", client.hook(opened), {"content": "x"}))[1][
            "code"
        ] == 40094


@pytest.mark.parametrize(
    ("allowed", "pinged"),
    [
        (None, ["@everyone", "<@5>", "<@&6>"]),
        ({"parse": []}, []),
        ({"parse": ["users"]}, ["<@5>"]),
        ({"parse": [], "roles": ["6"]}, ["<@&6>"]),
    ],
)
async def test_who_would_be_notified_is_noted(allowed: Any, pinged: list[str]) -> None:
    async with raw() as (_, client):
        opened = await client.open()
        body = {"content": "@everyone <@5> <@&6>"} | (
            {"allowed_mentions": allowed} if allowed else {}
        )
        await client.answer(opened, 4, body)
        assert (opened.message.pings, opened.message.allowed_mentions) == (pinged, allowed)


async def test_what_the_client_would_not_send_is_refused() -> None:
    async with raw() as (standin, client):
        with pytest.raises(NotSentError, match="no command"):
            await client.open("other")
        with pytest.raises(NotSentError, match="has no option"):
            await client.open(unknown="x")
        with pytest.raises(NotSentError, match="at most 5"):
            await client.open(text="123456")
        with pytest.raises(NotSentError, match="does not take"):
            await client.open(text=1)
        opened = await client.open(text="12345")
        await client.answer(opened, 4, rows(row(button(1, disabled=True))))
        with pytest.raises(NotSentError, match="disabled"):
            await standin.interact.click(opened.message, "b1", opened.user)
        with pytest.raises(NotSentError, match="shows no control"):
            await standin.interact.click(opened.message, "b2", opened.user)


# Failures on purpose.


async def test_faults_come_as_often_as_asked() -> None:
    async with raw() as (standin, client):
        standin.faults.add("GET", "^/users/@me$", status=503, times=2)
        statuses = [(await client.call("GET", "/users/@me"))[0] for _ in range(3)]
        assert statuses == [503, 503, 200]
        standin.faults.add("*", "^/gateway$", drop="before")
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await client.call("POST", "/gateway")
        standin.faults.add("*", faults.CALLBACK, drop="after")
        opened = await client.open()
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await client.answer(opened, 4, {"content": "x"})
        assert opened.message.content == "x", "carried out all the same"
        dropped = standin.records.of("POST", "^/gateway$")
        assert [entry.status for entry in dropped] == [None]


async def test_a_rate_limit_says_what_discord_says() -> None:
    async with raw() as (standin, client):
        standin.faults.add("GET", "@me$", status=429, retry_after=0.25, is_global=True)
        url = f"{standin.api}/users/@me"
        async with client.session.get(url) as response:
            assert response.status == 429
            told = await response.json()
            assert told == {
                "message": "You are being rate limited.",
                "retry_after": 0.25,
                "global": True,
            }
            assert response.headers["Retry-After"] == "1"
            assert response.headers["X-RateLimit-Remaining"] == "0"
            assert response.headers["X-RateLimit-Reset-After"] == "0.250"
            assert response.headers["X-RateLimit-Global"] == "true"


@pytest.mark.skipif(not OPENAPI.is_file(), reason="Discord's description is not at hand")
async def test_bodies_are_held_against_the_description() -> None:
    schema = load(OPENAPI)
    assert schema is not None
    path = "/interactions/{interaction_id}/{interaction_token}/callback"
    assert schema.fault("POST", path, {"type": 4, "data": {"content": "x"}}) is None
    assert schema.fault("POST", path, {"type": 4, "data": {"content": 1}}) is not None
    assert schema.fault("PUT", "/applications/{application_id}/commands", [ASK]) is None
    assert schema.fault("PUT", "/applications/{application_id}/commands", [{}]) is not None


# The gateway without a library.


async def read(socket: aiohttp.ClientWebSocketResponse, wanted: str | int) -> dict[str, Any]:
    """Read on until a message has this event or operation."""
    while True:
        payload: dict[str, Any] = await asyncio.wait_for(socket.receive_json(), 2)
        if wanted in (payload.get("t"), payload["op"]):
            return payload


async def test_heartbeats_are_answered_unless_told_otherwise() -> None:
    async with raw() as (standin, client):
        standin.gateway.heartbeat_interval = 0.5
        async with client.session.ws_connect(standin.gateway.url) as socket:
            assert (await read(socket, 10))["d"] == {"heartbeat_interval": 500}
            await socket.send_json({"op": 1, "d": None})
            await read(socket, 11)
            standin.gateway.acknowledges = False
            await socket.send_json({"op": 1, "d": None})
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(socket.receive(), 0.1)
        assert len(standin.records.events("heartbeat")) == 2


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"op": 3, "d": {}}, 4003),
        ({"op": 2, "d": {"shard": [2, 2], "intents": 0}}, 4010),
        ({"op": 2, "d": {"intents": 1 << 30}}, 4013),
        ({"op": 2, "d": {"intents": 1 << 15}}, 4014),
        ({"op": 6, "d": {"session_id": "x", "seq": 1, "token": "wrong"}}, 4004),
    ],
)
async def test_a_wrong_start_closes_the_connection(sent: dict[str, Any], code: int) -> None:
    async with raw() as (standin, client):
        sent = sent | {"d": {"token": standin.token} | sent["d"]}
        async with client.session.ws_connect(standin.gateway.url) as socket:
            await read(socket, 10)
            await socket.send_json(sent)
            assert (await socket.receive()).data == code


async def test_guilds_go_to_their_shard_and_missed_events_are_sent_again() -> None:
    async with raw(shards=2) as (standin, client):
        guilds = [standin.create.guild(shard=(number, 2)) for number in (0, 1, 1)]
        standin.create.guild(shard=(1, 2), bot_present=False)
        identify = {"token": standin.token, "intents": 1, "shard": [1, 2]}
        address = f"{standin.gateway.url}?compress=zlib-stream"
        unpack = zlib.decompressobj()
        async with client.session.ws_connect(address) as socket:
            assert json.loads(unpack.decompress(await socket.receive_bytes()))["op"] == 10
            await socket.send_json({"op": 2, "d": identify})
            ready = json.loads(unpack.decompress(await socket.receive_bytes()))
            shown = [guild["id"] for guild in ready["d"]["guilds"]]
            assert shown == [guild.id for guild in guilds[1:]]
            await socket.close(code=4000)
        await standin.gateway.wait_event("close")
        assert await standin.gateway.dispatch("TEST", {"n": 1}, guilds[1].id) == 1
        assert await standin.gateway.dispatch("TEST", {"n": 2}, guilds[0].id) == 0
        resume = {"token": standin.token, "session_id": ready["d"]["session_id"], "seq": 3}
        async with client.session.ws_connect(standin.gateway.url) as socket:
            await socket.send_json({"op": 6, "d": resume})
            assert (await read(socket, "TEST"))["d"] == {"n": 1}
            assert (await read(socket, "RESUMED"))["s"] == 5
        await standin.gateway.wait_event("close", 2)
        assert not standin.gateway.sessions, "a close with 1000 ends the session"
        async with client.session.ws_connect(standin.gateway.url) as socket:
            await socket.send_json({"op": 6, "d": resume})
            assert (await read(socket, 9))["d"] is False


# A real client.


class Controls(discord.ui.View):
    """A button that changes the message, and a select that answers anew."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="more", custom_id="more")
    async def more(self, interaction: discord.Interaction, _: discord.ui.Button[Any]) -> None:
        await interaction.response.edit_message(content="changed")

    @discord.ui.select(
        custom_id="pick", options=[discord.SelectOption(label=name) for name in ("a", "b")]
    )
    async def pick(self, interaction: discord.Interaction, chosen: discord.ui.Select[Any]) -> None:
        await interaction.response.send_message(chosen.values[0], ephemeral=True)


class Bot(discord.AutoShardedClient):
    """A small bot that does a little of everything."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.none(), guild_ready_timeout=0.01)
        self.failures: list[BaseException] = []
        self.tree = app_commands.CommandTree(self)
        for made in (self._echo(), self._slow(), self._controls(), self._menu()):
            self.tree.add_command(made)
        self.tree.error(self._failed)

    async def setup_hook(self) -> None:
        self.add_view(Controls())
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once."""

    async def _failed(self, _: discord.Interaction, error: app_commands.AppCommandError) -> None:
        self.failures.append(getattr(error, "original", error))

    def _echo(self) -> app_commands.Command[Any, Any, Any]:
        @app_commands.command(description="Says it again")
        async def echo(interaction: discord.Interaction, text: str) -> None:
            where = interaction.guild_id or "private"
            await interaction.response.send_message(f"{text} {interaction.locale} {where}")

        @echo.autocomplete("text")
        async def suggest(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            return [app_commands.Choice(name=typed * 2, value=typed)]

        return echo

    def _slow(self) -> app_commands.Command[Any, Any, Any]:
        @app_commands.command(description="Thinks")
        async def slow(interaction: discord.Interaction) -> None:
            await interaction.response.defer(thinking=True, ephemeral=True)
            await interaction.edit_original_response(content="done")
            more = await interaction.followup.send("and more", wait=True)
            await more.edit(content="and even more")

        return slow

    def _controls(self) -> app_commands.Command[Any, Any, Any]:
        @app_commands.command(description="Shows controls")
        async def controls(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("controls", view=Controls())

        return controls

    def _menu(self) -> app_commands.ContextMenu:
        async def shout(interaction: discord.Interaction, message: discord.Message) -> None:
            await interaction.response.send_message(message.content.upper())

        return app_commands.ContextMenu(name="Shout", callback=shout)


@asynccontextmanager
async def running(**options: Any) -> AsyncIterator[tuple[StandIn, Bot]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Route, "BASE", Route.BASE)
        patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
        async with StandIn(OPENAPI, **options) as standin:
            launcher.redirect(standin.url)
            bot = Bot()
            task = asyncio.create_task(bot.start(standin.token))
            try:
                await standin.gateway.wait_connected(standin.rest.shards)
                yield standin, bot
            finally:
                await bot.close()
                task.cancel()
                await asyncio.wait([task])
        await until(lambda: asyncio.all_tasks() == {asyncio.current_task()})


async def test_a_real_client_answers_commands() -> None:
    async with running() as (standin, _):
        ann, guild = standin.create.user("ann", "ja"), standin.create.guild(locale="en-GB")
        opened = await standin.interact.command("echo", {"text": "hi"}, user=ann)
        answer = await opened.response()
        assert (answer.type, answer.message.content) == (4, "hi ja private")
        assert 0 < answer.elapsed_ms < 3000
        opened = await standin.interact.command("echo", {"text": "hi"}, user=ann, guild=guild)
        assert (await opened.response()).message.content == f"hi ja {guild.id}"
        assert standin.records.events("identify")[0].data["intents"] == 0
        assert standin.records.events("connect")[0].data["compress"].endswith("-stream")


async def test_a_real_client_completes_and_reads_messages() -> None:
    async with running() as (standin, _):
        ann = standin.create.user("ann")
        typed = await standin.interact.autocomplete("echo", {"text": "x"}, focused="text", user=ann)
        assert (await typed.response()).choices == [{"name": "xx", "value": "x"}]
        opened = await standin.interact.message_menu("Shout", "hello", user=ann)
        assert (await opened.response()).message.content == "HELLO"


async def test_a_real_client_defers_edits_and_follows_up() -> None:
    async with running() as (standin, bot):
        opened = await standin.interact.command("slow", user=standin.create.user("ann"))
        assert (await opened.response()).type == 5
        assert (await opened.shown()).content == "done"
        assert opened.ephemeral
        further = await opened.follow_up()
        await opened.notice.until(lambda: bool(further.versions), 2)
        assert further.content == "and even more"
        assert not bot.failures


async def test_a_real_client_takes_buttons_and_selects() -> None:
    async with running() as (standin, _):
        ann = standin.create.user("ann")
        guild = standin.create.guild()
        opened = await standin.interact.command("controls", user=ann, guild=guild)
        message = (await opened.response()).message
        pressed = await standin.interact.click(message, "more", ann)
        assert (await pressed.response()).type == 7
        assert pressed.payload["guild_id"] == guild.id, "pressed where the message is"
        assert message.content == "changed"
        chosen = await standin.interact.click(message, "pick", ann, ["b"])
        assert (await chosen.response()).message.content == "b"
        assert chosen.ephemeral


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something only the bot knows."""
    async with asyncio.timeout(2):
        while not condition():
            await asyncio.sleep(0.005)


async def echoes(standin: StandIn) -> bool:
    opened = await standin.interact.command("echo", {"text": "x"}, user=standin.create.user("ann"))
    return not (await opened.response()).unanswered


async def close_4000(standin: StandIn) -> None:
    await standin.gateway.close(4000)


async def drop(standin: StandIn) -> None:
    standin.gateway.drop()


async def op_7(standin: StandIn) -> None:
    await standin.gateway.reconnect()


async def op_9(standin: StandIn) -> None:
    await standin.gateway.invalidate(resumable=True)


@pytest.mark.parametrize("cause", [close_4000, drop, op_7, op_9])
async def test_a_real_client_resumes(cause: Callable[[StandIn], Awaitable[None]]) -> None:
    async with running() as (standin, _):
        await cause(standin)
        await standin.gateway.wait_event("resumed")
        assert await echoes(standin)
        assert len(standin.records.events("identify")) == 1


async def forget_and_close(standin: StandIn) -> None:
    sessions = [entry.connection for entry in standin.gateway.sessions]
    standin.gateway.forget()
    for connection in sessions:
        assert connection is not None
        await connection.close(4000)


async def op_9_for_good(standin: StandIn) -> None:
    await standin.gateway.invalidate(resumable=False)


@pytest.mark.parametrize("cause", [op_9_for_good, forget_and_close])
async def test_a_real_client_starts_anew(cause: Callable[[StandIn], Awaitable[None]]) -> None:
    async with running() as (standin, _):
        await cause(standin)
        await standin.gateway.wait_event("ready", 2)
        assert await echoes(standin)


async def test_a_real_client_runs_several_shards() -> None:
    async with running(shards=2) as (standin, _):
        assert [session.shard for session in standin.gateway.sessions] == [(0, 2), (1, 2)]
        guild = standin.create.guild(shard=(1, 2))
        opened = await standin.interact.command(
            "echo", {"text": "x"}, user=guild.owner, guild=guild
        )
        assert opened.delivered == 1
        assert (await opened.response()).answered


async def test_a_real_client_waits_for_a_rate_limit_of_the_api_and_not_for_one_before_it() -> None:
    async with running() as (standin, bot):
        standin.faults.add("POST", faults.CALLBACK, status=429, retry_after=0.05)
        assert await echoes(standin)
        assert [entry.status for entry in standin.records.of("POST", faults.CALLBACK)] == [429, 200]
        standin.faults.add("POST", faults.CALLBACK, status=429, cloudflare=True)
        opened = await standin.interact.command("echo", {"text": "x"}, user=standin.create.owner)
        await until(lambda: bool(bot.failures))
        standin.advance(4)
        assert (await opened.response()).unanswered
        assert isinstance(bot.failures[0], discord.HTTPException)


async def test_a_real_client_hears_of_a_cut_connection() -> None:
    async with running() as (standin, bot):
        standin.faults.add("POST", faults.CALLBACK, drop="after")
        assert await echoes(standin)
        await until(lambda: bool(bot.failures))
        assert isinstance(bot.failures[0], aiohttp.ServerDisconnectedError)


async def test_a_real_client_with_a_wrong_token_gives_up() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Route, "BASE", Route.BASE)
        patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
        async with StandIn() as standin:
            launcher.redirect(standin.url)
            async with Bot() as bot:
                with pytest.raises(discord.LoginFailure):
                    await bot.start("wrong")


async def test_the_launcher_runs_the_program() -> None:
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, launcher.__file__, "--help"],
        capture_output=True,
        encoding="utf-8",
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "GUNBAI_TEST_API": f"http://{HOST}:9"},
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage" in done.stdout


async def test_the_launcher_shortens_the_pause_between_identifications() -> None:
    with pytest.MonkeyPatch.context() as patch:
        hook = discord.Client.before_identify_hook
        patch.setattr(discord.Client, "before_identify_hook", hook)
        launcher.shorten_pause(0)
        client = discord.Client(intents=discord.Intents.none())
        async with asyncio.timeout(1):
            await client.before_identify_hook(1, initial=False)


@pytest.mark.skipif(not OPENAPI.is_file(), reason="Discord's description is not at hand")
async def test_a_body_the_description_does_not_allow_fails_the_test() -> None:
    async def use() -> None:
        async with raw() as (_, client):
            opened = await client.open()
            await client.answer(opened, 4, {"content": "x", "tts": "yes"})

    with pytest.raises(AssertionError, match="tts"):
        await use()


async def test_a_server_error_is_asked_again_after_a_second() -> None:
    async with running() as (standin, _):
        standin.faults.add("POST", faults.CALLBACK, status=503)
        assert await echoes(standin)
        first, second = standin.records.of("POST", faults.CALLBACK)
        assert 0.9 < second.at - first.at < 2
