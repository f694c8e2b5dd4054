"""The application commands the bot has registered."""

from typing import Any

from tests.e2e.standin import command_limits
from tests.e2e.standin.clock import Ids
from tests.e2e.standin.errors import ApiError

_DEFAULTS: dict[str, Any] = {
    "type": command_limits.CHAT_INPUT,
    "name_localizations": None,
    "description": "",
    "description_localizations": None,
    "default_member_permissions": None,
    "dm_permission": True,
    "contexts": None,
    "integration_types": [0],
    "nsfw": False,
}
Key = tuple[int, str]


class Commands:
    """The global commands, and those of single servers."""

    def __init__(self, application_id: str, ids: Ids) -> None:
        self._application_id = application_id
        self._ids = ids
        self._scopes: dict[str | None, dict[Key, dict[str, Any]]] = {}

    def listed(self, guild_id: str | None) -> list[dict[str, Any]]:
        """The commands of a server, or the global ones."""
        return list(self._scopes.get(guild_id, {}).values())

    def overwrite(self, guild_id: str | None, bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Put these in place of all others; those that stay keep their ids."""
        command_limits.check_commands(bodies)
        before = self._scopes.get(guild_id, {})
        made = [self._made(guild_id, body, before) for body in bodies]
        self._scopes[guild_id] = {_key(command): command for command in made}
        return self.listed(guild_id)

    def add(self, guild_id: str | None, body: dict[str, Any]) -> dict[str, Any]:
        """Add one, or change the one of the same name."""
        command_limits.check_command(body)
        before = self._scopes.setdefault(guild_id, {})
        made = self._made(guild_id, body, before)
        command_limits.check_count((before | {_key(made): made}).values())
        before[_key(made)] = made
        return made

    def remove(self, guild_id: str | None, snowflake: str) -> None:
        """Remove one."""
        for key, command in self._scopes.get(guild_id, {}).items():
            if command["id"] == snowflake:
                del self._scopes[guild_id][key]
                return
        raise ApiError(404, 10063, "Unknown application command")

    def find(self, kind: int, name: str, guild_id: str | None) -> dict[str, Any] | None:
        """The command people see under this name in a server, or outside of one."""
        own = self._scopes.get(guild_id, {}).get((kind, name)) if guild_id else None
        return own or self._scopes.get(None, {}).get((kind, name))

    def _made(
        self, guild_id: str | None, body: dict[str, Any], before: dict[Key, dict[str, Any]]
    ) -> dict[str, Any]:
        given = {key: value for key, value in body.items() if value is not None}
        command = _DEFAULTS | given | {"application_id": self._application_id}
        old = before.get(_key(command))
        command["id"] = old["id"] if old else self._ids.new()
        command["version"] = self._ids.new()
        permissions = command["default_member_permissions"]
        command["default_member_permissions"] = None if permissions is None else str(permissions)
        if guild_id is not None:
            command["guild_id"] = guild_id
        return command


def _key(command: dict[str, Any]) -> Key:
    return command["type"], command["name"]
