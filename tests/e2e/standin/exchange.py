"""One interaction: what was sent to the bot and everything it answered."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Self

from tests.e2e.standin.clock import Notice
from tests.e2e.standin.messages import StoredMessage
from tests.e2e.standin.place import Place
from tests.e2e.standin.world import User

COMMAND, COMPONENT, AUTOCOMPLETE = 2, 3, 4
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, SHOW_MODAL = 4, 5, 6, 7, 8, 9
MAX_WAIT = 3.0
"""Seconds the bot has for its first answer."""
TOKEN_LIFE = 15 * 60.0
"""Seconds the interaction's token works."""


@dataclass(eq=False)
class Exchange:
    """An interaction and its answers; tests wait on it."""

    payload: dict[str, Any]
    user: User
    sent: float
    place: Place
    target: StoredMessage | None = None
    """The message whose button was pressed."""
    option_type: int = 3
    """The type of the option being completed."""
    delivered: int = 0
    """To how many sessions of the bot it was sent."""
    answered: float | None = None
    unanswered: bool = False
    """Whether the bot let the time for its first answer pass."""
    callback: dict[str, Any] | None = None
    """The accepted answer."""
    original: StoredMessage | None = None
    follow_ups: list[StoredMessage] = field(default_factory=list)
    notice: Notice = field(default_factory=Notice)
    timer: asyncio.TimerHandle | None = None

    @property
    def id(self) -> str:
        """The snowflake."""
        snowflake: str = self.payload["id"]
        return snowflake

    @property
    def token(self) -> str:
        """The token that answers need."""
        token: str = self.payload["token"]
        return token

    @property
    def type(self) -> int | None:
        """The type of the answer."""
        return None if self.callback is None else self.callback["type"]

    @property
    def data(self) -> dict[str, Any]:
        """The data of the answer, as the bot sent it."""
        return (self.callback or {}).get("data") or {}

    @property
    def choices(self) -> list[dict[str, Any]]:
        """The suggestions of an autocomplete answer."""
        return self.data.get("choices") or []

    @property
    def message(self) -> StoredMessage:
        """The message the answer made or changed. Fails the test when there is none."""
        assert self.original is not None, "no message was made or changed"
        return self.original

    @property
    def ephemeral(self) -> bool:
        """Whether only the person who used the bot sees the answer."""
        return self.original is not None and self.original.ephemeral

    @property
    def elapsed_ms(self) -> float:
        """How long the bot took for its first answer."""
        assert self.answered is not None, "not answered"
        return (self.answered - self.sent) * 1000

    @property
    def settled(self) -> bool:
        """Whether the first answer came or can no longer come."""
        return self.answered is not None or self.unanswered

    async def response(self, timeout: float = 5.0) -> Self:
        """Wait until the bot answered, or until Discord stops waiting for it."""
        await self.notice.until(lambda: self.settled, timeout)
        return self

    async def shown(self, timeout: float = 5.0) -> StoredMessage:
        """Wait for a message that no longer says that the bot is thinking."""
        await self.notice.until(
            lambda: self.original is not None and not self.original.loading, timeout
        )
        return self.message

    async def edited(self, times: int = 1, timeout: float = 5.0) -> StoredMessage:
        """Wait until the first message was changed that often."""
        await self.notice.until(
            lambda: self.original is not None and len(self.original.versions) >= times, timeout
        )
        return self.message

    async def follow_up(self, number: int = 1, timeout: float = 5.0) -> StoredMessage:
        """Wait for a further message, counted from 1."""
        await self.notice.until(lambda: len(self.follow_ups) >= number, timeout)
        return self.follow_ups[number - 1]

    def settle(self) -> None:
        """Stop waiting for the first answer."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        self.notice.touch()
