"""The users, servers and private channels that exist, as Discord describes them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.standin.clock import Ids

JOINED = "2024-01-01T00:00:00+00:00"
MEMBER_PERMISSIONS = 2248473465835073
"""What an ordinary member may do in a new server; moderation is not in it."""


@dataclass(frozen=True)
class User:
    """Somebody, with the language of their client."""

    id: str
    name: str
    locale: str = "en-US"
    bot: bool = False

    def payload(self) -> dict[str, Any]:
        """The user object."""
        return {
            "id": self.id,
            "username": self.name,
            "discriminator": "0",
            "global_name": self.name,
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "avatar_decoration_data": None,
            "clan": None,
            "primary_guild": None,
        }


@dataclass(frozen=True)
class Guild:
    """A server with one text channel; ``bot_present`` is false where only users have the app."""

    id: str
    name: str
    locale: str
    owner: User
    channel_id: str
    permissions: int = MEMBER_PERMISSIONS
    app_permissions: int = MEMBER_PERMISSIONS
    bot_present: bool = True
    nicknames: dict[str, str] = field(default_factory=dict)

    def partial(self) -> dict[str, Any]:
        """The guild object of an interaction."""
        return {"id": self.id, "locale": self.locale, "features": []}

    def channel(self) -> dict[str, Any]:
        """The channel object of an interaction."""
        return self._channel() | {"guild_id": self.id, "permissions": str(self.permissions)}

    def member(self, user: User) -> dict[str, Any]:
        """The member object of an interaction."""
        everything = (1 << 53) - 1
        allowed = everything if user == self.owner else self.permissions
        return self._member(user) | {"permissions": str(allowed)}

    def whole(self, bot: User) -> dict[str, Any]:
        """The guild object of a GUILD_CREATE event."""
        return {
            **self.partial(),
            "name": self.name,
            "owner_id": self.owner.id,
            "preferred_locale": self.locale,
            "roles": [self._everyone()],
            "channels": [self._channel()],
            "members": [self._member(bot)],
            "member_count": 2,
            "joined_at": JOINED,
            "large": False,
            "unavailable": False,
            "icon": None,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "premium_tier": 0,
            "nsfw_level": 0,
            "mfa_level": 0,
            **{key: [] for key in ("threads", "voice_states", "presences", "emojis", "stickers")},
            **{key: [] for key in ("stage_instances", "guild_scheduled_events")},
        }

    def _channel(self) -> dict[str, Any]:
        return {
            "id": self.channel_id,
            "type": 0,
            "name": "general",
            "position": 0,
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "flags": 0,
            "rate_limit_per_user": 0,
            "last_message_id": None,
            "permission_overwrites": [],
        }

    def _everyone(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": "@everyone",
            "permissions": str(self.permissions),
            "position": 0,
            "color": 0,
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }

    def _member(self, user: User) -> dict[str, Any]:
        return {
            "user": user.payload(),
            "nick": self.nicknames.get(user.id),
            "avatar": None,
            "banner": None,
            "roles": [],
            "joined_at": JOINED,
            "premium_since": None,
            "communication_disabled_until": None,
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
        }


@dataclass(frozen=True)
class PrivateChannel:
    """A conversation outside of servers: with the bot, with somebody else, or of a group."""

    id: str
    recipients: tuple[User, ...]

    def payload(self) -> dict[str, Any]:
        """The channel object of an interaction."""
        shared = {
            "id": self.id,
            "last_message_id": None,
            "flags": 0,
            "recipients": [user.payload() for user in self.recipients],
        }
        if len(self.recipients) > 1:
            owner = self.recipients[0].id
            return shared | {"type": 3, "name": None, "icon": None, "owner_id": owner}
        return shared | {"type": 1}


class World:
    """Everything that exists, and the making of more of it."""

    def __init__(self, ids: Ids, bot_name: str) -> None:
        self._ids = ids
        self.bot = User(ids.new(), bot_name, bot=True)
        self.owner = self.user("the developer")
        self.guilds: list[Guild] = []
        self._private: dict[tuple[str, ...], PrivateChannel] = {}

    def user(self, name: str, locale: str = "en-US") -> User:
        """Make a user."""
        return User(self._ids.new(), name, locale)

    def guild(
        self,
        name: str = "a server",
        locale: str = "en-US",
        *,
        owner: User | None = None,
        permissions: int = MEMBER_PERMISSIONS,
        bot_present: bool = True,
        shard: tuple[int, int] | None = None,
    ) -> Guild:
        """Make a server, on the given shard of so many if that matters."""
        snowflake = int(self._ids.new())
        if shard is not None:
            number, count = shard
            snowflake += ((number - (snowflake >> 22)) % count) << 22
        guild = Guild(
            id=str(snowflake),
            name=name,
            locale=locale,
            owner=owner or self.owner,
            channel_id=self._ids.new(),
            permissions=permissions,
            bot_present=bot_present,
        )
        self.guilds.append(guild)
        return guild

    def dm(self, user: User) -> PrivateChannel:
        """The conversation of a user with the bot."""
        return self.private(user, (self.bot,))

    def private(self, user: User, others: Sequence[User]) -> PrivateChannel:
        """The conversation of a user with others."""
        key = tuple(sorted((user.id, *(other.id for other in others))))
        shown = (user,) if tuple(others) == (self.bot,) else tuple(others)
        if key not in self._private:
            self._private[key] = PrivateChannel(self._ids.new(), shown)
        return self._private[key]
