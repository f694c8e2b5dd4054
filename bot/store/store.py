"""Settings of servers and people, read and saved one at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from sqlalchemy import Column, Row, Table, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.policy.texts import LOCALES, Locale
from bot.store import engines, version
from bot.store.address import address
from bot.store.migrations import MIGRATIONS, Migration
from bot.store.tables import FACTS, PEOPLE, SERVERS
from bot.store.trouble import StoreError, UnfitError, store_error

T = TypeVar("T")

TIMEOUT: Final = 1.0
"""Seconds a call may take: people wait for the answer, and Discord waits three in all."""
OPENING: Final = 10.0
"""Seconds opening may take: the server may be far away, another program may migrate."""
CLOSING: Final = 3.0
"""Seconds to part from connections; what is not done then is left to the system."""


@dataclass(frozen=True, slots=True)
class Server:
    """What is set for a server; None is not set."""

    locale: Locale | None = None
    game: str | None = None
    private: bool | None = None


class Store:
    """The settings in one database. Every method raises StoreError when it cannot be used."""

    def __init__(
        self,
        url: str,
        *,
        timeout: float = TIMEOUT,
        opening: float = OPENING,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self._where = address(url)
        self.timeout = timeout
        self._opening = opening
        self._migrations = migrations
        self._engine: AsyncEngine | None = None
        self._left: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Connect, and bring the tables to this version. Again after trouble: connect anew."""
        await self.close()
        self._engine = await self._within(self._opening, self._opened())

    async def close(self) -> None:
        """Part from the database; nothing can be read until it is opened again."""
        engine, self._engine = self._engine, None
        if engine is not None:
            self._leave(asyncio.create_task(engine.dispose()))
        if self._left:
            await asyncio.wait(self._left, timeout=CLOSING)

    async def server(self, server_id: int) -> Server:
        """Return what is set for a server."""
        row = await self._row(SERVERS, SERVERS.c.server_id, _id(server_id))
        return Server() if row is None else Server(_locale(row.locale), row.game, row.private)

    async def save_server(self, server_id: int, server: Server) -> None:
        """Set everything for a server; one for which nothing is set is not kept."""
        key = SERVERS.c.server_id
        if server == Server():
            await self._delete(key, _id(server_id))
            return
        game = None if server.game is None else _text(server.game)
        values = {"locale": server.locale, "game": game, "private": server.private}
        await self._save(key, _id(server_id), values)

    async def locale_of(self, user_id: int) -> Locale | None:
        """Return the language a person has chosen."""
        row = await self._row(PEOPLE, PEOPLE.c.user_id, _id(user_id))
        return None if row is None else _locale(row.locale)

    async def save_locale(self, user_id: int, locale: Locale) -> None:
        """Set the language of a person."""
        await self._save(PEOPLE.c.user_id, _id(user_id), {"locale": locale})

    async def forget(self, user_id: int) -> bool:
        """Delete what is kept about a person; return whether there was anything."""
        return await self._delete(PEOPLE.c.user_id, _id(user_id))

    async def fact(self, name: str) -> str | None:
        """Return what the bot has noted about itself under ``name``."""
        row = await self._row(FACTS, FACTS.c.name, _text(name))
        return None if row is None else str(row.value)

    async def save_fact(self, name: str, value: str) -> None:
        """Note ``value`` under ``name``."""
        await self._save(FACTS.c.name, _text(name), {"value": _text(value)})

    async def _row(self, table: Table, key: Column[Any], value: int | str) -> Row[Any] | None:
        async def read(connection: AsyncConnection) -> Row[Any] | None:
            return (await connection.execute(select(table).where(key == value))).one_or_none()

        return await self._within(self.timeout, self._connected(read))

    async def _save(self, key: Column[Any], value: int | str, others: Mapping[str, object]) -> None:
        """Insert or replace the row with the key ``value``."""

        async def write(connection: AsyncConnection) -> None:
            statement = _insert(connection, key.table).values({key.name: value, **others})
            await connection.execute(
                statement.on_conflict_do_update(index_elements=[key], set_=others)
            )

        await self._within(self.timeout, self._connected(write), writing=True)

    async def _delete(self, key: Column[Any], value: int | str) -> bool:
        async def write(connection: AsyncConnection) -> bool:
            return (await connection.execute(delete(key.table).where(key == value))).rowcount > 0

        return await self._within(self.timeout, self._connected(write), writing=True)

    async def _connected(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        if self._engine is None:
            raise StoreError("the settings database is not open")
        async with self._engine.connect() as connection:
            return await work(connection)

    async def _opened(self) -> AsyncEngine:
        engine = await engines.engine(self._where, self.timeout)
        try:
            async with engine.connect() as connection:
                await engines.wait_for_lock(connection, self._opening)
                await version.bring_up(connection, self._migrations)
                await engines.wait_for_lock(connection, self.timeout)
                await engines.allow_readers(connection)
        except BaseException:
            await engine.dispose()
            raise
        return engine

    async def _within(self, limit: float, work: Coroutine[Any, Any, T], **kind: bool) -> T:
        """Do ``work`` in at most ``limit`` seconds, and turn whatever happens into StoreError.

        A driver may need longer than that to give up a call, so it does so on its own.
        """
        task = asyncio.create_task(work)
        try:
            await asyncio.wait({task}, timeout=limit)
        finally:
            if not task.done():
                task.cancel()
                self._leave(task)
        try:
            if not task.done():
                raise TimeoutError  # noqa: TRY301 - told like every other trouble
            return task.result()
        except StoreError:
            raise
        except Exception as error:  # drivers raise almost anything when a connection breaks
            raise store_error(self._where.database, error, **kind) from error

    def _leave(self, task: asyncio.Task[Any]) -> None:
        """Let ``task`` end by itself, unheard."""
        self._left.add(task)
        task.add_done_callback(self._left.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _insert(connection: AsyncConnection, table: Any) -> sqlite.Insert | postgresql.Insert:
    """Return the database's own insert: replacing a row is no part of common SQL."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)


def _id(value: int) -> int:
    if not 0 <= value < 2**63:
        raise UnfitError("an id is not one of Discord's")
    return value


def _text(value: str) -> str:
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise UnfitError("a text has characters that cannot be kept")
    return value


def _locale(value: str | None) -> Locale | None:
    """Return a language the bot speaks, whatever someone has written into the database."""
    return next((locale for locale in LOCALES if locale == value), None)
