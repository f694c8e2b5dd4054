"""The stand-in's own time, which tests can move on, and the ids made from it."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime

DISCORD_EPOCH_MS = 1_420_070_400_000


class Clock:
    """Time that runs by itself and jumps when told."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """Seconds on a scale of its own, for measuring spans."""
        return time.monotonic() + self._ahead

    def advance(self, seconds: float) -> None:
        """Jump ahead."""
        self._ahead += seconds

    def stamp(self) -> str:
        """The date and time as Discord writes them."""
        return datetime.fromtimestamp(time.time() + self._ahead, UTC).isoformat()


class Ids:
    """Gives out snowflakes, each larger than the one before."""

    def __init__(self) -> None:
        self._last = 0

    def new(self) -> str:
        """Return a snowflake."""
        made = (int(time.time() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last = max(made, self._last + 1)
        return str(self._last)


class Notice:
    """Lets tests wait until something is so."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    def touch(self) -> None:
        """Say that something may have changed."""
        if not self._waiting:
            return
        still = []
        for condition, future in self._waiting:
            if future.done():
                continue
            if condition():
                future.set_result(None)
            else:
                still.append((condition, future))
        self._waiting = still

    async def until(self, condition: Callable[[], bool], timeout: float) -> None:
        """Wait for the condition. Raises TimeoutError."""
        if condition():
            return
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((condition, future))
        try:
            await asyncio.wait_for(future, timeout)
        finally:
            self._waiting = [entry for entry in self._waiting if entry[1] is not future]
