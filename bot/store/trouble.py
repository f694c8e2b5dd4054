"""What can go wrong with the store, in one line without secrets.

The messages are made of fixed words and of names: what a driver says may hold a password, an id or
what someone typed, so it is passed on only where SQLite words it, which knows none of these.
"""

import os
import socket
import sqlite3
from typing import Final

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

UNWRITABLE_SQLITE: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,  # the folder takes no journal
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
}
UNWRITABLE_POSTGRESQL: Final = {"25006", "42501", "53100"}
"""SQLSTATE: read-only transaction, insufficient privilege, disk full."""


class StoreError(Exception):
    """The store cannot be used; the message is one line and holds neither secrets nor ids."""


class UnwritableError(StoreError):
    """This could not be saved; what is there can perhaps be read all the same."""


class UnfitError(StoreError):
    """A value that no database takes; the store itself is well."""


def store_error(database: str, error: Exception, *, writing: bool = False) -> StoreError:
    """Return what is raised in place of ``error``, which came from ``database``'s driver."""
    cause = _cause(error)
    message = f"settings in {database}: {_words(cause)}"
    return UnwritableError(message) if writing and _only_unwritable(cause) else StoreError(message)


def _cause(error: BaseException) -> BaseException:
    """Return the driver's own exception from inside SQLAlchemy's."""
    while isinstance(inner := getattr(error, "orig", None), BaseException):
        error = inner
    return error


def _words(cause: BaseException) -> str:
    match cause:
        case sqlite3.Error():
            return " ".join(str(cause).split()) or "unknown trouble"
        case asyncpg.PostgresError():
            return f"{type(cause).__name__} (SQLSTATE {cause.sqlstate})"
        case TimeoutError() | PoolTimeoutError():
            return "no answer in time"
        case socket.gaierror():
            return "the host is not found"
        case OSError(errno=int(number)):
            return os.strerror(number)
        case DBAPIError():
            return type(cause.orig).__name__
        case _:
            return type(cause).__name__


def _only_unwritable(cause: BaseException) -> bool:
    if isinstance(cause, sqlite3.Error):
        # The low byte is the code itself, the rest says more about it.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in UNWRITABLE_SQLITE
    return getattr(cause, "sqlstate", None) in UNWRITABLE_POSTGRESQL
