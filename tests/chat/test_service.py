"""The bot as a process, against the stand-in: what registering the commands does and says."""

from pathlib import Path

import pytest
from discord.http import Route
from pydantic import SecretStr

from bot import resources
from bot.chat import service
from bot.chat.service import LoginError, Plan
from bot.i18n import Catalogue
from bot.search import meaning
from tests.e2e.standin.server import StandIn


def plan(token: str, folder: Path) -> Plan:
    return Plan(
        token=SecretStr(token),
        data=resources.folder("policy_data"),
        cache=folder / "cache",
        database=f"sqlite:///{folder / 'kept.db'}",
        shard_ids=None,
        shard_count=None,
        host="127.0.0.1",
        port=None,
        watch=False,
    )


@pytest.fixture(autouse=True)
def _without_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "encoder_version", lambda: None)


@pytest.mark.asyncio
async def test_registering_says_how_many_commands_there_are(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with StandIn() as standin:
        monkeypatch.setattr(Route, "BASE", standin.api)
        for _ in range(2):  # whatever was registered before
            count = await service.register(plan(standin.token, tmp_path), catalogue)
            (*_, sent) = standin.records.of("PUT", "/commands$")
            assert isinstance(sent.body, list)
            assert count == len(sent.body)
        assert len(standin.records.of("PUT", "/commands$")) == 2


@pytest.mark.asyncio
async def test_a_token_that_discord_does_not_know_is_not_shown(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with StandIn() as standin:
        monkeypatch.setattr(Route, "BASE", standin.api)
        wrong = standin.token[:-3] + "xyz"
        with pytest.raises(LoginError, match="DISCORD_TOKEN") as caught:
            await service.register(plan(wrong, tmp_path), catalogue)
    assert wrong not in str(caught.value)
