"""What the tests share: the real packs, the interface texts, and where the source documents lie."""

from pathlib import Path

import pytest

from bot import i18n, resources
from bot.i18n import Catalogue
from bot.policy import packs
from bot.policy.pack import Library
from bot.search import meaning
from bot.search.index import Index

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def library() -> Library:
    return packs.load(resources.folder("policy_data"))


@pytest.fixture(scope="session")
def index(library: Library) -> Index:
    return Index(library, shipped=resources.folder("policy_data") / packs.MEANING_FILE)


@pytest.fixture(scope="session")
def index_of_words(library: Library) -> Index:
    """The index as it is without the encoder's package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meaning, "encoder_version", lambda: None)
        return Index(library)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return i18n.load(resources.folder("locales"))


@pytest.fixture
def shared() -> Path:
    """The folder with the source documents; without it the tests that need it are skipped."""
    folder = ROOT.parent / "shared"
    if not (folder / "sources").is_dir():
        pytest.skip("the source documents (../shared) are not on this machine")
    return folder
