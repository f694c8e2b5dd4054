"""Whom a message would notify."""

import re
from collections.abc import Mapping
from typing import Any

_EVERYONE = re.compile(r"@(everyone|here)\b")
_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")


def pings(content: str | None, allowed: Mapping[str, Any] | None) -> list[str]:
    """Return the mentions of the text that the permission lets through, as they are written."""
    text = content or ""
    found = [f"@{word}" for word in _EVERYONE.findall(text) if _lets(allowed, "everyone", "")]
    found += [f"<@{user}>" for user in _USER.findall(text) if _lets(allowed, "users", user)]
    found += [f"<@&{role}>" for role in _ROLE.findall(text) if _lets(allowed, "roles", role)]
    return list(dict.fromkeys(found))


def _lets(allowed: Mapping[str, Any] | None, kind: str, snowflake: str) -> bool:
    """Without a permission everything is let through; with one, only what it lists."""
    if allowed is None:
        return True
    if kind in (allowed.get("parse") or []):
        return True
    return snowflake in map(str, allowed.get(kind) or [])
