"""What the end-to-end tests share."""

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import demo_pack
from tests.conftest import ROOT

with warnings.catch_warnings():
    # discord.py imports audioop, which warns on Python 3.11 and 3.12 as soon as it is loaded.
    warnings.filterwarnings("ignore", "'audioop' is deprecated", DeprecationWarning)
    import discord  # noqa: F401


@pytest.fixture(scope="session")
def openapi() -> Path | None:
    """Discord's description of its API, where it is on this machine."""
    file = ROOT.parent / "shared" / "discord" / "openapi.json"
    return file if file.is_file() else None


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the search computes at the first start, for all later ones."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def new_rules(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Make a folder with a rulebook so small that the bot starts quickly."""

    def make() -> Path:
        folder = tmp_path_factory.mktemp("rules")
        demo_pack.write(folder)
        return folder

    return make
