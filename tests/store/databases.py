"""What the tests do to a database past the store."""

import contextlib
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import engines
from bot.store.address import address
from bot.store.store import Store

NOBODY = 65534


@contextlib.asynccontextmanager
async def opened(url: str, *, timeout: float = 5.0) -> AsyncIterator[Store]:
    """A store that is open; patient, for the machine may be busy."""
    store = Store(url, timeout=timeout, opening=30.0)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@contextlib.asynccontextmanager
async def connected(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection of its own to a database."""
    engine = await engines.engine(address(url), 5.0)
    try:
        async with engine.connect() as connection:
            yield connection
    finally:
        await engine.dispose()


async def run(url: str, *statements: str) -> None:
    """Run statements on a connection of their own."""
    async with connected(url) as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)


def path(url: str) -> Path:
    """The file of an SQLite address."""
    return Path(url.removeprefix("sqlite:///"))


@contextlib.contextmanager
def without_rights() -> Iterator[None]:
    """Permissions count: they do not for root, so root becomes nobody for a while."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
