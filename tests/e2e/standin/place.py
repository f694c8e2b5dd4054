"""Where an interaction happens, and what it tells about that."""

from dataclasses import dataclass
from typing import Any

from tests.e2e.standin.world import Guild, PrivateChannel, User


@dataclass(frozen=True)
class Place:
    """A server's channel or a private one, and who installed the app there."""

    guild: Guild | None
    channel: PrivateChannel | None
    context: int
    owners: dict[str, str]

    @property
    def channel_id(self) -> str:
        """The channel's snowflake."""
        if self.guild is not None:
            return self.guild.channel_id
        assert self.channel is not None
        return self.channel.id

    def payload(self, user: User) -> dict[str, Any]:
        """What an interaction tells about the place and the person there."""
        if self.guild is not None:
            return {
                "guild_id": self.guild.id,
                "guild": self.guild.partial(),
                "guild_locale": self.guild.locale,
                "channel_id": self.guild.channel_id,
                "channel": self.guild.channel(),
                "member": self.guild.member(user),
                "app_permissions": str(self.guild.app_permissions),
            }
        assert self.channel is not None
        return {
            "channel_id": self.channel.id,
            "channel": self.channel.payload(),
            "user": user.payload(),
            "app_permissions": "2251804225",
        }
