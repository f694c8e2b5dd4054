"""Settings from the environment; no other module reads it."""

import os
import re
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot import resources
from bot.i18n import Texts


class SettingsError(Exception):
    """A setting has a value that cannot be used; the message names the setting."""


def _shard_ids(value: object) -> object:
    """Read "0,1" or "0-3"."""
    if not isinstance(value, str):
        return value
    found: list[int] = []
    for part in value.replace(" ", "").split(","):
        ends = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", part)
        if not ends or int(ends[2] or ends[1]) < int(ends[1]):
            raise PydanticCustomError("shards", "shard numbers are needed, such as 0,1 or 0-3")
        found.extend(range(int(ends[1]), int(ends[2] or ends[1]) + 1))
    return list(dict.fromkeys(found))


class Settings(BaseSettings):
    """What can be set from outside, each as ``GUNBAI_<NAME>``."""

    model_config = SettingsConfigDict(env_prefix="GUNBAI_", env_ignore_empty=True, frozen=True)

    data: Path = Field(default_factory=lambda: resources.folder("policy_data"))
    cache: Path = Field(default_factory=lambda: _cache_home() / "gunbai")
    locale: Literal["ja", "en"] | None = Field(default=None)
    database: str = Field(
        default_factory=lambda: f"sqlite:///{_data_home() / 'gunbai' / 'gunbai.db'}"
    )
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode, BeforeValidator(_shard_ids)] = Field(
        default=None
    )
    shard_count: int | None = Field(default=None, ge=1, le=10_000)
    host: str = Field(default="127.0.0.1")
    port: int | None = Field(default=None, ge=1, le=65535)
    log: Literal["text", "json"] = Field(default="text")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(default="INFO")

    @model_validator(mode="after")
    def _shards_are_whole(self) -> "Settings":
        if self.shard_ids is not None and (
            self.shard_count is None or max(self.shard_ids) >= self.shard_count
        ):
            raise PydanticCustomError(
                "shards", "GUNBAI_SHARD_COUNT has to be set and greater than each shard number"
            )
        return self


def _cache_home() -> Path:
    """Return the user's cache folder (XDG base directory specification)."""
    named = os.environ.get("XDG_CACHE_HOME")
    return Path(named) if named else Path("~/.cache").expanduser()


def _data_home() -> Path:
    """Return the user's data folder (XDG base directory specification)."""
    named = os.environ.get("XDG_DATA_HOME")
    return Path(named) if named else Path("~/.local/share").expanduser()


def token() -> SecretStr:
    """Return the bot's token from DISCORD_TOKEN, or from the file that DISCORD_TOKEN_FILE names.

    Raises SettingsError, which never holds the token.
    """
    given, file = os.environ.get("DISCORD_TOKEN"), os.environ.get("DISCORD_TOKEN_FILE")
    name = "DISCORD_TOKEN"
    if not given and file:
        name = f"DISCORD_TOKEN_FILE ({file})"
        try:
            given = Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"{name}: cannot be read ({type(error).__name__})") from error
    given = (given or "").strip().removeprefix("Bot ")
    if not given:
        raise SettingsError(
            f"{name}: no token; copy it from the Bot page of your application at discord.com/developers"
        )
    if not re.fullmatch(r"[\w-]{10,}\.[\w-]{4,}\.[\w-]{20,}", given, re.ASCII):
        raise SettingsError(f"{name}: this is no bot token; copy it anew from the Bot page")
    return SecretStr(given)


def load() -> Settings:
    """Return the settings. Raises SettingsError naming the variable at fault."""
    try:
        return Settings()
    except ValidationError as error:
        detail = error.errors()[0]
        field = detail["loc"][0] if detail["loc"] else "shard_ids"
        name = f"GUNBAI_{str(field).upper()}"
        raise SettingsError(f"{name}: {detail['msg']}") from error


def terminal_locale(settings: Settings) -> Literal["ja", "en"]:
    """Return the language of the terminal: GUNBAI_LOCALE, else LC_ALL, LC_MESSAGES or LANG."""
    if settings.locale:
        return settings.locale
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return "ja" if value.lower().startswith("ja") else "en"
    return "en"


ELSEWHERE: Final = ("DISCORD_TOKEN", "DISCORD_TOKEN_FILE")
"""Settings without the prefix; their values are read by ``token``."""
_DEPENDS: Final = frozenset({"data", "cache", "database", "locale"})
"""Settings whose default depends on the machine; the interface texts say it in words."""


def table(texts: Texts) -> str:
    """Return all settings as a Markdown table."""
    rows = [f"| `{name}` | {texts(f'setting.{name.lower()}')} | |" for name in ELSEWHERE]
    for name, field in Settings.model_fields.items():
        if name in _DEPENDS:
            default = texts(f"setting.default_{name}")
        else:
            default = "" if field.default is None else f"`{field.default}`"
        what = texts(f"setting.{name}")
        rows.append(f"| `GUNBAI_{name.upper()}` | {what} | {default} |".replace(" |  |", " | |"))
    heading = (texts("setting.heading"), "|---|---|---|")
    return "\n".join((*heading, *rows)) + "\n"
