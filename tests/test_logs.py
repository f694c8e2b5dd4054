"""The log: JSON for machines, lines for people, and nothing that lets anyone in."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from bot import logs

LOG = logging.getLogger("bot.chat.client")


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """Put back what ``configure`` changes for the whole process."""
    named = [logging.getLogger(n) for n in ("discord.client", "discord.gateway", "watchfiles")]
    root = logging.getLogger()
    before = root.handlers[:], root.level
    levels = [logger.level for logger in named]
    filters = [logger.filters[:] for logger in named]
    yield
    root.handlers[:], level = before
    root.setLevel(level)
    for logger, old, kept in zip(named, levels, filters, strict=True):
        logger.setLevel(old)
        logger.filters[:] = kept


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_is_one_object_a_line_with_time_level_logger_and_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("json", "INFO")
    LOG.info("commands registered")
    LOG.warning('two\nlines and "quotes" 日本語 %d', 7)
    captured = capsys.readouterr()
    first, second = records(captured.err)
    assert captured.out == ""
    for record in (first, second):
        assert {"time", "level", "logger", "message"} <= set(record)
        assert record["time"].startswith("20")
        assert record["logger"] == "bot.chat.client"
    assert (first["level"], first["message"]) == ("INFO", "commands registered")
    assert (second["level"], second["message"]) == (
        "WARNING",
        'two\nlines and "quotes" 日本語 7',
    )


def test_an_error_in_json_stays_on_its_line_with_its_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("json", "INFO")
    try:
        _ = [][0]
    except IndexError:
        LOG.exception("error 1a2b3c4d")
    (record,) = records(capsys.readouterr().err)
    assert record["message"] == "error 1a2b3c4d"
    assert "IndexError" in record["exc_info"]


def test_text_is_a_line_with_time_level_logger_and_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("text", "INFO")
    LOG.info("commands registered")
    line = capsys.readouterr().err
    assert line.startswith("20")
    assert line.endswith(" INFO    bot.chat.client: commands registered\n")


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING", "ERROR"])
def test_what_is_below_the_level_is_not_logged(
    capsys: pytest.CaptureFixture[str], level: str
) -> None:
    logs.configure("json", level)
    for number in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
        LOG.log(number, "x")
    names = [record["level"] for record in records(capsys.readouterr().err)]
    order = ["DEBUG", "INFO", "WARNING", "ERROR"]
    assert names == order[order.index(level) :]


def test_configured_twice_it_logs_once(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("text", "INFO")
    logs.configure("json", "INFO")
    LOG.info("once")
    assert len(records(capsys.readouterr().err)) == 1


def test_session_ids_stay_out_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("json", "INFO")
    gateway = logging.getLogger("discord.gateway")
    gateway.info("Shard ID %s has connected to Gateway (Session ID: %s).", 0, "5ec4e7")
    gateway.info("Shard ID %s has connected.", 0)
    gateway.warning("Shard ID %s session has been invalidated.", 0)
    messages = [record["message"] for record in records(capsys.readouterr().err)]
    assert messages == [
        "Shard ID 0 has connected.",
        "Shard ID 0 session has been invalidated.",
    ]


def test_what_is_meant_is_no_warning(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("text", "INFO")
    logging.getLogger("discord.client").warning("PyNaCl is not installed")
    logging.getLogger("watchfiles").info("1 change detected")
    assert capsys.readouterr().err == ""
