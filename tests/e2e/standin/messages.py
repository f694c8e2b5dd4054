"""The messages of the bot, as they are shown and as they once were."""

import copy
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.standin import components, limits, mentions
from tests.e2e.standin.place import Place

_KEPT = ("content", "embeds", "components", "attachments", "tts", "poll")


@dataclass
class StoredMessage:
    """One message of the bot with its history."""

    payload: dict[str, Any]
    place: Place | None = None
    deleted: bool = False
    allowed_mentions: dict[str, Any] | None = None
    pings: list[str] = field(default_factory=list)
    versions: list[dict[str, Any]] = field(default_factory=list)
    """What each state before the present one looked like, the oldest first."""

    @property
    def id(self) -> str:
        """The snowflake."""
        snowflake: str = self.payload["id"]
        return snowflake

    @property
    def content(self) -> str:
        """The text."""
        text: str = self.payload["content"]
        return text

    @property
    def embeds(self) -> list[dict[str, Any]]:
        """The embeds."""
        embeds: list[dict[str, Any]] = self.payload["embeds"]
        return embeds

    @property
    def components(self) -> list[dict[str, Any]]:
        """The rows, or whatever else is at the top."""
        rows: list[dict[str, Any]] = self.payload["components"]
        return rows

    @property
    def ephemeral(self) -> bool:
        """Whether only the person who used the bot sees it."""
        return bool(self.payload["flags"] & limits.EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether it still says that the bot is thinking."""
        return bool(self.payload["flags"] & limits.LOADING)

    @property
    def text(self) -> str:
        """Every word it shows, for tests that only look for something."""
        parts = [self.content]
        for embed in self.embeds:
            parts += [embed.get("title") or "", embed.get("description") or ""]
            for entry in embed.get("fields") or []:
                parts += [entry["name"], entry["value"]]
            parts.append((embed.get("footer") or {}).get("text") or "")
        parts += [part.get("content") or "" for _, part in components.walk(self.components)]
        return "\n".join(part for part in parts if part)

    @property
    def controls(self) -> list[dict[str, Any]]:
        """The buttons and selects, in order."""
        kinds = (components.BUTTON, *components.SELECTS)
        return [part for _, part in components.walk(self.components) if part["type"] in kinds]

    def control(self, custom_id: str) -> dict[str, Any] | None:
        """The button or select with this id."""
        return next((part for part in self.controls if part.get("custom_id") == custom_id), None)

    def write(self, body: dict[str, Any], edited: str | None) -> None:
        """Take over what a request says; what it leaves out stays. Raises ApiError when empty."""
        changed = self.payload | {key: body[key] for key in _KEPT if key in body}
        for key in ("embeds", "components", "attachments"):
            changed[key] = changed[key] or []
        changed["content"] = changed["content"] or ""
        flags = (self.payload["flags"] & ~limits.LOADING) | ((body.get("flags") or 0) & limits.V2)
        changed["flags"] = flags
        limits.check_not_empty(changed)
        if edited is not None:
            self.versions.append(self.payload)
            changed["edited_timestamp"] = edited
        self.payload = changed
        self.allowed_mentions = body.get("allowed_mentions")
        self.pings = mentions.pings(changed["content"], self.allowed_mentions)

    def snapshot(self) -> dict[str, Any]:
        """A copy to send to the bot."""
        return copy.deepcopy(self.payload)
