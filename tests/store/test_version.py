"""Databases of every age come to this version, once, whoever opens them first."""

import asyncio
import subprocess
import sys
from contextlib import ExitStack

import pytest
from sqlalchemy import DDL, inspect, select
from sqlalchemy.schema import ExecutableDDLElement

from bot.store.migrations import MIGRATIONS, Migration
from bot.store.store import Server, Store
from bot.store.tables import APPLIED, METADATA
from bot.store.trouble import StoreError
from tests.conftest import ROOT
from tests.store.databases import connected, opened, run


async def versions(url: str) -> list[int]:
    async with connected(url) as connection:
        found = await connection.execute(select(APPLIED.c.number).order_by(APPLIED.c.number))
        return list(found.scalars())


async def columns(url: str) -> dict[str, dict[str, tuple[str, bool]]]:
    """Every table with the type of its columns and whether they may be empty."""
    async with connected(url) as connection:
        inspector = await connection.run_sync(inspect)
        return await connection.run_sync(
            lambda _: {
                table: {
                    column["name"]: (str(column["type"]), column["nullable"])
                    for column in inspector.get_columns(table)
                }
                for table in inspector.get_table_names()
            }
        )


def ddl(statement: str) -> ExecutableDDLElement:
    return DDL(statement)  # type: ignore[no-untyped-call]


def test_migrations_count_up_from_one() -> None:
    assert [migration.number for migration in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))
    assert all(migration.what and migration.statements for migration in MIGRATIONS)


@pytest.mark.asyncio
async def test_the_migrations_lead_to_the_tables(url: str) -> None:
    async with opened(url):
        pass
    migrated = await columns(url)
    async with connected(url) as connection:
        await connection.run_sync(METADATA.drop_all)
        await connection.run_sync(METADATA.create_all)
    assert migrated == await columns(url)
    assert set(migrated) == {"servers", "people", "facts", "migrations"}


@pytest.mark.asyncio
async def test_opening_again_changes_nothing(url: str) -> None:
    for _ in range(2):
        async with opened(url):
            assert await versions(url) == [1, 2]


@pytest.mark.asyncio
async def test_data_of_the_first_version_stays(url: str) -> None:
    old = Store(url, timeout=5.0, migrations=MIGRATIONS[:1])
    await old.open()
    await old.close()
    assert await versions(url) == [1]
    await run(
        url,
        "INSERT INTO servers (server_id, locale, game) VALUES (1, 'ja', 'chess')",
        "INSERT INTO people (user_id, locale) VALUES (2, 'en')",
    )
    async with opened(url) as store:
        assert await versions(url) == [1, 2]
        assert await store.server(1) == Server("ja", "chess", private=None)
        assert await store.locale_of(2) == "en"
        await store.save_server(1, Server("ja", "chess", private=False))
        assert await store.server(1) == Server("ja", "chess", private=False)


@pytest.mark.asyncio
async def test_a_database_that_is_newer_is_refused_and_left_alone(url: str) -> None:
    newer = (*MIGRATIONS, Migration(3, "what is to come", (ddl("CREATE TABLE more (a INTEGER)"),)))
    store = Store(url, timeout=5.0, migrations=newer)
    await store.open()
    await store.close()
    before = await columns(url)
    with pytest.raises(StoreError, match="has version 3, this program knows 2 at most"):
        await Store(url, timeout=5.0).open()
    assert await columns(url) == before
    assert await versions(url) == [1, 2, 3]


@pytest.mark.asyncio
async def test_a_migration_is_applied_whole_or_not_at_all(url: str) -> None:
    faulty = (
        *MIGRATIONS,
        Migration(3, "fails", (ddl("CREATE TABLE more (a INTEGER)"), ddl("CREATE nonsense"))),
    )
    store = Store(url, timeout=5.0, migrations=faulty)
    for _ in range(2):
        with pytest.raises(StoreError):
            await store.open()
        assert await versions(url) == [1, 2]
        assert "more" not in await columns(url)
    async with opened(url) as good:
        assert await good.server(1) == Server()


@pytest.mark.asyncio
async def test_many_stores_open_one_new_database_at_once(url: str) -> None:
    stores = [Store(url, timeout=20.0, opening=60.0) for _ in range(6)]
    await asyncio.gather(*(store.open() for store in stores))
    await asyncio.gather(*(store.save_locale(n, "ja") for n, store in enumerate(stores)))
    await asyncio.gather(*(store.close() for store in stores))
    assert await versions(url) == [1, 2]


OPENER = """
import asyncio, sys
from bot.store.store import Store

async def main():
    store = Store(sys.argv[1], timeout=20.0, opening=60.0)
    print("ready", flush=True)
    sys.stdin.readline()
    await store.open()
    await store.save_locale(int(sys.argv[2]), "en")
    await store.close()

asyncio.run(main())
"""


@pytest.mark.asyncio
async def test_processes_open_one_new_database_at_once(url: str) -> None:
    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-W", "error", "-c", OPENER, url, str(number)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    cwd=ROOT,
                )
            )
            for number in range(3)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        for process in processes:
            _, errors = process.communicate(timeout=60)
            assert (process.returncode, errors) == (0, "")
    assert await versions(url) == [1, 2]
    async with opened(url) as store:
        assert [await store.locale_of(number) for number in range(3)] == ["en"] * 3
