"""The bot's side of the store: answers go on, saving says no, the log says it once."""

import asyncio
import logging
import sqlite3
from contextlib import closing

import pytest

from bot.policy.texts import Locale
from bot.store.keeper import Kept
from bot.store.store import Server, Store
from bot.store.trouble import StoreError, UnfitError
from tests.store.databases import path

PERSON = 81985529216486895
DOWN = "settings in SQLite: made up; answers go on with defaults"


class Clock:
    """A clock that only moves when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Unsteady(Store):
    """A store that fails, or takes its time, when told; it counts how often it is asked."""

    failing = False
    gate: asyncio.Event | None = None
    opened = 0
    asked = 0

    async def _happen(self) -> None:
        if self.gate is not None:
            await self.gate.wait()
        if self.failing:
            raise StoreError("settings in SQLite: made up")

    async def open(self) -> None:
        self.opened += 1
        await self._happen()
        await super().open()

    async def locale_of(self, user_id: int) -> Locale | None:
        self.asked += 1
        await self._happen()
        return await super().locale_of(user_id)

    async def save_locale(self, user_id: int, locale: Locale) -> None:
        self.asked += 1
        await self._happen()
        await super().save_locale(user_id, locale)


@pytest.fixture
def store(sqlite_url: str) -> Unsteady:
    return Unsteady(sqlite_url, timeout=5.0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(store: Unsteady, clock: Clock) -> Kept:
    return Kept(store, clock=clock)


@pytest.fixture(autouse=True)
def every_record(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


async def settle() -> None:
    """Let what goes on in the background come to its end."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        await asyncio.wait(others, timeout=20)


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


@pytest.mark.asyncio
async def test_a_store_that_works_is_read_and_saved(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Kept(Store(url, timeout=5.0))
    await kept.open()
    assert kept.works
    assert await kept.server(1) == Server()
    await kept.save_server(1, Server("ja", "chess", private=True))
    await kept.save_locale(PERSON, "en")
    await kept.save_fact("commands", "1")
    assert await kept.server(1) == Server("ja", "chess", private=True)
    assert await kept.locale_of(PERSON) == "en"
    assert await kept.fact("commands") == "1"
    assert await kept.forget(PERSON)
    assert not await kept.forget(PERSON)
    await kept.close()
    assert logged(caplog) == []


@pytest.mark.asyncio
async def test_a_store_that_is_down_from_the_beginning(
    kept: Kept, store: Unsteady, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    store.failing = True
    await kept.open()
    assert not kept.works
    assert await kept.server(1) == Server()
    assert await kept.locale_of(PERSON) is None
    assert await kept.fact("commands") is None
    saves = (
        kept.save_server(1, Server("ja")),
        kept.save_locale(PERSON, "ja"),
        kept.save_fact("commands", "1"),
        kept.forget(PERSON),
    )
    for save in saves:
        with pytest.raises(StoreError, match="made up"):
            await save
    assert (store.opened, store.asked) == (1, 0)
    store.failing = False
    clock.now += 5.0
    assert await kept.locale_of(PERSON) is None
    await settle()
    assert kept.works
    assert logged(caplog) == [("WARNING", DOWN), ("INFO", "settings can be read again")]
    await kept.close()


@pytest.mark.asyncio
async def test_a_store_that_goes_down_is_asked_once_until_it_is_time(
    kept: Kept, store: Unsteady, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    await kept.open()
    await kept.save_locale(PERSON, "en")
    store.failing, store.asked = True, 0
    for _ in range(10):
        assert await kept.locale_of(PERSON) is None
    await settle()
    assert (store.asked, store.opened) == (1, 1)
    for attempt in range(2, 5):
        clock.now += 4.9
        await kept.locale_of(PERSON)
        await settle()
        assert store.opened == attempt - 1
        clock.now += 0.2
        await asyncio.gather(*(kept.locale_of(PERSON) for _ in range(10)))
        await settle()
        assert store.opened == attempt
    assert store.asked == 1
    assert logged(caplog) == [("WARNING", DOWN)]
    store.failing = False
    clock.now += 5.0
    await kept.locale_of(PERSON)
    await settle()
    assert await kept.locale_of(PERSON) == "en"
    assert logged(caplog) == [("WARNING", DOWN), ("INFO", "settings can be read again")]
    store.failing = True
    assert await kept.locale_of(PERSON) is None
    assert logged(caplog)[2:] == [("WARNING", DOWN)]
    await kept.close()


@pytest.mark.asyncio
async def test_answers_do_not_wait_for_an_attempt(
    kept: Kept, store: Unsteady, clock: Clock
) -> None:
    store.failing = True
    await kept.open()
    store.failing, store.gate = False, asyncio.Event()
    clock.now += 5.0
    for _ in range(3):
        # In as many steps as it takes to say no: nothing is waited for.
        answer = asyncio.create_task(kept.locale_of(PERSON))
        await asyncio.sleep(0)
        assert answer.done()
        assert answer.result() is None
    await asyncio.sleep(0)
    assert store.opened == 2
    store.gate.set()
    await settle()
    assert kept.works
    await kept.close()


@pytest.mark.asyncio
async def test_saving_waits_for_an_attempt(kept: Kept, store: Unsteady, clock: Clock) -> None:
    store.failing = True
    await kept.open()
    store.failing = False
    with pytest.raises(StoreError):
        await kept.save_locale(PERSON, "ja")
    clock.now += 5.0
    await kept.save_locale(PERSON, "ja")
    assert await kept.locale_of(PERSON) == "ja"
    await kept.close()


@pytest.mark.asyncio
async def test_saving_does_not_wait_for_ever(sqlite_url: str, clock: Clock) -> None:
    store = Unsteady(sqlite_url, timeout=0.1)
    store.gate = asyncio.Event()
    kept = Kept(store, clock=clock)
    with pytest.raises(StoreError, match="is not open"):
        await kept.save_locale(PERSON, "ja")
    await kept.close()


@pytest.mark.asyncio
async def test_a_save_that_fails_stops_reading_too(
    kept: Kept, store: Unsteady, caplog: pytest.LogCaptureFixture
) -> None:
    await kept.open()
    store.failing = True
    for _ in range(2):
        with pytest.raises(StoreError):
            await kept.save_locale(PERSON, "ja")
    assert await kept.locale_of(PERSON) is None
    assert store.asked == 1
    assert logged(caplog) == [("WARNING", DOWN)]
    await kept.close()


@pytest.mark.asyncio
async def test_a_file_that_cannot_be_written_is_read_on(
    sqlite_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Kept(Store(sqlite_url, timeout=1.0))
    await kept.open()
    await kept.save_locale(PERSON, "en")
    with closing(sqlite3.connect(path(sqlite_url))) as other:
        other.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            with pytest.raises(StoreError, match="database is locked"):
                await kept.save_locale(PERSON, "ja")
        assert await kept.locale_of(PERSON) == "en"
        other.execute("ROLLBACK")
    await kept.save_locale(PERSON, "ja")
    await kept.save_locale(PERSON, "ja")
    assert logged(caplog) == [
        ("WARNING", "settings in SQLite: database is locked; nothing can be saved"),
        ("INFO", "settings can be saved again"),
    ]
    await kept.close()


@pytest.mark.asyncio
async def test_a_value_that_cannot_be_kept_is_no_trouble(
    kept: Kept, caplog: pytest.LogCaptureFixture
) -> None:
    await kept.open()
    assert await kept.locale_of(-1) is None
    with pytest.raises(UnfitError):
        await kept.save_fact("\0", "1")
    assert kept.works
    assert logged(caplog) == []
    await kept.close()


@pytest.mark.asyncio
async def test_logs_hold_no_ids(url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    kept = Kept(Store(url, timeout=5.0))
    await kept.open()
    await kept.save_locale(PERSON, "ja")
    await kept.save_server(PERSON, Server("ja"))
    await kept.locale_of(PERSON)
    await kept.forget(PERSON)
    await kept.close()
    assert str(PERSON) not in caplog.text


@pytest.mark.asyncio
async def test_it_opens_by_itself(kept: Kept) -> None:
    assert await kept.locale_of(PERSON) is None
    await settle()
    assert kept.works
    await kept.close()


@pytest.mark.asyncio
async def test_it_stays_closed_until_it_is_opened(
    kept: Kept, store: Unsteady, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    await kept.open()
    await kept.close()
    clock.now += 100
    assert await kept.locale_of(PERSON) is None
    with pytest.raises(StoreError, match="is not open"):
        await kept.save_locale(PERSON, "ja")
    await settle()
    assert (kept.works, store.opened) == (False, 1)
    await kept.open()
    await kept.save_locale(PERSON, "ja")
    await kept.close()
    assert logged(caplog) == []


@pytest.mark.asyncio
async def test_a_call_during_which_it_is_closed(
    kept: Kept, store: Unsteady, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    await kept.open()
    store.gate = asyncio.Event()
    call = asyncio.create_task(kept.locale_of(PERSON))
    await asyncio.sleep(0)
    await kept.close()
    store.gate.set()
    assert await call is None
    clock.now += 100
    assert await kept.locale_of(PERSON) is None
    assert (kept.works, store.opened) == (False, 1)
    assert logged(caplog) == []
