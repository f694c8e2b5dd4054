"""Settings: taken from the environment, named when wrong."""

import pytest

from bot import config, resources
from bot.config import SettingsError


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GUNBAI_DATA", "GUNBAI_LOCALE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def test_without_settings_the_rule_data_of_the_installation_is_used() -> None:
    assert config.load().data == resources.folder("policy_data")


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_LOCALE", "fr")
    with pytest.raises(SettingsError, match=r"GUNBAI_LOCALE: .*'ja' or 'en'"):
        config.load()


@pytest.mark.parametrize(
    ("environment", "locale"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "de_DE"}, "en"),
        ({"LANG": "en_US.UTF-8", "GUNBAI_LOCALE": "ja"}, "ja"),
    ],
)
def test_the_terminals_language_is_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], locale: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert config.terminal_locale(config.load()) == locale
