"""The pages for whoever watches the bot, over a real connection."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from bot.chat.health import application
from bot.chat.metrics import Metrics


@asynccontextmanager
async def served(state: dict[str, bool], metrics: Metrics) -> AsyncIterator[str]:
    """Serve the pages on a free port of this machine; yield their address."""
    runner = web.AppRunner(application(lambda: state["alive"], metrics), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def get(url: str) -> tuple[int, str, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return response.status, response.content_type, await response.text()


@pytest.mark.asyncio
async def test_health_follows_the_connection() -> None:
    state = {"alive": False}
    async with served(state, Metrics()) as address:
        assert await get(f"{address}/healthz") == (503, "text/plain", "down\n")
        state["alive"] = True
        assert await get(f"{address}/healthz") == (200, "text/plain", "ok\n")
        state["alive"] = False
        assert (await get(f"{address}/healthz"))[0] == 503


@pytest.mark.asyncio
async def test_metrics_are_those_of_this_bot_in_prometheus_format() -> None:
    metrics = Metrics()
    metrics.lookups.labels("answer", "ja").inc()
    metrics.shards.set(2)
    async with served({"alive": True}, metrics) as address:
        status, kind, text = await get(f"{address}/metrics")
    assert (status, kind) == (200, "text/plain")
    lines = text.split("\n")
    assert 'gunbai_lookups_total{language="ja",outcome="answer"} 1.0' in lines
    assert "gunbai_shards_ready 2.0" in lines
    assert "gunbai_errors_total 0.0" in lines
    named = [line for line in lines if line and not line.startswith("#")]
    assert all(line.startswith("gunbai_") for line in named)


@pytest.mark.asyncio
async def test_there_is_nothing_else() -> None:
    async with served({"alive": True}, Metrics()) as address:
        assert (await get(f"{address}/"))[0] == 404
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{address}/healthz") as response,
        ):
            assert response.status == 405
