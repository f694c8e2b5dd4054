"""The bot as a process: everything it is made of, started, reloaded, and stopped in order."""

import asyncio
import logging
import random
import signal
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiohttp
import discord
from aiohttp import web
from discord.utils import MISSING
from pydantic import SecretStr
from watchfiles import awatch

from bot.chat.client import Client
from bot.chat.desk import Desk
from bot.chat.health import application
from bot.chat.metrics import Metrics
from bot.chat.shelf import Shelf
from bot.i18n import Catalogue
from bot.store.memory import Remembered
from bot.store.store import Store

LOG = logging.getLogger(__name__)

PAUSES: Final = (1, 2, 5, 10, 30, 60)
"""Seconds between attempts to reach Discord at the start; the last one repeats."""
REFUSED: Final = frozenset({4004, 4010, 4011, 4012, 4013, 4014})
"""Close codes of the gateway after which another attempt would end the same way."""


class LoginError(Exception):
    """Discord does not let the bot in; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the bot is to run with."""

    token: SecretStr
    data: Path
    cache: Path
    database: str
    shard_ids: Sequence[int] | None
    shard_count: int | None
    host: str
    port: int | None
    watch: bool


async def serve(plan: Plan, catalogue: Catalogue) -> None:
    """Run until told to stop. Raises LoginError, PacksError, StoreError and OSError."""
    metrics = Metrics()
    kept = Remembered(Store(plan.database))  # first: a wrong address is told at once
    shelf = Shelf(plan.data, plan.cache, catalogue)
    desk = Desk(shelf, catalogue, metrics)
    async with AsyncExitStack() as stack:
        await kept.open()
        stack.push_async_callback(kept.close)
        client = Client(desk, kept, shard_ids=plan.shard_ids, shard_count=plan.shard_count)
        stack.push_async_callback(client.leave)
        if plan.port is not None:
            await _watched(stack, plan.host, plan.port, client, metrics)
        stop, again = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        loop.add_signal_handler(signal.SIGHUP, again.set)
        running = {
            asyncio.create_task(_connected(client, plan.token), name="gateway"),
            asyncio.create_task(stop.wait(), name="stop"),
        }
        beside = {asyncio.create_task(_reloaded(shelf, again, metrics), name="reload")}
        if plan.watch:
            beside.add(asyncio.create_task(_changed(plan.data, again), name="watch"))
        try:
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            LOG.info("leaving")
            for task in (*running, *beside):
                if task.get_name() != "gateway":
                    task.cancel()
            await client.leave()
            for task in (*running, *beside):
                task.cancel()
            await asyncio.gather(*running, *beside, return_exceptions=True)


async def register(plan: Plan, catalogue: Catalogue) -> int:
    """Register the commands whatever they were before; return how many. Raises LoginError."""
    kept = Remembered(Store(plan.database))  # first: a wrong address is told at once
    desk = Desk(Shelf(plan.data, plan.cache, catalogue), catalogue, Metrics())
    await kept.open()
    client = Client(desk, kept, shard_ids=(1,), shard_count=2)  # not the first: it registers below
    try:
        await _logged_in(client, plan.token)
        await client.register(always=True)
    finally:
        await client.close()
        await kept.close()
    return len(client.tree.get_commands())


async def _connected(client: Client, token: SecretStr) -> None:
    """Log in and stay connected."""
    await _logged_in(client, token)
    for attempt in range(1_000_000):
        try:
            await client.connect(reconnect=True)
        except discord.PrivilegedIntentsRequired as error:
            raise LoginError(str(error)) from error
        except discord.ConnectionClosed as error:
            if error.code in REFUSED:
                raise LoginError(
                    f"Discord closed the connection: {error.reason or error.code}"
                ) from error
            raise
        except (discord.GatewayNotFound, aiohttp.ClientError, OSError) as error:
            await _pause(attempt, error)
        else:
            return


async def _logged_in(client: Client, token: SecretStr) -> None:
    for attempt in range(1_000_000):
        try:
            await client.login(token.get_secret_value())
        except discord.LoginFailure as error:
            raise LoginError("DISCORD_TOKEN: Discord does not know this token") from error
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            if isinstance(error, discord.HTTPException) and not _passes(error):
                raise
            await client.http.close()
            client.http.connector = MISSING  # the old one is closed; login makes a new one
            await _pause(attempt, error)
        else:
            return


def _passes(error: discord.HTTPException) -> bool:
    """Tell whether another attempt may succeed: Discord is down, or has heard too much from here."""
    return error.status >= 500 or error.status == 429


async def _pause(attempt: int, error: Exception) -> None:
    seconds = PAUSES[min(attempt, len(PAUSES) - 1)]
    words = " ".join(str(error).split()) or type(error).__name__
    LOG.warning("Discord cannot be reached (%s); next attempt in %d s", words, seconds)
    await asyncio.sleep(seconds + random.random())  # noqa: S311 - so that processes do not all come at once


async def _watched(
    stack: AsyncExitStack, host: str, port: int, client: Client, metrics: Metrics
) -> None:
    runner = web.AppRunner(application(lambda: client.alive, metrics), access_log=None)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    await web.TCPSite(runner, host, port).start()


async def _reloaded(shelf: Shelf, again: asyncio.Event, metrics: Metrics) -> None:
    while True:
        await again.wait()
        again.clear()
        result = "taken" if await shelf.reload() else "refused"
        metrics.reloads.labels(result).inc()


async def _changed(data: Path, again: asyncio.Event) -> None:
    async for _ in awatch(data):
        again.set()
