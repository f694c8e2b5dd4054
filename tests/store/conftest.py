"""Databases to test the store on: an SQLite file, and a PostgreSQL server where there is one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import Postgres, obstacle


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    reason = obstacle()
    if reason is not None:
        pytest.skip(reason)
    started = Postgres()
    try:
        yield started
    finally:
        started.remove()


@pytest.fixture
def postgres(server: Postgres) -> Postgres:
    """The server of all tests, running even after a test that stopped it."""
    server.start()
    return server


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'settings.db'}"


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """A new, empty database of either kind."""
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found
