"""Sends replies to Discord, once more where the connection was cut, and never twice."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiohttp
import discord

from bot.chat.replies import Reply, view

GONE: Final = frozenset({10062, 10015, 50027, 10008})
"""Error codes of an interaction, webhook token or message that is no more."""
ACKNOWLEDGED: Final = 40060
"""Error code of an interaction that has its answer."""
RETRIED: Final = 1.0
"""Seconds that discord.py waits before it tries again by itself, after an error of the server's."""
PAUSES: Final = (0.0, 0.2, 0.6)
"""Seconds before each try: all of them within the three that Discord waits."""


class ExpiredError(Exception):
    """There is nobody left to answer: too late, or the message is gone."""


async def respond(interaction: discord.Interaction[Any], reply: Reply) -> None:
    """Answer with a new message. Raises ExpiredError."""
    await _attempt(
        lambda: interaction.response.send_message(
            embeds=reply.embeds, ephemeral=reply.private, **_components(reply)
        )
    )


async def update(interaction: discord.Interaction[Any], reply: Reply) -> None:
    """Answer by changing the message that was clicked. Raises ExpiredError."""
    await _attempt(
        lambda: interaction.response.edit_message(
            embeds=reply.embeds, view=view(reply.rows) if reply.rows else None
        )
    )


async def follow(interaction: discord.Interaction[Any], reply: Reply) -> None:
    """Send another message after the answer. Raises ExpiredError."""
    await _attempt(
        lambda: interaction.followup.send(
            embeds=reply.embeds, ephemeral=reply.private, **_components(reply)
        )
    )


def _components(reply: Reply) -> dict[str, Any]:
    return {"view": view(reply.rows)} if reply.rows else {}


async def _attempt(send: Callable[[], Awaitable[Any]]) -> None:
    cut: aiohttp.ClientError | None = None
    start = time.monotonic()
    for pause in PAUSES:
        await asyncio.sleep(pause)
        try:
            await send()
        except aiohttp.ClientError as error:  # the answer may have arrived all the same
            cut = error
        except discord.InteractionResponded:
            return
        except discord.HTTPException as error:
            if error.code == ACKNOWLEDGED:
                if cut or time.monotonic() - start >= RETRIED:
                    return  # an earlier try had arrived
                raise ExpiredError from error  # another process was first
            if error.code in GONE:
                raise ExpiredError from error
            raise
        else:
            return
    raise cut or AssertionError
