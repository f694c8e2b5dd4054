"""The store on both databases: what was saved comes back, and nothing else."""

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.policy.texts import LOCALES
from bot.store.store import Server, Store
from bot.store.trouble import StoreError, UnfitError
from tests.store.databases import opened, run

SERVER, PERSON = 2**62 + 1, 2**63 - 1
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
IDS = st.integers(0, 2**63 - 1)
LOCALE = st.sampled_from(LOCALES)
SERVERS = st.builds(Server, st.none() | LOCALE, st.none() | TEXTS, st.none() | st.booleans())


@pytest.mark.asyncio
async def test_nothing_is_set_in_a_new_database(url: str) -> None:
    async with opened(url) as store:
        assert await store.server(SERVER) == Server(locale=None, game=None, private=None)
        assert await store.locale_of(PERSON) is None
        assert await store.fact("commands") is None
        assert await store.forget(PERSON) is False


@pytest.mark.asyncio
async def test_what_was_saved_is_there_after_a_restart(url: str) -> None:
    async with opened(url) as store:
        await store.save_server(SERVER, Server("ja", "chess", private=True))
        await store.save_locale(PERSON, "en")
        await store.save_fact("commands", "2c26b46b")
    async with opened(url) as store:
        assert await store.server(SERVER) == Server("ja", "chess", private=True)
        assert await store.server(SERVER - 1) == Server()
        assert await store.locale_of(PERSON) == "en"
        assert await store.locale_of(PERSON - 1) is None
        assert await store.fact("commands") == "2c26b46b"


@pytest.mark.asyncio
async def test_saving_replaces_everything(url: str) -> None:
    async with opened(url) as store:
        await store.save_server(SERVER, Server("ja", "chess", private=True))
        await store.save_server(SERVER, Server(private=False))
        assert await store.server(SERVER) == Server(private=False)
        await store.save_locale(PERSON, "en")
        await store.save_locale(PERSON, "ja")
        assert await store.locale_of(PERSON) == "ja"


@pytest.mark.asyncio
async def test_a_person_is_forgotten_once(url: str) -> None:
    async with opened(url) as store:
        await store.save_locale(PERSON, "en")
        await store.save_locale(PERSON - 1, "en")
        assert await store.forget(PERSON) is True
        assert await store.forget(PERSON) is False
        assert await store.locale_of(PERSON) is None
        assert await store.locale_of(PERSON - 1) == "en"


@pytest.mark.asyncio
async def test_a_server_without_settings_is_not_kept(url: str) -> None:
    async with opened(url) as store:
        await store.save_server(1, Server("ja"))
        await store.save_server(1, Server())
        # A row would be in the way of this one.
        await run(url, "INSERT INTO servers (server_id) VALUES (1)")


@pytest.mark.asyncio
async def test_a_language_the_bot_does_not_speak_is_as_none(url: str) -> None:
    async with opened(url) as store:
        await run(
            url,
            "INSERT INTO servers (server_id, locale, game) VALUES (1, 'tlh', 'chess')",
            "INSERT INTO people VALUES (1, 'tlh')",
        )
        assert await store.server(1) == Server(game="chess")
        assert await store.locale_of(1) is None


def test_whatever_is_saved_comes_back(url: str) -> None:
    store = Store(url, timeout=5.0, opening=30.0)
    with asyncio.Runner() as runner:

        @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        @given(IDS, SERVERS, LOCALE, TEXTS, TEXTS)
        def check(number: int, server: Server, locale: Any, name: str, value: str) -> None:
            async def round_trip() -> None:
                await store.save_server(number, server)
                await store.save_locale(number, locale)
                await store.save_fact(name, value)
                assert await store.server(number) == server
                assert await store.locale_of(number) == locale
                assert await store.fact(name) == value
                assert await store.forget(number)

            runner.run(round_trip())

        runner.run(store.open())
        try:
            check()
        finally:
            runner.run(store.close())


@pytest.mark.asyncio
async def test_fifty_tasks_at_once(url: str) -> None:
    async def one(store: Store, number: int) -> None:
        await store.save_server(number, Server(game=str(number)))
        await store.save_locale(number, LOCALES[number % 2])
        await store.save_locale(7_000, "ja")
        assert await store.server(number) == Server(game=str(number))
        assert await store.locale_of(number) == LOCALES[number % 2]
        assert await store.forget(number)

    async with opened(url, timeout=20.0) as store:
        await asyncio.gather(*(one(store, number) for number in range(50)))
        assert await store.locale_of(7_000) == "ja"


@pytest.mark.asyncio
@pytest.mark.parametrize("number", [-1, 2**63])
async def test_no_id_of_discord(url: str, number: int) -> None:
    async with opened(url) as store:
        with pytest.raises(UnfitError):
            await store.server(number)
        with pytest.raises(UnfitError):
            await store.save_locale(number, "ja")


@pytest.mark.asyncio
@pytest.mark.parametrize("text", ["\0", "a\ud800"])
async def test_texts_that_no_database_takes(url: str, text: str) -> None:
    async with opened(url) as store:
        with pytest.raises(UnfitError):
            await store.save_fact("name", text)
        with pytest.raises(UnfitError):
            await store.save_server(1, Server(game=text))


@pytest.mark.asyncio
async def test_a_store_that_is_not_open(url: str) -> None:
    store = Store(url)
    with pytest.raises(StoreError, match="is not open"):
        await store.server(1)
    await store.close()
    await store.open()
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="is not open"):
        await store.save_locale(1, "ja")


@pytest.mark.asyncio
async def test_a_call_that_is_given_up_harms_no_other(url: str) -> None:
    async with opened(url) as store:
        await store.save_locale(PERSON, "en")
        for _ in range(20):
            call = asyncio.create_task(store.locale_of(PERSON))
            await asyncio.sleep(0)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        assert await store.locale_of(PERSON) == "en"
