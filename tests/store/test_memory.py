"""Settings are read once in a while, and one's own changes are seen at once."""

import pytest

from bot.store.memory import SECONDS, Remembered
from bot.store.store import Server, Store

pytestmark = pytest.mark.asyncio


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_a_setting_is_read_again_only_after_a_while(sqlite_url: str) -> None:
    clock = Clock()
    one, other = Remembered(Store(sqlite_url), clock=clock), Remembered(Store(sqlite_url))
    await one.open()
    await other.open()
    try:
        assert await one.server(7) == Server()
        assert await one.locale_of(5) is None
        await other.save_server(7, Server(locale="ja"))
        await other.save_locale(5, "en")
        assert await one.server(7) == Server(), "another process's change is not yet seen"
        clock.now += SECONDS + 1
        assert await one.server(7) == Server(locale="ja")
        assert await one.locale_of(5) == "en"
    finally:
        await one.close()
        await other.close()


async def test_ones_own_changes_are_seen_at_once(sqlite_url: str) -> None:
    kept = Remembered(Store(sqlite_url))
    await kept.open()
    try:
        assert await kept.server(7) == Server()
        await kept.save_server(7, Server(private=True))
        assert await kept.server(7) == Server(private=True)
        assert await kept.locale_of(5) is None
        await kept.save_locale(5, "ja")
        assert await kept.locale_of(5) == "ja"
        assert await kept.forget(5)
        assert await kept.locale_of(5) is None
    finally:
        await kept.close()


async def test_nothing_is_remembered_of_a_store_that_is_down(sqlite_url: str) -> None:
    kept = Remembered(Store(sqlite_url))
    assert await kept.server(7) == Server()
    writer = Store(sqlite_url)
    await writer.open()
    await writer.save_server(7, Server(game="fab"))
    await writer.close()
    await kept.open()
    try:
        assert await kept.server(7) == Server(game="fab")
    finally:
        await kept.close()
