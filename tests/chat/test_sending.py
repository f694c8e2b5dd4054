"""Replies on their way: tried again after a cut, never answered twice, and what is over is over."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
import pytest
import pytest_asyncio
from discord.http import Route

from bot.chat import sending
from bot.chat.controls import Control
from bot.chat.lists import said
from bot.chat.replies import Button, Reply
from bot.chat.sending import ExpiredError
from tests.e2e.standin import faults
from tests.e2e.standin.exchange import Exchange
from tests.e2e.standin.server import StandIn

Interaction = discord.Interaction[discord.Client]
Send = Callable[[Interaction, Reply], Awaitable[None]]
CONTROL = Control("flip", "fab:3.3", "ja", "overview", 0, 1, private=True)
BUTTONS = Reply(said("first").embeds, ((Button("日本語", CONTROL),),))
CHANGED = Reply(said("second").embeds)
COMMAND = {"name": "ask", "description": "Asks"}


@dataclass
class Stage:
    """The stand-in for Discord and a client that has logged in to it, without a gateway."""

    standin: StandIn
    client: discord.Client

    async def asked(self) -> Exchange:
        user = self.standin.create.user("ann")
        return await self.standin.interact.command("ask", {}, user=user)

    async def clicked(self, opened: Exchange) -> Exchange:
        return await self.standin.interact.click(opened.message, CONTROL.custom_id, opened.user)

    def interaction(self, opened: Exchange) -> Interaction:
        """What discord.py makes of what it gets; another call is another process."""
        payload: Any = opened.payload
        return discord.Interaction(data=payload, state=self.client._connection)  # noqa: SLF001 - as discord.py does


@pytest_asyncio.fixture
async def stage(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    monkeypatch.setattr(sending, "PAUSES", (0.0, 0.01, 0.01))
    async with StandIn() as standin:
        monkeypatch.setattr(Route, "BASE", standin.api)
        client = discord.Client(intents=discord.Intents.none())
        try:
            await client.login(standin.token)
            await client.http.bulk_upsert_global_commands(client.application_id or 0, [COMMAND])
            yield Stage(standin, client)
        finally:
            await client.close()


def callbacks(stage: Stage) -> int:
    return len(stage.standin.records.of("POST", faults.CALLBACK))


@pytest.mark.asyncio
@pytest.mark.parametrize("private", [True, False])
async def test_a_reply_arrives_with_its_embed_and_buttons(stage: Stage, private: bool) -> None:
    opened = await stage.asked()
    reply = Reply(BUTTONS.embeds, BUTTONS.rows, private=private)
    await sending.respond(stage.interaction(opened), reply)
    assert opened.message.embeds[0]["description"] == "first"
    assert opened.message.control(CONTROL.custom_id)
    assert opened.ephemeral is private
    assert callbacks(stage) == 1


@pytest.mark.asyncio
async def test_a_connection_cut_before_the_answer_arrived_is_tried_again(stage: Stage) -> None:
    opened = await stage.asked()
    stage.standin.faults.add("POST", faults.CALLBACK, drop="before", times=2)
    await sending.respond(stage.interaction(opened), BUTTONS)
    assert opened.message.embeds[0]["description"] == "first"
    assert callbacks(stage) == 3


@pytest.mark.asyncio
async def test_a_connection_cut_after_the_answer_arrived_counts_as_answered(stage: Stage) -> None:
    opened = await stage.asked()
    stage.standin.faults.add("POST", faults.CALLBACK, drop="after")
    await sending.respond(stage.interaction(opened), BUTTONS)
    refused = stage.standin.records.of("POST", faults.CALLBACK)[-1]
    assert refused.answer["code"] == sending.ACKNOWLEDGED
    assert opened.message.embeds[0]["description"] == "first"
    assert not opened.follow_ups


@pytest.mark.asyncio
async def test_a_connection_that_stays_cut_is_an_error(stage: Stage) -> None:
    opened = await stage.asked()
    stage.standin.faults.add("POST", faults.CALLBACK, drop="before", times=None)
    with pytest.raises(aiohttp.ClientError):
        await sending.respond(stage.interaction(opened), BUTTONS)
    assert callbacks(stage) == 3


@pytest.mark.asyncio
async def test_what_another_process_has_answered_is_over(stage: Stage) -> None:
    opened = await stage.asked()
    await sending.respond(stage.interaction(opened), BUTTONS)
    with pytest.raises(ExpiredError):
        await sending.respond(stage.interaction(opened), CHANGED)
    assert opened.message.embeds[0]["description"] == "first"


@pytest.mark.asyncio
async def test_one_interaction_is_answered_once(stage: Stage) -> None:
    opened = await stage.asked()
    interaction = stage.interaction(opened)
    await sending.respond(interaction, BUTTONS)
    await sending.respond(interaction, CHANGED)
    assert callbacks(stage) == 1


@pytest.mark.asyncio
async def test_an_answer_after_three_seconds_is_over(stage: Stage) -> None:
    opened = await stage.asked()
    stage.standin.advance(4)
    with pytest.raises(ExpiredError):
        await sending.respond(stage.interaction(opened), BUTTONS)
    refused = stage.standin.records.of("POST", faults.CALLBACK)[-1]
    assert refused.answer["code"] == 10062
    assert callbacks(stage) == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("status", [400, 403, 404])
async def test_another_refusal_passes_on(stage: Stage, status: int) -> None:
    opened = await stage.asked()
    stage.standin.faults.add("POST", faults.CALLBACK, status=status)
    with pytest.raises(discord.HTTPException) as caught:
        await sending.respond(stage.interaction(opened), BUTTONS)
    assert caught.value.status == status
    assert callbacks(stage) == 1


@pytest.mark.asyncio
async def test_a_clicked_message_is_changed_in_its_place(stage: Stage) -> None:
    opened = await stage.asked()
    await sending.respond(stage.interaction(opened), BUTTONS)
    click = await stage.clicked(opened)
    await sending.update(stage.interaction(click), CHANGED)
    assert opened.message.embeds[0]["description"] == "second"
    assert opened.message.components == [], "a reply without buttons takes the old ones away"
    assert not click.follow_ups


@pytest.mark.asyncio
@pytest.mark.parametrize("drop", ["before", "after"])
async def test_a_change_is_tried_again_after_a_cut(stage: Stage, drop: Any) -> None:
    opened = await stage.asked()
    await sending.respond(stage.interaction(opened), BUTTONS)
    click = await stage.clicked(opened)
    stage.standin.faults.add("POST", faults.CALLBACK, drop=drop)
    await sending.update(stage.interaction(click), CHANGED)
    assert opened.message.embeds[0]["description"] == "second"


@pytest.mark.asyncio
async def test_a_click_that_waited_too_long_is_over(stage: Stage) -> None:
    opened = await stage.asked()
    await sending.respond(stage.interaction(opened), BUTTONS)
    click = await stage.clicked(opened)
    stage.standin.advance(4)
    with pytest.raises(ExpiredError):
        await sending.update(stage.interaction(click), CHANGED)


@pytest.mark.asyncio
@pytest.mark.parametrize("private", [True, False])
async def test_another_message_follows(stage: Stage, private: bool) -> None:
    opened = await stage.asked()
    interaction = stage.interaction(opened)
    await sending.respond(interaction, BUTTONS)
    stage.standin.faults.add("POST", faults.FOLLOW_UP, drop="before")
    await sending.follow(interaction, Reply(CHANGED.embeds, BUTTONS.rows, private=private))
    (message,) = opened.follow_ups
    assert message.embeds[0]["description"] == "second"
    assert message.ephemeral is private
    assert message.control(CONTROL.custom_id)


@pytest.mark.asyncio
async def test_a_message_that_follows_after_fifteen_minutes_is_over(stage: Stage) -> None:
    opened = await stage.asked()
    interaction = stage.interaction(opened)
    await sending.respond(interaction, BUTTONS)
    stage.standin.advance(16 * 60)
    with pytest.raises(ExpiredError):
        await sending.follow(interaction, CHANGED)
    assert not opened.follow_ups


@pytest.mark.asyncio
async def test_a_message_that_may_not_follow_says_so(stage: Stage) -> None:
    opened = await stage.asked()
    interaction = stage.interaction(opened)
    await sending.respond(interaction, BUTTONS)
    stage.standin.faults.add("POST", faults.FOLLOW_UP, status=403)
    with pytest.raises(discord.Forbidden):
        await sending.follow(interaction, CHANGED)


@dataclass
class Answer:
    """As much of a response as the errors of discord.py look at."""

    status: int
    reason: str = "No"


def refusal(code: int) -> discord.HTTPException:
    answer: Any = Answer(404)
    return discord.HTTPException(answer, {"code": code, "message": "no"})


@pytest.mark.asyncio
@pytest.mark.parametrize("send", [sending.respond, sending.update])
@pytest.mark.parametrize(
    ("raised", "expected", "tries"),
    [
        ([refusal(10062)], ExpiredError, 1),
        ([refusal(10015)], ExpiredError, 1),
        ([refusal(50027)], ExpiredError, 1),
        ([refusal(10008)], ExpiredError, 1),
        ([refusal(40060)], ExpiredError, 1),
        ([refusal(50013)], discord.HTTPException, 1),
        ([refusal(0)], discord.HTTPException, 1),
        ([aiohttp.ServerDisconnectedError(), refusal(40060)], None, 2),
        ([aiohttp.ServerDisconnectedError(), refusal(10062)], ExpiredError, 2),
        ([aiohttp.ServerDisconnectedError(), refusal(50013)], discord.HTTPException, 2),
        ([aiohttp.ClientOSError(104, "reset"), aiohttp.ClientPayloadError(), None], None, 3),
        ([aiohttp.ServerDisconnectedError()] * 3, aiohttp.ServerDisconnectedError, 3),
        ([ValueError("ours")], ValueError, 1),
    ],
)
async def test_what_goes_wrong_decides(
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
    send: Send,
    raised: list[Exception | None],
    expected: type[Exception] | None,
    tries: int,
) -> None:
    left = list(raised)

    async def failing(*_: object, **__: object) -> None:
        error = left.pop(0)
        if error:
            raise error

    for name in ("send_message", "edit_message"):
        monkeypatch.setattr(discord.InteractionResponse, name, failing)
    interaction = stage.interaction(await stage.asked())
    if expected is None:
        await send(interaction, CHANGED)
    else:
        with pytest.raises(expected) as caught:
            await send(interaction, CHANGED)
        assert caught.type is expected
    assert len(raised) - len(left) == tries


def test_all_tries_are_within_the_time_that_discord_waits() -> None:
    assert sum(sending.PAUSES) < 1.5
    assert sending.PAUSES[0] == 0
