"""Runs the program unchanged with Discord's addresses turned to the stand-in.

    GUNBAI_TEST_API=http://127.0.0.1:PORT python tests/e2e/launcher.py ARGUMENT...

GUNBAI_TEST_IDENTIFY_PAUSE, where set, is how many seconds discord.py waits before each but the first
identification, in place of its 5. GUNBAI_TEST_SILENCE, where set, is how many seconds of silence of the
gateway it bears, in place of its 60. With GUNBAI_TEST_WORDS it is as if the encoder's package were not installed, which
saves two seconds at the start.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket, KeepAliveHandler
from discord.http import Route

ROOT = Path(__file__).parent.parent.parent


def redirect(api: str) -> None:
    """Turn discord.py to the server with this address."""
    Route.BASE = f"{api}/api/v10"
    address = yarl.URL(api)
    DiscordWebSocket.DEFAULT_GATEWAY = address.with_scheme("ws").with_path("/gateway")


def shorten_pause(seconds: float) -> None:
    """Change how long discord.py waits before each but the first identification."""

    async def pause(_: Any, __: int | None, *, initial: bool = False) -> None:
        if not initial:
            await asyncio.sleep(seconds)

    discord.Client.before_identify_hook = pause  # type: ignore[assignment, method-assign]


def shorten_silence(seconds: float) -> None:
    """Change how long discord.py bears silence before it connects anew."""
    begin = KeepAliveHandler.__init__

    def begin_impatient(handler: KeepAliveHandler, *arguments: Any, **more: Any) -> None:
        begin(handler, *arguments, **more)
        handler.heartbeat_timeout = seconds

    KeepAliveHandler.__init__ = begin_impatient  # type: ignore[assignment, method-assign]


def run() -> int:
    """Run the program with the arguments of this process."""
    redirect(os.environ["GUNBAI_TEST_API"])
    if "GUNBAI_TEST_IDENTIFY_PAUSE" in os.environ:
        shorten_pause(float(os.environ["GUNBAI_TEST_IDENTIFY_PAUSE"]))
    if "GUNBAI_TEST_SILENCE" in os.environ:
        shorten_silence(float(os.environ["GUNBAI_TEST_SILENCE"]))
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from bot.__main__ import main
    from bot.search import meaning

    if "GUNBAI_TEST_WORDS" in os.environ:
        meaning.encoder_version = lambda: None
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(run())
