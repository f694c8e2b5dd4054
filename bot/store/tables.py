"""The tables as they are after every migration."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Integer, MetaData, Table, Text, func

METADATA: Final = MetaData()

ID: Final = BigInteger().with_variant(Integer(), "sqlite")
"""Discord's ids need 63 bits. SQLite's INTEGER has 64 and is the key of the row itself."""

SERVERS: Final = Table(
    "servers",
    METADATA,
    Column("server_id", ID, primary_key=True, autoincrement=False),
    Column("locale", Text),
    Column("game", Text),
    Column("private", Boolean),
)
PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("user_id", ID, primary_key=True, autoincrement=False),
    Column("locale", Text, nullable=False),
)
FACTS: Final = Table(
    "facts",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
APPLIED: Final = Table(
    "migrations",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("applied_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)
