"""What can happen to a PostgreSQL server, and that the store works again after it."""

import asyncio
import logging
import time
import traceback

import pytest

from bot.store.keeper import Kept
from bot.store.store import Server, Store
from bot.store.trouble import StoreError, UnwritableError
from tests.postgres import PASSWORD, Postgres
from tests.store.databases import connected, opened, run

WRONG = "hunter2/@#"
PERSON = 81985529216486895


def shown(error: BaseException, caplog: pytest.LogCaptureFixture) -> str:
    """Whatever of an error can reach a log."""
    return "".join(traceback.format_exception(error)) + repr(error) + caplog.text


@pytest.mark.asyncio
async def test_nobody_listens(postgres: Postgres, postgres_url: str) -> None:
    postgres.stop()
    with pytest.raises(StoreError, match=r"^settings in PostgreSQL: Connection refused$"):
        await Store(postgres_url).open()


@pytest.mark.asyncio
async def test_a_host_that_is_not_there() -> None:
    with pytest.raises(StoreError, match=r"^settings in PostgreSQL: the host is not found$"):
        await Store("postgres://gunbai@nowhere.invalid/gunbai").open()


@pytest.mark.asyncio
async def test_a_wrong_password(postgres: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(StoreError, match="InvalidPasswordError") as caught:
        await Store(postgres.url(password=WRONG)).open()
    assert "hunter2" not in shown(caught.value, caplog)


@pytest.mark.asyncio
async def test_a_database_that_is_not_there(postgres: Postgres) -> None:
    with pytest.raises(StoreError, match="InvalidCatalogNameError"):
        await Store(postgres.url("nothing")).open()


@pytest.mark.asyncio
async def test_the_server_restarts_while_in_use(
    postgres: Postgres, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with opened(postgres_url) as store:
        await asyncio.gather(*(store.save_locale(PERSON + n, "en") for n in range(10)))
        postgres.stop()
        for _ in range(3):
            with pytest.raises(StoreError, match="PostgreSQL: Connection refused") as caught:
                await store.locale_of(PERSON)
            text = shown(caught.value, caplog)
            assert PASSWORD not in text
            assert postgres_url not in text
            assert str(PERSON) not in text
        with pytest.raises(StoreError):
            await store.save_locale(PERSON, "ja")
        postgres.start()
        found = await asyncio.gather(*(store.locale_of(PERSON + n) for n in range(10)))
        assert found == ["en"] * 10
        await store.save_locale(PERSON, "ja")
    assert str(PERSON) not in caplog.text
    assert PASSWORD not in caplog.text


@pytest.mark.asyncio
async def test_the_server_ends_during_a_call(
    postgres: Postgres, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(postgres_url, timeout=20.0) as store:
        await store.save_locale(PERSON, "en")
        async with connected(postgres_url) as other:
            await other.exec_driver_sql("BEGIN")
            await other.exec_driver_sql("LOCK TABLE people")
            call = asyncio.create_task(store.locale_of(PERSON))
            await asyncio.sleep(0.2)
            assert not call.done()
            postgres.stop()
            with pytest.raises(StoreError, match=r"^settings in PostgreSQL: "):
                await call
        postgres.start()
        assert await store.locale_of(PERSON) == "en"
    assert caplog.record_tuples == []


@pytest.mark.asyncio
async def test_a_call_takes_no_longer_than_it_may(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(postgres_url, timeout=0.3) as store:
        async with connected(postgres_url) as other:
            await other.exec_driver_sql("BEGIN")
            await other.exec_driver_sql("LOCK TABLE people")
            for call in (store.locale_of(PERSON), store.save_locale(PERSON, "ja")):
                began = time.monotonic()
                with pytest.raises(
                    StoreError, match=r"^settings in PostgreSQL: no answer in time$"
                ):
                    await call
                assert 0.25 < time.monotonic() - began < 2.0
            await other.exec_driver_sql("ROLLBACK")
        async with opened(postgres_url) as patient:
            await patient.save_locale(PERSON, "en")
            assert await patient.locale_of(PERSON) == "en"
    assert caplog.record_tuples == []


@pytest.mark.asyncio
async def test_a_server_that_accepts_but_does_not_answer(
    postgres: Postgres, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(postgres_url, opening=0.3)
    postgres.pause()
    try:
        began = time.monotonic()
        with pytest.raises(StoreError, match=r"^settings in PostgreSQL: no answer in time$"):
            await store.open()
        assert time.monotonic() - began < 2.0
    finally:
        postgres.resume()
    await store.close()
    assert caplog.record_tuples == []


@pytest.mark.asyncio
async def test_a_database_that_only_takes_readers(postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        await store.save_server(1, Server("ja"))
    name = postgres_url.rpartition("/")[2]
    await run(postgres_url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    async with opened(postgres_url) as store:
        assert await store.server(1) == Server("ja")
        with pytest.raises(UnwritableError, match="SQLSTATE 25006"):
            await store.save_server(1, Server("en"))


@pytest.mark.asyncio
async def test_the_bot_goes_on_through_a_restart(
    postgres: Postgres, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    now = 0.0
    kept = Kept(Store(postgres_url, timeout=5.0), clock=lambda: now)
    caplog.set_level(logging.INFO)
    await kept.open()
    await kept.save_server(1, Server("ja"))
    postgres.stop()
    found = await asyncio.gather(*(kept.server(1) for _ in range(20)))
    assert found == [Server()] * 20
    with pytest.raises(StoreError):
        await kept.save_server(1, Server("en"))
    postgres.start()
    now = 10.0
    await kept.save_server(2, Server("en"))  # waits for the attempt it begins
    assert await kept.server(1) == Server("ja")
    await kept.close()
    assert [(record.levelname, record.message) for record in caplog.records] == [
        (
            "WARNING",
            "settings in PostgreSQL: Connection refused; answers go on with defaults",
        ),
        ("INFO", "settings can be read again"),
    ]
