"""The store as the bot uses it: answers go on without it, and it comes back by itself."""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from bot.policy.texts import Locale
from bot.store.store import Server, Store
from bot.store.trouble import StoreError, UnfitError, UnwritableError

T = TypeVar("T")

PAUSE: Final = 5.0
"""Seconds between two attempts to reach a database that is down."""

LOG = logging.getLogger(__name__)


class Kept:
    """What is kept in a store. Reading never raises; saving raises StoreError.

    Once reading fails, defaults are given at once and the store is opened anew in the background
    when someone asks and ``pause`` seconds have passed.
    """

    def __init__(
        self, store: Store, *, pause: float = PAUSE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._pause = pause
        self._clock = clock
        self._works = False
        self._next_attempt = clock()
        self._attempt: asyncio.Task[None] | None = None
        self._trouble: str | None = None
        self._unwritable = False

    @property
    def works(self) -> bool:
        """Whether the store answered when it was last asked."""
        return self._works

    async def open(self) -> None:
        """Open the store; where that fails it is tried again later."""
        self._next_attempt = self._clock()
        self._try_again()
        if self._attempt is not None:
            await asyncio.wait({self._attempt})

    async def close(self) -> None:
        """Close the store; from now on defaults are given and nothing is saved."""
        self._works = False
        self._next_attempt = math.inf
        if self._attempt is not None:
            self._attempt.cancel()
            await asyncio.wait({self._attempt})
        self._works = False  # the attempt may just have succeeded
        await self._store.close()

    async def server(self, server_id: int) -> Server:
        """Return what is set for a server; nothing while the store is down."""
        return await self._read(lambda: self._store.server(server_id), Server())

    async def locale_of(self, user_id: int) -> Locale | None:
        """Return the language a person has chosen; None while the store is down."""
        return await self._read(lambda: self._store.locale_of(user_id), None)

    async def fact(self, name: str) -> str | None:
        """Return what the bot has noted about itself; None while the store is down."""
        return await self._read(lambda: self._store.fact(name), None)

    async def save_server(self, server_id: int, server: Server) -> None:
        """Set everything for a server. Raises StoreError."""
        await self._save(lambda: self._store.save_server(server_id, server))

    async def save_locale(self, user_id: int, locale: Locale) -> None:
        """Set the language of a person. Raises StoreError."""
        await self._save(lambda: self._store.save_locale(user_id, locale))

    async def save_fact(self, name: str, value: str) -> None:
        """Note something about the bot. Raises StoreError."""
        await self._save(lambda: self._store.save_fact(name, value))

    async def forget(self, user_id: int) -> bool:
        """Delete what is kept about a person; return whether there was anything. Raises StoreError."""
        return await self._save(lambda: self._store.forget(user_id))

    async def _read(self, work: Callable[[], Awaitable[T]], default: T) -> T:
        if not self._works:
            self._try_again()
            return default
        try:
            return await work()
        except UnfitError:
            return default
        except StoreError as error:
            self._fail(error)
            return default

    async def _save(self, work: Callable[[], Awaitable[T]]) -> T:
        if not self._works:
            await self._wait_for_attempt()
        try:
            saved = await work()
        except UnfitError:
            raise
        except UnwritableError as error:
            # Reading may work all the same, so that goes on.
            if not self._unwritable:
                self._unwritable = True
                LOG.warning("%s; nothing can be saved", error)
            raise
        except StoreError as error:
            self._fail(error)
            raise
        if self._unwritable:
            self._unwritable = False
            LOG.info("settings can be saved again")
        return saved

    async def _wait_for_attempt(self) -> None:
        """Give a store that is down the time of one call to come back. Raises StoreError."""
        self._try_again()
        if self._attempt is not None and not self._attempt.done():
            await asyncio.wait({self._attempt}, timeout=self._store.timeout)
        if not self._works:
            raise StoreError(self._trouble or "the settings database is not open")

    def _try_again(self) -> None:
        """Begin an attempt to open the store, if it is time for one."""
        running = self._attempt is not None and not self._attempt.done()
        if not (self._works or running) and self._clock() >= self._next_attempt:
            self._attempt = asyncio.create_task(self._open())

    async def _open(self) -> None:
        try:
            await self._store.open()
        except StoreError as error:
            self._fail(error)
            return
        self._works = True
        if self._trouble is not None:
            self._trouble = None
            LOG.info("settings can be read again")

    def _fail(self, error: StoreError) -> None:
        self._works = False
        if self._next_attempt == math.inf:
            return  # closed during the call
        self._next_attempt = self._clock() + self._pause
        if self._trouble is None:
            LOG.warning("%s; answers go on with defaults", error)
        self._trouble = str(error)
