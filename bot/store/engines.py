"""Connections to either database; each statement commits by itself."""

import asyncio
import contextlib
import logging
import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import asyncpg
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store.address import FileAddress, ServerAddress

CONNECTIONS: Final = 4
"""Most connections at once; a call takes about a millisecond, so few serve many."""
BUSY_SHARE: Final = 0.6
"""Part of a call's time that SQLite may wait for a lock, so that its own words come first."""


async def engine(where: FileAddress | ServerAddress, timeout: float) -> AsyncEngine:
    """Return connections to ``where``; a call that waits longer than ``timeout`` has failed.

    Raises OSError when an SQLite file's folder cannot be made.
    """
    if isinstance(where, FileAddress):
        return await _file_engine(where.path, timeout)
    return _server_engine(where.url, timeout)


async def _file_engine(path: Path, timeout: float) -> AsyncEngine:
    # Outside the event loop: a network drive may take its time.
    frozen = await asyncio.to_thread(_prepare, path)
    # It would tell every statement with the ids in it.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    file = str(path.absolute())
    if frozen:
        query = {"uri": "true", "mode": "ro", "immutable": "1"}
        url = URL.create("sqlite+aiosqlite", database=f"file:{quote(file)}", query=query)
    else:
        url = URL.create("sqlite+aiosqlite", database=file)
    return _engine(url, timeout, connect_args={"timeout": BUSY_SHARE * timeout})


def _prepare(path: Path) -> bool:
    """Make the folder of ``path``; return whether the file can be read only as it stands.

    In a folder where nothing can be written SQLite cannot even share a file with other readers,
    unless it is told that nobody will change it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    effective = os.access in os.supports_effective_ids
    writable = os.access(path.parent, os.W_OK, effective_ids=effective)
    pending = path.with_name(f"{path.name}-wal")
    return path.is_file() and not writable and not pending.exists()


def _server_engine(address: str, timeout: float) -> AsyncEngine:
    async def connect() -> Any:
        # The driver reads the address itself: sslmode and sockets mean what they do for psql.
        return await asyncpg.connect(address)

    url = URL.create("postgresql+asyncpg")
    return _engine(url, timeout, async_creator=connect, pool_pre_ping=True)


def _engine(url: URL, timeout: float, **more: Any) -> AsyncEngine:
    return create_async_engine(
        url,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
        hide_parameters=True,  # no ids in messages
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=timeout,
        **more,
    )


async def allow_readers(connection: AsyncConnection) -> None:
    """Let an SQLite file be read while it is written, where its disk can do that."""
    if connection.dialect.name == "sqlite":
        # Refused for a read-only file, and while another program does the same.
        with contextlib.suppress(DBAPIError):
            await connection.exec_driver_sql("PRAGMA journal_mode = WAL")


async def wait_for_lock(connection: AsyncConnection, limit: float) -> None:
    """Let an SQLite connection wait for others within a call of ``limit`` seconds."""
    if connection.dialect.name == "sqlite":
        await connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(1000 * BUSY_SHARE * limit)}")
