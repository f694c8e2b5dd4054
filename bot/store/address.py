"""Where the database is: what GUNBAI_DATABASE may say."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from bot.store.trouble import StoreError

ALLOWED: Final = "sqlite:///path/of/a/file or postgresql://user:password@host:port/database"
PARAMETERS: Final = frozenset(
    {
        "application_name",
        "dbname",
        "host",
        "password",
        "port",
        "sslcert",
        "sslkey",
        "sslmode",
        "sslrootcert",
        "target_session_attrs",
        "user",
    }
)
"""What may follow the question mark; the driver would take any other for a server setting."""
HOST: Final = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^:\[\]\s]*)(?::[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class FileAddress:
    """An SQLite file."""

    path: Path
    database: str = "SQLite"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A PostgreSQL server; ``url`` may hold a password and is never shown."""

    url: str = field(repr=False)
    database: str = "PostgreSQL"


def address(url: str) -> FileAddress | ServerAddress:
    """Return what ``url`` names. Raises StoreError, which never repeats any part of it."""
    url = url.strip()
    scheme, colon, rest = url.partition("://")
    if colon and scheme.lower() == "sqlite":
        return FileAddress(_path(rest))
    if colon and scheme.lower() in ("postgresql", "postgres"):
        url = f"postgresql://{rest}"
        _check(url)
        return ServerAddress(url)
    raise _error(f"it has to be {ALLOWED}")


def _error(reason: str) -> StoreError:
    return StoreError(f"GUNBAI_DATABASE: {reason}")


def _path(rest: str) -> Path:
    name = rest.removeprefix("/")
    if name == rest or not name.strip("/") or name.endswith(("/", "\\")):
        raise _error("after sqlite:/// there has to be the path of a file (a fourth / begins it)")
    if name == ":memory:":
        raise _error("a database in memory would forget everything; name a file")
    if "?" in name or "\0" in name:
        raise _error("after sqlite:/// there can only be a path, without ? and what follows it")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise _error("the home folder that ~ stands for is not known") from None


def _check(url: str) -> None:
    """Find what the driver would misread, for it might then show a piece of the password."""
    encode = "write / ? # @ : in a user name or password as %2F %3F %23 %40 %3A"
    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise _error(f"this is no address; {encode}") from None
    access, _, hosts = parts.netloc.rpartition("@")
    if parts.fragment or "@" in access or access.count(":") > 1 or "@" in parts.path:
        raise _error(encode)
    if not all(HOST.fullmatch(host) for host in hosts.split(",")):
        raise _error(f"host and port are not readable; {encode}")
    if any(name not in PARAMETERS for name, _ in query):
        raise _error(f"after ? only these are known: {', '.join(sorted(PARAMETERS))}; {encode}")
    if any(name == "port" and not re.fullmatch("[0-9,]+", value) for name, value in query):
        raise _error("the port after ? has to be a number")
