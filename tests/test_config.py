"""Settings: taken from the environment, named when wrong."""

import os
import re
from pathlib import Path

import pytest

from bot import config, resources
from bot.config import Settings, SettingsError
from bot.i18n import Catalogue
from tests.conftest import ROOT

PARTS = ("bm90LWEtcmVhbC10b2tlbg", "GaBcDe", "abcdefghijklmnopqrstuvwxyz_-0123456789")
TOKEN = ".".join(PARTS)


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(("GUNBAI_", "DISCORD_TOKEN", "LC_", "XDG_")) or name == "LANG":
            monkeypatch.delenv(name)


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


def test_without_settings_the_bot_needs_only_a_token() -> None:
    settings = config.load()
    assert settings.shard_ids is None
    assert settings.shard_count is None
    assert settings.port is None
    assert (settings.host, settings.log, settings.log_level) == ("127.0.0.1", "text", "INFO")
    assert re.fullmatch(r"sqlite:///.+/gunbai/gunbai\.db", settings.database)


def test_an_empty_setting_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.setenv(f"GUNBAI_{name.upper()}", "")
    assert config.load().port is None
    assert config.load().shard_ids is None


def test_where_files_are_kept_follows_the_desktops_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "d"))
    settings = config.load()
    assert settings.cache == tmp_path / "c" / "gunbai"
    assert settings.database == f"sqlite:///{tmp_path / 'd' / 'gunbai' / 'gunbai.db'}"


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("0", (0,)),
        ("0,1", (0, 1)),
        ("0-3", (0, 1, 2, 3)),
        ("0, 2-3 ,7", (0, 2, 3, 7)),
        ("5-5", (5,)),
        ("1,1", (1,)),
        ("0-2,1-3", (0, 1, 2, 3)),
    ],
)
def test_shards_are_a_list_or_a_range(
    monkeypatch: pytest.MonkeyPatch, written: str, ids: tuple[int, ...]
) -> None:
    monkeypatch.setenv("GUNBAI_SHARD_IDS", written)
    monkeypatch.setenv("GUNBAI_SHARD_COUNT", "8")
    assert config.load().shard_ids == ids


@pytest.mark.parametrize(
    "written", ["a", "0,", ",", "-1", "0-", "1.5", "0;1", "[0,1]", "123456", "0--3", "3-0"]
)
def test_shards_that_are_none_are_named(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("GUNBAI_SHARD_IDS", written)
    monkeypatch.setenv("GUNBAI_SHARD_COUNT", "8")
    with pytest.raises(SettingsError, match=r"^GUNBAI_SHARD_IDS: shard numbers are needed"):
        config.load()


@pytest.mark.parametrize(("ids", "count"), [("0,1", None), ("0-3", "3"), ("4", "4")])
def test_shards_need_a_count_that_is_greater(
    monkeypatch: pytest.MonkeyPatch, ids: str, count: str | None
) -> None:
    monkeypatch.setenv("GUNBAI_SHARD_IDS", ids)
    if count:
        monkeypatch.setenv("GUNBAI_SHARD_COUNT", count)
    with pytest.raises(SettingsError, match="GUNBAI_SHARD_COUNT has to be set and greater"):
        config.load()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SHARD_COUNT", "0"),
        ("SHARD_COUNT", "many"),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "http"),
        ("LOG", "xml"),
        ("LOG_LEVEL", "LOUD"),
    ],
)
def test_a_value_that_cannot_be_used_names_its_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"GUNBAI_{name}", value)
    with pytest.raises(SettingsError, match=rf"^GUNBAI_{name}: "):
        config.load()


@pytest.mark.parametrize("written", [TOKEN, f"  {TOKEN}\n", f"Bot {TOKEN}"])
def test_the_token_is_the_variable(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", written)
    assert config.token().get_secret_value() == TOKEN
    assert TOKEN not in repr(config.token())


def test_the_token_may_be_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\r\n", encoding="utf-8")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    assert config.token().get_secret_value() == TOKEN


def test_the_variable_goes_before_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "missing"))
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert config.token().get_secret_value() == TOKEN


def test_without_a_token_the_message_says_where_one_is() -> None:
    with pytest.raises(SettingsError, match=r"^DISCORD_TOKEN: no token; .*Bot page"):
        config.token()


@pytest.mark.parametrize("content", [b"", b" \n", None, b"\xff\xfe\x00"])
def test_a_token_file_that_holds_none_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
    with pytest.raises(SettingsError, match=re.escape(f"DISCORD_TOKEN_FILE ({file})")):
        config.token()


@pytest.mark.parametrize(
    "written",
    ["secret", "abc.def", TOKEN.replace(".", ""), f'"{TOKEN}"', f"{TOKEN} {TOKEN}", TOKEN + "漢"],
)
@pytest.mark.parametrize("in_file", [False, True])
def test_a_malformed_token_is_told_without_showing_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: str, in_file: bool
) -> None:
    if in_file:
        (tmp_path / "token").write_text(written, encoding="utf-8")
        monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "token"))
    else:
        monkeypatch.setenv("DISCORD_TOKEN", written)
    with pytest.raises(SettingsError, match="this is no bot token") as caught:
        config.token()
    shown = f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r}"
    assert written not in shown
    assert TOKEN[:20] not in shown


@pytest.mark.parametrize(
    ("locale", "page"),
    [
        ("en", "docs/hosting.md"),
        ("ja", "docs/hosting.ja.md"),
        ("en", "README.md"),
        ("ja", "README.ja.md"),
    ],
)
def test_the_guides_have_the_table_as_the_code_prints_it(
    catalogue: Catalogue, locale: str, page: str
) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    held = text.partition("<!-- settings -->\n")[2].partition("<!-- /settings -->")[0]
    assert held == config.table(catalogue[locale]), "gunbai settings --locale ... prints it anew"


def test_the_table_has_every_setting_once_with_what_it_sets(catalogue: Catalogue) -> None:
    lines = config.table(catalogue["en"]).splitlines()
    assert lines[0] == "| Setting | What it sets | Default |"
    assert all(line.count("|") == 4 for line in lines)
    named = [re.findall("`([A-Z_]+)`", line)[0] for line in lines[2:]]
    wanted = {f"GUNBAI_{name.upper()}" for name in Settings.model_fields}
    assert sorted(named) == sorted(wanted | {"DISCORD_TOKEN", "DISCORD_TOKEN_FILE"})
    assert all(len(line.split("|")[2].strip()) > 5 for line in lines[2:])


def test_the_table_names_no_folder_of_this_machine(catalogue: Catalogue) -> None:
    table = config.table(catalogue["en"])
    assert str(Path.home()) not in table
    assert str(resources.folder("policy_data")) not in table
    assert "None" not in table
    assert "PydanticUndefined" not in table
    assert "| `127.0.0.1` |" in table
