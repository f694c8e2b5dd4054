"""The store with a short memory: a typed word asks for the same two settings again and again."""

import time
from collections.abc import Callable
from typing import Final

from cachetools import TTLCache

from bot.policy.texts import Locale
from bot.store.keeper import PAUSE, Kept
from bot.store.store import Server, Store

SECONDS: Final = 10.0
"""How long another process's change may go unseen; this process sees its own at once."""
MOST: Final = 20_000
"""Most servers, and most people, that are remembered at a time."""


class Remembered(Kept):
    """Reads each setting at most once in ``SECONDS``. Nothing read while the store is down is kept."""

    def __init__(
        self, store: Store, *, pause: float = PAUSE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(store, pause=pause, clock=clock)
        self._servers: TTLCache[int, Server] = TTLCache(MOST, SECONDS, clock)
        self._locales: TTLCache[int, Locale | None] = TTLCache(MOST, SECONDS, clock)

    async def server(self, server_id: int) -> Server:
        """Return what is set for a server; nothing while the store is down."""
        if server_id in self._servers:
            return self._servers[server_id]
        found = await super().server(server_id)
        if self.works:
            self._servers[server_id] = found
        return found

    async def locale_of(self, user_id: int) -> Locale | None:
        """Return the language a person has chosen; None while the store is down."""
        if user_id in self._locales:
            return self._locales[user_id]
        found = await super().locale_of(user_id)
        if self.works:
            self._locales[user_id] = found
        return found

    async def save_server(self, server_id: int, server: Server) -> None:
        """Set everything for a server. Raises StoreError."""
        self._servers.pop(server_id, None)
        await super().save_server(server_id, server)
        self._servers.pop(server_id, None)  # read again while it was being saved

    async def save_locale(self, user_id: int, locale: Locale) -> None:
        """Set the language of a person. Raises StoreError."""
        await super().save_locale(user_id, locale)
        self._locales.pop(user_id, None)

    async def forget(self, user_id: int) -> bool:
        """Delete what is kept about a person; return whether there was anything. Raises StoreError."""
        held = await super().forget(user_id)
        self._locales.pop(user_id, None)
        return held
