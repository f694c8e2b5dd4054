"""Failures on purpose: which requests fail, how, and how often."""

import re
from dataclasses import dataclass
from typing import Literal


@dataclass
class Fault:
    """One rule: requests it fits fail the way it says."""

    method: str
    path: re.Pattern[str]
    times: int | None = 1
    """How many requests still; None is every one."""
    status: int | None = None
    """The status to answer with, and nothing is done; None is the usual answer."""
    retry_after: float = 1.0
    is_global: bool = False
    cloudflare: bool = False
    """Whether a 429 comes from before the API: text, and no Via header."""
    delay: float = 0.0
    """Seconds before anything is done."""
    delay_answer: float = 0.0
    """Seconds after all was done."""
    drop: Literal["before", "after"] | None = None
    """Whether the connection is cut, before or after the request was carried out."""
    remaining: int | None = None
    """What X-RateLimit-Remaining says; with 0, retry_after tells when it resets."""
    hits: int = 0

    def fits(self, method: str, path: str) -> bool:
        """Tell whether the rule is for this request and not used up."""
        if self.times is not None and self.hits >= self.times:
            return False
        return self.method in (method, "*") and self.path.search(path) is not None


CALLBACK = r"^/interactions/\d+/[^/]+/callback$"
FOLLOW_UP = r"^/webhooks/\d+/[^/]+$"
MESSAGES = r"^/webhooks/\d+/[^/]+/messages/"
COMMANDS = r"^/applications/\d+(/guilds/\d+)?/commands"


class Faults:
    """The rules in force; the first that fits is used."""

    def __init__(self) -> None:
        self._rules: list[Fault] = []

    def add(
        self,
        method: str,
        path: str,
        *,
        times: int | None = 1,
        status: int | None = None,
        retry_after: float = 1.0,
        is_global: bool = False,
        cloudflare: bool = False,
        delay: float = 0.0,
        delay_answer: float = 0.0,
        drop: Literal["before", "after"] | None = None,
        remaining: int | None = None,
    ) -> Fault:
        """Add a rule for a method ("*" is any) and a regular expression over the path."""
        fault = Fault(
            method=method,
            path=re.compile(path),
            times=times,
            status=status,
            retry_after=retry_after,
            is_global=is_global,
            cloudflare=cloudflare,
            delay=delay,
            delay_answer=delay_answer,
            drop=drop,
            remaining=remaining,
        )
        self._rules.append(fault)
        return fault

    def clear(self) -> None:
        """Let everything work again."""
        self._rules.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """Return the rule for a request and count it."""
        for fault in self._rules:
            if fault.fits(method, path):
                fault.hits += 1
                return fault
        return None
