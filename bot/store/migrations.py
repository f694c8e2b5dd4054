"""The steps that made the tables what they are. A step that was released never changes.

The first one holds the tables as they were then, not those of ``tables``; a test compares what all
steps lead to with what ``tables`` says.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import DDL, Column, MetaData, Table, Text
from sqlalchemy.schema import CreateTable, ExecutableDDLElement

from bot.store.tables import ID


@dataclass(frozen=True, slots=True)
class Migration:
    """One step, carried out whole or not at all."""

    number: int
    what: str
    statements: tuple[ExecutableDDLElement, ...]


_FIRST = MetaData()

MIGRATIONS: Final = (
    Migration(
        1,
        "languages and games of servers, languages of people, facts about the bot",
        (
            CreateTable(
                Table(
                    "servers",
                    _FIRST,
                    Column("server_id", ID, primary_key=True, autoincrement=False),
                    Column("locale", Text),
                    Column("game", Text),
                )
            ),
            CreateTable(
                Table(
                    "people",
                    _FIRST,
                    Column("user_id", ID, primary_key=True, autoincrement=False),
                    Column("locale", Text, nullable=False),
                )
            ),
            CreateTable(
                Table(
                    "facts",
                    _FIRST,
                    Column("name", Text, primary_key=True),
                    Column("value", Text, nullable=False),
                )
            ),
        ),
    ),
    Migration(
        2,
        "whether a server's answers are private",
        (DDL("ALTER TABLE servers ADD COLUMN private BOOLEAN"),),  # type: ignore[no-untyped-call]
    ),
)
