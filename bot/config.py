"""Settings from the environment; no other module reads it."""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot import resources


class SettingsError(Exception):
    """A setting has a value that cannot be used; the message names the setting."""


class Settings(BaseSettings):
    """What can be set from outside, each as ``GUNBAI_<NAME>``."""

    model_config = SettingsConfigDict(env_prefix="GUNBAI_", env_ignore_empty=True, frozen=True)

    data: Path = Field(
        default_factory=lambda: resources.folder("policy_data"),
        description="folder of the rule data",
    )
    cache: Path = Field(
        default_factory=lambda: _cache_home() / "gunbai",
        description="folder for what the search has computed; made anew when missing",
    )
    locale: Literal["ja", "en"] | None = Field(default=None, description="language of the terminal")


def _cache_home() -> Path:
    """Return the user's cache folder (XDG base directory specification)."""
    named = os.environ.get("XDG_CACHE_HOME")
    return Path(named) if named else Path("~/.cache").expanduser()


def load() -> Settings:
    """Return the settings. Raises SettingsError naming the variable at fault."""
    try:
        return Settings()
    except ValidationError as error:
        detail = error.errors()[0]
        name = f"GUNBAI_{str(detail['loc'][0]).upper()}"
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
