"""The bot as a process of its own, and what tests do with it."""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import aiohttp

from tests.conftest import ROOT
from tests.e2e.standin import StandIn
from tests.e2e.standin.clock import Notice
from tests.e2e.standin.server import HOST

LAUNCHER: Final = ROOT / "tests" / "e2e" / "launcher.py"
PATIENCE: Final = 60.0
"""Seconds for a process to start on a busy machine."""
IDENTIFY_PAUSE: Final = "0.2"
BUG: Final = re.compile(
    r"\berror [0-9a-f]{8}\b|\berror in |Task exception|never awaited|never retrieved"
)
"""What the log of a bot without bugs does not hold; discord.py itself logs tracebacks of networks."""


def free_port() -> int:
    """A port of this machine where nobody listens."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


WORDS: Final = {"GUNBAI_TEST_WORDS": "1"}
"""Settings of a bot whose search runs on words alone."""
NO_ENCODER: Final = "is not installed: the search runs on words alone"
"""What such a bot says of that."""


class Bot:
    """One process of the program; use it with ``async with``, which starts it.

    Args:
        standin: The Discord it talks to.
        folder: Where its database and home are.
        cache: What earlier starts have computed.
        arguments: The command line; the bot is run without one.
        settings: Further variables of its environment; None takes one away.
    """

    def __init__(
        self,
        standin: StandIn,
        folder: Path,
        cache: Path,
        *arguments: str,
        **settings: str | None,
    ) -> None:
        self._standin = standin
        self._arguments = arguments or ("run",)
        self.port = free_port()
        given = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "GUNBAI_TEST_API": standin.url,
            "GUNBAI_TEST_IDENTIFY_PAUSE": IDENTIFY_PAUSE,
            "GUNBAI_DATABASE": f"sqlite:///{folder / 'gunbai.db'}",
            "GUNBAI_CACHE": str(cache),
            "GUNBAI_PORT": str(self.port),
            "DISCORD_TOKEN": standin.token,
            **settings,
        }
        self._environment = {name: value for name, value in given.items() if value is not None}
        self._process: asyncio.subprocess.Process | None = None
        self._readers: list[asyncio.Task[None]] = []
        self._notice = Notice()
        self.lines: list[str] = []
        """The log, that is, standard error, of all starts."""
        self.printed: list[str] = []
        """Standard output."""

    @property
    def health(self) -> str:
        """The address of its health page."""
        return f"http://{HOST}:{self.port}/healthz"

    @property
    def metrics(self) -> str:
        """The address of its metrics."""
        return f"http://{HOST}:{self.port}/metrics"

    @property
    def log(self) -> str:
        """The log in one text."""
        return "\n".join(self.lines)

    @property
    def status(self) -> int | None:
        """The exit status of the last process, None while it runs."""
        assert self._process is not None, "not started"
        return self._process.returncode

    def errors(self) -> list[str]:
        """The lines of the log that tell of a bug."""
        return [line for line in self.lines if BUG.search(line)]

    async def launch(self) -> None:
        """Start the process and do not wait for anything."""
        assert self._process is None or self._process.returncode is not None, "it runs already"
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(LAUNCHER),
            *self._arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
            limit=1 << 20,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._readers = [
            asyncio.create_task(self._read(process.stdout, self.printed)),
            asyncio.create_task(self._read(process.stderr, self.lines)),
        ]

    async def start(self, shards: int = 1) -> Self:
        """Start the process and wait until it has that many new sessions."""
        ready = len(self._standin.records.events("ready"))
        await self.launch()
        await self.ready(ready + shards)
        return self

    async def ready(self, times: int) -> None:
        """Wait until sessions began so often since the start of the stand-in."""
        waiting = asyncio.create_task(
            self._standin.gateway.wait_event("ready", times, timeout=PATIENCE)
        )
        ending = asyncio.create_task(self.ended(PATIENCE))
        await asyncio.wait((waiting, ending), return_when=asyncio.FIRST_COMPLETED)
        early = not waiting.done()
        for task in (waiting, ending):
            task.cancel()
        await asyncio.gather(waiting, ending, return_exceptions=True)
        assert not early, f"it ended with {self.status}:\n{self.log}"

    async def logged(self, words: str, times: int = 1, timeout: float = 15.0) -> str:
        """Wait until so many lines of the log hold ``words``; return the last of them."""

        def found() -> list[str]:
            return [line for line in self.lines if words in line]

        try:
            await self.until(lambda: len(found()) >= times, timeout)
        except TimeoutError:
            raise AssertionError(f"{words!r} is not in the log:\n{self.log}") from None
        return found()[times - 1]

    async def until(self, condition: Callable[[], bool], timeout: float) -> None:
        """Wait for something about its output. Raises TimeoutError."""
        await self._notice.until(condition, timeout)

    async def page(self, address: str) -> tuple[int, str]:
        """The status and text of one of its pages."""
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            return answer.status, await answer.text()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process is not None, "not started"
        self._process.send_signal(number)

    async def ended(self, timeout: float = 10.0) -> int:
        """Wait for its end and return the exit status. Raises TimeoutError."""
        assert self._process is not None, "not started"
        status = await asyncio.wait_for(self._process.wait(), timeout)
        await asyncio.gather(*self._readers)
        return status

    async def terminate(self, timeout: float = 10.0) -> int:
        """Ask it to leave, wait for its end and return the exit status."""
        self.signal(signal.SIGTERM)
        return await self.ended(timeout)

    async def kill(self) -> None:
        """End it without a word, if it runs."""
        if self._process is None:
            return
        if self._process.returncode is None:
            self._process.kill()
        await self.ended()

    async def restart(self) -> None:
        """Let it leave and start it anew."""
        assert await self.terminate() == 0, self.log
        await self.start()

    async def __aenter__(self) -> Self:
        try:
            return await self.start()
        except BaseException:
            await self.kill()
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.kill()

    async def _read(self, stream: asyncio.StreamReader, lines: list[str]) -> None:
        async for line in stream:
            lines.append(line.decode(errors="replace").rstrip("\n"))
            self._notice.touch()
