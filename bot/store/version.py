"""Brings a database to the version this program knows, however many programs start at once."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from sqlalchemy import func, insert, inspect, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import CreateTable

from bot.store.migrations import Migration
from bot.store.tables import APPLIED
from bot.store.trouble import StoreError

LOCK: Final = 0x67756E626169
"""The number of PostgreSQL's advisory lock: "gunbai" in ASCII."""
BEGIN: Final = {
    "sqlite": ("BEGIN IMMEDIATE",),
    "postgresql": ("BEGIN", f"SELECT pg_advisory_xact_lock({LOCK})"),
}
"""How a transaction begins that runs alone; the next one waits there until it ends."""


async def bring_up(connection: AsyncConnection, migrations: Sequence[Migration]) -> None:
    """Apply the migrations that are missing, each in a transaction of its own.

    ``connection`` commits by itself. A database that needs none is only read. Raises StoreError
    for one that a newer program has changed.
    """
    while _missing(await _version(connection), migrations):
        async with _alone(connection):
            # Another program may have been faster.
            missing = _missing(await _version(connection), migrations)
            if missing:
                await _apply(connection, missing[0])


def _missing(version: int, migrations: Sequence[Migration]) -> list[Migration]:
    newest = migrations[-1].number
    if version > newest:
        raise StoreError(
            f"the settings database has version {version}, this program knows {newest} at most: "
            "start a newer Gunbai or use another database"
        )
    return [migration for migration in migrations if migration.number > version]


async def _version(connection: AsyncConnection) -> int:
    if not await connection.run_sync(lambda c: inspect(c).has_table(APPLIED.name)):
        return 0
    return (await connection.scalar(select(func.max(APPLIED.c.number)))) or 0


async def _apply(connection: AsyncConnection, migration: Migration) -> None:
    await connection.execute(CreateTable(APPLIED, if_not_exists=True))
    for statement in migration.statements:
        await connection.execute(statement)
    await connection.execute(insert(APPLIED).values(number=migration.number))


@asynccontextmanager
async def _alone(connection: AsyncConnection) -> AsyncIterator[None]:
    for statement in BEGIN[connection.dialect.name]:
        await connection.exec_driver_sql(statement)
    try:
        yield
    except Exception:
        await connection.exec_driver_sql("ROLLBACK")
        raise
    await connection.exec_driver_sql("COMMIT")
