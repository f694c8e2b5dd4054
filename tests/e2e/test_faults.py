"""What goes wrong around the bot, and that nobody is left without an answer over it.

Not covered: a jump of the machine's own clock. A process cannot be given another clock from outside
without changing it; what the bot times, it times with the monotonic clock. Only Discord's clock jumps
here.
"""

import asyncio
import signal
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.i18n import Catalogue
from bot.store.store import Store
from tests import postgres
from tests.e2e.process import NO_ENCODER, PATIENCE, WORDS, Bot, free_port
from tests.e2e.stage import Stage
from tests.e2e.standin import StandIn, faults
from tests.e2e.standin.server import HOST

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "2.1"
SETTINGS_LOST = "answers go on with defaults"
LEAVING = 5.0
"""Seconds within which the bot has left."""


@pytest.fixture(scope="module")
def rules(new_rules: Callable[[], Path]) -> Path:
    """Rule data that nothing changes."""
    return new_rules()


@pytest.fixture(scope="module")
def own_rules(new_rules: Callable[[], Path]) -> Path:
    """The rule data of the bot that the tests share."""
    return new_rules()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("faults")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(
    openapi: Path | None, cache: Path, catalogue: Catalogue, own_rules: Path, folder: Path
) -> AsyncIterator[Stage]:
    async with StandIn(openapi) as standin:
        standin.gateway.heartbeat_interval = 0.5
        async with Bot(
            standin, folder, cache, GUNBAI_DATA=str(own_rules), GUNBAI_TEST_SILENCE="2"
        ) as bot:
            stage = Stage(standin, bot, catalogue)
            yield stage
            standin.faults.clear()
            assert await bot.terminate() == 0, bot.log
            stage.check()


async def well(stage: Stage) -> None:
    """Ask and click once."""
    user = stage.person()
    answer = (await stage.ask(QUESTION, user)).message
    await stage.press(answer, "日本語", user)
    assert answer.versions


def sessions_begun(stage: Stage) -> int:
    records = stage.standin.records
    return len(records.events("ready")) + len(records.events("resumed"))


async def back(stage: Stage, begun: int) -> None:
    """Wait for a session after that many."""
    notice = stage.standin.records.notice
    await notice.until(lambda: sessions_begun(stage) > begun, 15.0)


# The gateway


@pytest.mark.parametrize("how", ["cut", "4000", "reconnect", "invalid"])
async def test_a_question_asked_while_the_gateway_is_away_is_answered_after_resuming(
    stage: Stage, how: str
) -> None:
    gateway, begun = stage.standin.gateway, sessions_begun(stage)
    resumed = len(stage.standin.records.events("resumed"))
    match how:
        case "cut":
            gateway.drop()  # what a client calls 1006
        case "4000":
            await gateway.close(4000)
        case "reconnect":
            await gateway.reconnect()
        case "invalid":
            await gateway.invalidate(resumable=True)
    await stage.ask(QUESTION, stage.person())
    await back(stage, begun)
    assert len(stage.standin.records.events("resumed")) == resumed + 1
    await well(stage)
    await stage.healthy()
    assert len(gateway.connected) == 1


@pytest.mark.parametrize("how", ["1000", "4009", "invalid"])
async def test_a_session_that_is_over_is_begun_anew(stage: Stage, how: str) -> None:
    gateway, begun = stage.standin.gateway, sessions_begun(stage)
    identified = len(stage.standin.records.events("identify"))
    if how == "invalid":
        await gateway.invalidate(resumable=False)
    else:
        await gateway.close(int(how))
        gateway.forget()
    await back(stage, begun)
    assert len(stage.standin.records.events("identify")) == identified + 1
    await well(stage)
    await stage.healthy()
    assert len(gateway.connected) == 1


async def test_a_gateway_that_is_silent_is_left_for_a_new_connection(stage: Stage) -> None:
    gateway, begun = stage.standin.gateway, sessions_begun(stage)
    gateway.acknowledges = False
    try:
        await back(stage, begun)
    finally:
        gateway.acknowledges = True
    await well(stage)
    await stage.healthy()


async def test_a_gateway_that_lets_nobody_in_for_a_while_is_tried_again(stage: Stage) -> None:
    gateway, begun = stage.standin.gateway, sessions_begun(stage)
    gateway.accepts = False
    gateway.drop()
    gateway.forget()
    await asyncio.sleep(0.5)
    assert (await stage.bot.page(stage.bot.health))[0] == 503
    gateway.accepts = True
    await back(stage, begun)
    await well(stage)
    await stage.healthy()


# REST


@pytest.mark.parametrize("status", [500, 502, 503, 429])
async def test_an_answer_that_discord_fails_to_take_is_sent_again(
    stage: Stage, status: int
) -> None:
    user, guild = stage.person(), await stage.place()
    fault = stage.standin.faults.add(
        "POST", faults.CALLBACK, status=status, retry_after=0.5, times=1
    )
    asked = await stage.ask(QUESTION, user, guild)
    assert fault.hits == 1
    assert "Lateness" in asked.message.text
    fault = stage.standin.faults.add(
        "POST", faults.CALLBACK, status=status, retry_after=0.5, times=1
    )
    await stage.press(asked.message, "日本語", user)
    assert fault.hits == 1
    assert len(asked.message.versions) == 1


@pytest.mark.parametrize("when", ["before", "after"])
async def test_an_answer_whose_connection_is_cut_arrives_once(stage: Stage, when: str) -> None:
    user, guild = stage.person(), await stage.place()
    for private in (False, True):
        _drop(stage, faults.CALLBACK, when)
        asked = await stage.ask(QUESTION, user, guild, private=private)
        assert "Lateness" in asked.message.text
    _drop(stage, faults.CALLBACK, when)
    shown = await stage.press(asked.message, "Show to everyone", user)
    assert not (await shown.follow_up()).ephemeral
    await asyncio.sleep(0.3)
    assert len(asked.message.versions) == 1
    assert asked.follow_ups == []
    assert len(shown.follow_ups) == 1


@pytest.mark.parametrize("fault", ["cut", "500", "429"])
async def test_a_message_after_the_answer_is_sent_again(stage: Stage, fault: str) -> None:
    user, guild = stage.person(), await stage.place()
    asked = await stage.ask(QUESTION, user, guild, private=True)
    if fault == "cut":
        _drop(stage, faults.FOLLOW_UP, "before")
    else:
        stage.standin.faults.add("POST", faults.FOLLOW_UP, status=int(fault), retry_after=0.5)
    shown = await stage.press(asked.message, "Show to everyone", user)
    assert not (await shown.follow_up()).ephemeral


async def test_an_answer_that_comes_too_late_is_no_error(stage: Stage) -> None:
    user = stage.person()
    before = await _measure(stage, "gunbai_expired_total")
    stage.standin.faults.add("POST", faults.CALLBACK, delay=0.5)
    asked = await stage.standin.interact.command("help", user=user)
    stage.given_up.add(asked.id)
    await asyncio.sleep(0.2)
    stage.standin.advance(4)  # Discord's clock, not the bot's
    await asyncio.sleep(0.6)
    assert asked.unanswered
    assert await _measure(stage, "gunbai_expired_total") == before + 1
    await well(stage)


async def test_a_clock_that_jumps_ahead_loses_no_later_answer(stage: Stage) -> None:
    user = stage.person()
    answer = (await stage.ask(QUESTION, user)).message
    stage.standin.advance(400 * 24 * 3600)
    await stage.press(answer, "日本語", user)
    await well(stage)


def _drop(stage: Stage, path: str, when: str) -> None:
    stage.standin.faults.add("POST", path, drop="before" if when == "before" else "after")


async def _measure(stage: Stage, name: str) -> float:
    _, text = await stage.bot.page(stage.bot.metrics)
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(name))


# The start


async def test_the_bot_waits_for_discord_and_leaves_though_an_answer_is_stuck(
    openapi: Path | None, cache: Path, catalogue: Catalogue, rules: Path, tmp_path: Path
) -> None:
    standin, port = StandIn(openapi), free_port()
    standin.url = f"http://{HOST}:{port}"
    bot = Bot(standin, tmp_path, cache, GUNBAI_DATA=str(rules), **WORDS)
    try:
        await bot.launch()
        first = await bot.logged("Discord cannot be reached", timeout=PATIENCE)
        assert first.endswith("next attempt in 1 s")
        assert (await bot.logged("Discord cannot be reached", 2)).endswith("next attempt in 2 s")
        assert (await bot.page(bot.health))[0] == 503
        assert "Traceback" not in bot.log
        await standin.start(port)
        await bot.ready(1)
        stage = Stage(standin, bot, catalogue)
        await well(stage)
        fault = standin.faults.add("POST", faults.CALLBACK, delay=20)
        await standin.interact.command("help", user=stage.person())
        await bot.until(lambda: True, 1)
        while fault.hits == 0:
            await asyncio.sleep(0.05)
        start = time.monotonic()
        assert await bot.terminate() == 0, bot.log
        assert time.monotonic() - start < LEAVING
    finally:
        await bot.kill()
        await standin.stop()


async def test_a_discord_whose_name_is_not_known_is_told_in_one_line_and_left_at_once(
    stage: Stage, cache: Path, rules: Path, tmp_path: Path
) -> None:
    bot = Bot(
        stage.standin,
        tmp_path,
        cache,
        GUNBAI_DATA=str(rules),
        **WORDS,
        GUNBAI_TEST_API="http://discord.invalid:80",
    )
    try:
        await bot.launch()
        line = await bot.logged("Discord cannot be reached", timeout=PATIENCE)
        assert "discord.invalid" in line
        start = time.monotonic()
        assert await bot.terminate() == 0, bot.log
        assert time.monotonic() - start < LEAVING
        assert "Traceback" not in bot.log
    finally:
        await bot.kill()


@pytest.mark.parametrize("status", [429, 503])
async def test_a_discord_that_will_not_hear_of_the_bot_yet_is_asked_again(
    cache: Path, rules: Path, tmp_path: Path, status: int
) -> None:
    async with StandIn() as standin:
        standin.faults.add("GET", "^/users/@me$", status=status, cloudflare=True)
        bot = Bot(standin, tmp_path, cache, "sync", GUNBAI_DATA=str(rules), **WORDS)
        try:
            await bot.launch()
            assert await bot.ended(PATIENCE) == 0, bot.log
        finally:
            await bot.kill()
        lines = [line for line in bot.lines if NO_ENCODER not in line]
        assert len(lines) == 1, bot.log
        assert "Discord cannot be reached" in lines[0]
        assert len(standin.records.of("PUT", faults.COMMANDS)) == 1


async def test_a_wrong_token_ends_the_bot_with_one_line_that_does_not_hold_it(
    cache: Path, rules: Path, tmp_path: Path
) -> None:
    async with StandIn() as standin:
        wrong = standin.token[:-8] + "x" * 8
        bot = Bot(standin, tmp_path, cache, GUNBAI_DATA=str(rules), **WORDS, DISCORD_TOKEN=wrong)
        try:
            await bot.launch()
            assert await bot.ended(PATIENCE) == 2
        finally:
            await bot.kill()
        assert "Traceback" not in bot.log
        assert bot.lines[-1] == "gunbai: DISCORD_TOKEN: Discord does not know this token"
        others = [line for line in bot.lines if NO_ENCODER not in line]
        assert [line.endswith("leaving") for line in others] == [True, False]
        assert wrong not in bot.log
        assert wrong.rpartition(".")[2] not in bot.log + "\n".join(bot.printed)


UNUSABLE: dict[str, dict[str, str | None]] = {
    "DISCORD_TOKEN:": {"DISCORD_TOKEN": None},
    "DISCORD_TOKEN: this": {"DISCORD_TOKEN": "no-token"},
    "GUNBAI_SHARD_COUNT": {"GUNBAI_SHARD_IDS": "2", "GUNBAI_SHARD_COUNT": "2"},
    "GUNBAI_PORT": {"GUNBAI_PORT": "99999"},
    "GUNBAI_DATABASE": {"GUNBAI_DATABASE": "mysql://u:hunter2@h/d"},
}


async def test_settings_that_cannot_be_used_are_told_in_one_line_before_any_connection(
    cache: Path, rules: Path, tmp_path: Path
) -> None:
    room = asyncio.Semaphore(2)

    async def refused(standin: StandIn, words: str, settings: dict[str, str | None]) -> None:
        bot = Bot(standin, tmp_path, cache, **({"GUNBAI_DATA": str(rules)} | settings))
        async with room:
            try:
                await bot.launch()
                assert await bot.ended(PATIENCE) == 2, words
            finally:
                await bot.kill()
        assert len(bot.lines) == 1, bot.log
        assert bot.lines[0].startswith("gunbai: ")
        assert words in bot.lines[0]
        assert "hunter2" not in bot.log
        assert standin.token not in bot.log

    async with StandIn() as standin:
        await asyncio.gather(
            *(refused(standin, words, settings) for words, settings in UNUSABLE.items())
        )
        assert standin.records.requests == []
        assert standin.records.gateway == []


# The store


async def test_a_locked_store_lets_answers_go_on_and_says_so_once(
    stage: Stage, folder: Path
) -> None:
    user = stage.person()
    await stage.run("language set", user, language="ja")
    lines = len(stage.bot.lines)
    lock = sqlite3.connect(folder / "gunbai.db", isolation_level=None)
    try:
        lock.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            told = await stage.run("language set", user, language="en")
            assert stage.catalogue["en"]("settings.not_saved") in told.message.text
            assert "ペナルティ" in (await stage.ask(QUESTION, user)).message.text
        lock.execute("ROLLBACK")
    finally:
        lock.close()
    await stage.run("language set", user, language="en")
    assert "Penalty" in (await stage.ask(QUESTION, user, _locale="ja")).message.text
    told_of = [line for line in stage.bot.lines[lines:] if "settings" in line]
    assert len(told_of) == 2, told_of
    assert "nothing can be saved" in told_of[0]
    assert "can be saved again" in told_of[1]
    assert user.id not in stage.bot.log


async def test_a_corrupt_store_lets_answers_go_on_with_defaults_and_says_so_once(
    openapi: Path | None, cache: Path, catalogue: Catalogue, rules: Path, tmp_path: Path
) -> None:
    (tmp_path / "gunbai.db").write_bytes(b"this is no database, " * 500)
    async with StandIn(openapi) as standin:
        async with Bot(standin, tmp_path, cache, GUNBAI_DATA=str(rules), **WORDS) as bot:
            stage = Stage(standin, bot, catalogue)
            user = stage.person("ja")
            guild = await stage.place(owner=user)
            for _ in range(3):
                assert "ペナルティ" in (await stage.ask(QUESTION, user, guild)).message.text
            told = await stage.run("settings", user, guild, private=True)
            assert catalogue["ja"]("settings.not_saved") in told.message.text
            told = await stage.run("language set", user, language="en")
            assert catalogue["en"]("settings.not_saved") in told.message.text
            assert await bot.terminate() == 0
            stage.check()
        assert bot.log.count(SETTINGS_LOST) == 1
        assert "Traceback" not in bot.log
        assert (tmp_path / "gunbai.db").read_bytes().startswith(b"this is no database, ")


async def test_a_store_that_can_only_be_read_is_read_and_says_so_once(
    openapi: Path | None, cache: Path, catalogue: Catalogue, rules: Path, tmp_path: Path
) -> None:
    file = tmp_path / "gunbai.db"
    async with StandIn(openapi) as standin:
        user = standin.create.user("ann")
        store = Store(f"sqlite:///{file}")
        await store.open()
        await store.save_locale(int(user.id), "ja")
        await store.close()
        with file.open("r+b") as database:  # a version that SQLite reads and does not write
            database.seek(18)
            database.write(b"\x03")
        async with Bot(standin, tmp_path, cache, GUNBAI_DATA=str(rules), **WORDS) as bot:
            stage = Stage(standin, bot, catalogue)
            for _ in range(2):
                assert "ペナルティ" in (await stage.ask(QUESTION, user)).message.text
                told = await stage.run("language set", user, language="en")
                assert catalogue["en"]("settings.not_saved") in told.message.text
            assert await bot.terminate() == 0
            stage.check()
        assert bot.log.count("nothing can be saved") == 1
        assert "Traceback" not in bot.log


async def test_postgresql_that_restarts_is_used_again(
    openapi: Path | None, cache: Path, catalogue: Catalogue, rules: Path, tmp_path: Path
) -> None:
    why = postgres.obstacle()
    if why is not None:
        pytest.skip(why)
    server = await asyncio.to_thread(postgres.Postgres)
    try:
        await asyncio.to_thread(server.start)
        url = await asyncio.to_thread(server.new_database)
        async with (
            StandIn(openapi) as standin,
            Bot(
                standin, tmp_path, cache, GUNBAI_DATA=str(rules), **WORDS, GUNBAI_DATABASE=url
            ) as bot,
        ):
            stage = Stage(standin, bot, catalogue)
            user = stage.person()
            await stage.run("language set", user, language="ja")
            assert "ペナルティ" in (await stage.ask(QUESTION, user)).message.text
            await asyncio.to_thread(server.stop)
            for _ in range(3):  # whom the bot has not just answered
                stranger = stage.person()
                assert "Penalty" in (await stage.ask(QUESTION, stranger)).message.text
            assert "ペナルティ" in (await stage.ask(QUESTION, user)).message.text, "remembered"
            told = await stage.run("language set", user, language="en")
            assert catalogue["en"]("settings.not_saved") in told.message.text
            await asyncio.to_thread(server.start)
            end = time.monotonic() + 20
            while "settings can be read again" not in bot.log:
                assert "Penalty" in (await stage.ask(QUESTION, stage.person())).message.text
                assert time.monotonic() < end, bot.log
                await asyncio.sleep(0.3)
            assert "ペナルティ" in (await stage.ask(QUESTION, user)).message.text
            assert await bot.terminate() == 0
            stage.check()
            assert bot.log.count(SETTINGS_LOST) == 1
            assert bot.log.count("settings can be read again") == 1
            assert postgres.PASSWORD not in bot.log
    finally:
        await asyncio.to_thread(server.remove)


# The rule data


async def test_rules_that_are_broken_are_refused_at_sighup_and_good_ones_taken(
    stage: Stage, own_rules: Path
) -> None:
    file, user = own_rules / "demo" / "2.2.yaml", stage.person()
    good = file.read_text(encoding="utf-8")
    file.write_text(good.replace("kind: infraction", "kind: nonsense"), encoding="utf-8")
    stage.bot.signal(signal.SIGHUP)
    line = await stage.bot.logged("rulebooks kept as they were")
    assert "2.2.yaml:2" in line
    assert "Slowness" in (await stage.ask("2.2", user)).message.text
    file.write_text(good.replace("Slowness", "Dawdling"), encoding="utf-8")
    stage.bot.signal(signal.SIGHUP)
    taken = asyncio.create_task(stage.bot.logged("rulebooks reloaded", timeout=PATIENCE))
    while not taken.done():  # questions go on being answered
        await stage.ask("2.2", user)
        await asyncio.sleep(0.2)
    await taken
    assert "Dawdling" in (await stage.ask("2.2", user)).message.text


async def test_rules_that_are_watched_are_refused_while_broken_and_taken_when_good(
    openapi: Path | None,
    cache: Path,
    catalogue: Catalogue,
    new_rules: Callable[[], Path],
    tmp_path: Path,
) -> None:
    folder = new_rules()
    file = folder / "demo" / "2.2.yaml"
    good = file.read_text(encoding="utf-8")
    async with (
        StandIn(openapi) as standin,
        Bot(standin, tmp_path, cache, "run", "--watch", GUNBAI_DATA=str(folder), **WORDS) as bot,
    ):
        stage = Stage(standin, bot, catalogue)
        user = stage.person()
        await asyncio.sleep(0.5)
        file.write_text(good.replace("penalty: note", "penalty: nothing"), encoding="utf-8")
        assert "2.2.yaml:5" in await bot.logged("rulebooks kept as they were")
        assert "Note" in (await stage.ask("2.2", user)).message.text
        file.write_text(good.replace("penalty: note", "penalty: loss"), encoding="utf-8")
        await bot.logged("rulebooks reloaded", timeout=PATIENCE)
        assert "Penalty: Loss" in (await stage.ask("2.2", user)).message.text
        file.unlink()
        assert "2.2" in await bot.logged("rulebooks kept as they were", 2)
        assert "Penalty: Loss" in (await stage.ask("2.2", user)).message.text
        assert await bot.terminate() == 0
        stage.check()
        assert "Traceback" not in bot.log


# Processes


async def test_sigterm_lets_an_answer_under_way_arrive(
    openapi: Path | None, cache: Path, catalogue: Catalogue, rules: Path, tmp_path: Path
) -> None:
    async with (
        StandIn(openapi) as standin,
        Bot(standin, tmp_path, cache, GUNBAI_DATA=str(rules), **WORDS) as bot,
    ):
        stage = Stage(standin, bot, catalogue)
        fault = standin.faults.add("POST", faults.CALLBACK, delay=1.0)
        asked = await standin.interact.command(
            "infraction", {"query": QUESTION}, user=stage.person()
        )
        while fault.hits == 0:
            await asyncio.sleep(0.01)
        start = time.monotonic()
        assert await bot.terminate() == 0, bot.log
        assert 0.5 < time.monotonic() - start < LEAVING
        assert "Lateness" in (await asked.shown(0.1)).text
        stage.check()
        assert standin.gateway.sessions == []
        with pytest.raises(ConnectionRefusedError), socket.create_connection((HOST, bot.port)):
            pass


async def test_two_processes_serve_a_shard_each_and_share_one_sqlite_file(
    openapi: Path | None, cache: Path, catalogue: Catalogue, rules: Path, tmp_path: Path
) -> None:
    async with StandIn(openapi, shards=2) as standin:
        bots = [
            Bot(
                standin,
                tmp_path,
                cache,
                GUNBAI_DATA=str(rules),
                **WORDS,
                GUNBAI_SHARD_IDS=str(number),
                GUNBAI_SHARD_COUNT="2",
            )
            for number in (0, 1)
        ]
        guilds = [standin.create.guild(shard=(number, 2)) for number in (0, 1)]
        try:
            for bot in bots:
                await bot.launch()
            await bots[0].ready(2)
            stages = [Stage(standin, bot, catalogue) for bot in bots]
            assert sorted(s.shard for s in standin.gateway.connected) == [(0, 2), (1, 2)]
            assert len(standin.records.of("PUT", faults.COMMANDS)) == 1
            people = [stages[0].person() for _ in range(20)]
            await asyncio.gather(
                *(
                    stages[0].run("language set", user, guilds[number % 2], language="ja")
                    for number, user in enumerate(people)
                )
            )
            for number, user in enumerate(people):  # asked where the other process answers
                asked = await stages[0].ask(QUESTION, user, guilds[(number + 1) % 2])
                assert "ペナルティ" in asked.message.text
            for stage in stages:
                text = (await stage.bot.page(stage.bot.metrics))[1]
                assert 'gunbai_lookups_total{language="ja",outcome="answer"} 10.0' in text
                await stage.healthy()
            await stages[0].ask(QUESTION, people[0])
            assert await bots[1].terminate() == 0
            await stages[0].ask(QUESTION, people[0], guilds[0])
            assert await bots[0].terminate() == 0
            for stage in stages:
                stage.check()
        finally:
            for bot in bots:
                await bot.kill()
