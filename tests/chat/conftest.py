"""What the tests of the bot on Discord share: rulebooks, a desk, and people who ask."""

import pytest

from bot import resources
from bot.chat.asker import Asker
from bot.chat.desk import Desk
from bot.chat.metrics import Metrics
from bot.chat.shelf import Shelf
from bot.i18n import Catalogue
from bot.policy.texts import Locale

OWNER = 99_999_999_999_999_999_999
"""Twenty digits: as many as a snowflake can have."""


@pytest.fixture(scope="session")
def shelf(catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    made = Shelf(resources.folder("policy_data"), tmp_path_factory.mktemp("cache"), catalogue)
    made.current.index.wait()  # so that answers do not depend on when they are asked for
    return made


@pytest.fixture
def desk(shelf: Shelf, catalogue: Catalogue) -> Desk:
    """A desk that has counted nothing yet."""
    return Desk(shelf, catalogue, Metrics())


def person(locale: Locale = "en", game: str | None = None, *, private: bool = True) -> Asker:
    return Asker(OWNER, locale, game, private)
