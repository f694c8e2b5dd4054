"""Logging through the standard library: lines for people, or one JSON object a line."""

import logging
import sys
from typing import Literal

from pythonjsonlogger.json import JsonFormatter


def configure(form: Literal["text", "json"], level: str) -> None:
    """Send the log of the whole process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    if form == "json":
        handler.setFormatter(
            JsonFormatter(
                "{asctime}{levelname}{name}{message}",
                style="{",
                rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
            )
        )
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    # What discord.py tells below this are whole events: people, their questions and tokens.
    logging.getLogger("discord").setLevel(max(root.level, logging.INFO))
    # discord.py warns that voice is not installed and that no intent is asked for: both are meant.
    for name in ("discord.client", "discord.state"):
        logging.getLogger(name).setLevel(logging.ERROR)
    logging.getLogger("discord.gateway").addFilter(_no_session_ids)
    # It tells of completions that came too late, with the ids of people.
    logging.getLogger("discord.app_commands.tree").setLevel(logging.CRITICAL)
    logging.getLogger("watchfiles").setLevel(logging.WARNING)


def _no_session_ids(record: logging.LogRecord) -> bool:
    """Keep the ids of gateway sessions, which let anyone resume them, out of the log."""
    return "session" not in record.getMessage().lower() or record.levelno >= logging.WARNING
