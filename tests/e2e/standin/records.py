"""What the bot did, for tests to look at."""

import re
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.standin.clock import Notice


@dataclass
class Request:
    """One request to the API, without the bot's token."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    at: float
    body: Any = None
    status: int | None = None
    """What was answered; None when the connection was cut."""
    answer: Any = None


@dataclass
class GatewayEvent:
    """Something that happened at the gateway."""

    kind: str
    """connect, identify, resume, heartbeat, presence, other, dispatch, op or close."""
    at: float
    shard: tuple[int, int] | None
    data: Any = None


@dataclass
class Records:
    """Everything so far, in order."""

    requests: list[Request] = field(default_factory=list)
    gateway: list[GatewayEvent] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    """Bodies that Discord's description of its API does not allow."""
    keep: bool = True
    """Whether to note requests and heartbeats; a load test need not."""
    notice: Notice = field(default_factory=Notice)

    def of(self, method: str, path: str) -> list[Request]:
        """The requests of a method whose path fits a regular expression."""
        return [
            request
            for request in self.requests
            if request.method == method and re.search(path, request.path)
        ]

    def events(self, kind: str) -> list[GatewayEvent]:
        """What of one kind happened at the gateway."""
        return [event for event in self.gateway if event.kind == kind]

    def note(self, entry: Request | GatewayEvent) -> None:
        """Add an entry."""
        if not self.keep:
            return
        if isinstance(entry, Request):
            self.requests.append(entry)
        else:
            self.gateway.append(entry)
        self.notice.touch()
