"""The bot under load, beside a bot that always answers the same, in one run.

    python -m bench.chat

Both run as processes of their own against the tests' stand-in for Discord on 127.0.0.1. Users in turn
type (five of ten interactions are completions), ask (three: half of them picked from a completion, the
others names, numbers and situations) and click (two). Each waits for its answer before the next. Then
20,000 interactions show whether memory stays flat. Takes about four minutes.
"""

import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.table import Table

from bot import resources
from bot.policy import packs
from tests.e2e.standin.exchange import Exchange
from tests.e2e.standin.messages import StoredMessage
from tests.e2e.standin.server import StandIn

ROOT: Final = Path(__file__).parent.parent
USERS: Final = (1, 10, 100)
SECONDS: Final = 8.0
"""How long each number of users goes on."""
MANY: Final = 20_000
COMMANDS: Final = {
    "Gunbai": [sys.executable, str(ROOT / "tests" / "e2e" / "launcher.py"), "run"],
    "plain bot": [sys.executable, "-m", "bench.plain_bot"],
}


@dataclass(slots=True)
class Crowd:
    """People who ask, and what came of it."""

    standin: StandIn
    queries: list[str]
    ids: list[str]
    milliseconds: list[float] = field(default_factory=list)
    lost: int = 0

    async def user(self, number: int, until: float, most: int) -> None:
        """Type, ask and click until the time or the number is over."""
        chance = random.Random(number)  # noqa: S311 - a load, not a secret
        person = self.standin.create.user(f"user{number}", chance.choice(["ja", "en-US"]))
        guild = self.standin.create.guild(shard=(0, 1))
        message: StoredMessage | None = None
        for _ in range(most):
            if time.monotonic() > until:
                return
            kind = chance.randrange(10)
            query = chance.choice(self.ids if chance.random() < 0.5 else self.queries)
            if kind < 5:
                typed = chance.choice(self.queries)[: chance.randint(1, 6)]
                exchange = await self.standin.interact.autocomplete(
                    "infraction", {"query": typed}, focused="query", user=person, guild=guild
                )
            elif kind < 8 or message is None or not message.controls:
                exchange = await self.standin.interact.command(
                    "infraction", {"query": query}, user=person, guild=guild
                )
            else:
                exchange = await self._click(message, chance, person)
            await self._answer(exchange)
            if exchange.type in (4, 7):
                message = exchange.message

    async def _click(
        self, message: StoredMessage, chance: random.Random, person: object
    ) -> Exchange:
        buttons = [c for c in message.controls if c.get("custom_id") and c["type"] == 2]
        button = chance.choice(buttons)
        return await self.standin.interact.click(message, button["custom_id"], person)  # type: ignore[arg-type]  # a user of the stand-in

    async def _answer(self, exchange: Exchange) -> None:
        try:
            await exchange.response(timeout=5)
            self.milliseconds.append(exchange.elapsed_ms)
        except (TimeoutError, AssertionError):
            self.lost += 1


@asynccontextmanager
async def running(name: str, folder: Path) -> AsyncIterator[tuple[StandIn, int]]:
    """Run one of the bots against a stand-in of its own; yield that and the process id."""
    async with StandIn() as standin:
        standin.rest.checks_schema = False
        standin.records.keep = False
        environment = os.environ | {
            "GUNBAI_TEST_API": standin.url,
            "DISCORD_TOKEN": standin.token,
            "GUNBAI_DATABASE": f"sqlite:///{folder / 'load.db'}",
            "GUNBAI_LOG_LEVEL": "WARNING",
        }
        process = await asyncio.create_subprocess_exec(
            *COMMANDS[name], env=environment, cwd=ROOT, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            await standin.gateway.wait_connected(shards=1, timeout=60)
            await asyncio.sleep(3)  # the commands are registered
            yield standin, process.pid
        finally:
            process.terminate()
            await process.wait()


async def crowd(standin: StandIn, users: int, seconds: float, most: int, seed: int = 0) -> Crowd:
    """Let ``users`` people go on for ``seconds``, each with at most ``most`` interactions."""
    library = packs.load(resources.folder("policy_data"))
    told = [
        phrase
        for pack in library.packs
        for item in pack.situations
        for phrase in (*item.ja[:3], *item.en[:3])
    ]
    names = [
        name for pack in library.packs for s in pack.sections for name in (s.name.ja, s.name.en)
    ]
    numbers = [f"{pack.header.id} {s.number}" for pack in library.packs for s in pack.sections]
    people = Crowd(standin, [*told[::3], *names, *numbers], sorted(library.ids))
    until = time.monotonic() + seconds
    await asyncio.gather(*(people.user(seed + n, until, most) for n in range(users)))
    return people


def memory(process: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def compare(console: Console, folder: Path) -> None:
    """Print throughput and times of both bots."""
    table = Table("users", "bot", "answers/s", "share", "p50 ms", "p99 ms", "lost")
    rates: dict[tuple[int, str], float] = {}
    rows: dict[tuple[int, str], list[str]] = {}
    for name in ("plain bot", "Gunbai"):
        async with running(name, folder) as (standin, _):
            await crowd(standin, 5, 3.0, 10_000, seed=900)  # warm
            for users in USERS:
                console.print(f"{name}, {users} users ...", style="dim")
                start = time.monotonic()
                people = await crowd(standin, users, SECONDS, 1_000_000)
                standin.answers.forget()
                rate = len(people.milliseconds) / (time.monotonic() - start)
                rates[users, name] = rate
                p50, p99 = np.quantile(people.milliseconds, [0.5, 0.99])
                rows[users, name] = [f"{p50:.1f}", f"{p99:.1f}", str(people.lost)]
    for users in USERS:
        for name in ("plain bot", "Gunbai"):
            share = rates[users, name] / rates[users, "plain bot"]
            table.add_row(
                str(users), name, f"{rates[users, name]:.0f}", f"{share:.2f}", *rows[users, name]
            )
    console.print(table)


async def flat(console: Console, folder: Path) -> None:
    """Print the bot's memory over many interactions."""
    table = Table("interactions", "MB")
    async with running("Gunbai", folder) as (standin, process):
        done = 0
        while done < MANY:
            people = await crowd(standin, 20, 600.0, 125, seed=done)
            standin.answers.forget()
            done += len(people.milliseconds) + people.lost
            table.add_row(f"{done:,}", f"{memory(process):.0f}")
    console.print(table)


def main() -> None:
    """Print both tables."""
    console = Console(width=100)
    with tempfile.TemporaryDirectory(prefix="gunbai-bench-") as name:
        asyncio.run(compare(console, Path(name)))
        asyncio.run(flat(console, Path(name)))


if __name__ == "__main__":
    main()
