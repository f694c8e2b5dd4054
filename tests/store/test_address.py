"""What GUNBAI_DATABASE may say, and that no password is ever shown."""

import traceback
from pathlib import Path

import pytest

from bot.store.address import FileAddress, ServerAddress, address
from bot.store.store import Store
from bot.store.trouble import StoreError


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:///gunbai.db", Path("gunbai.db")),
        ("sqlite:///data/gunbai.db", Path("data/gunbai.db")),
        ("sqlite:////var/lib/gunbai.db", Path("/var/lib/gunbai.db")),
        ("sqlite:///~/gunbai.db", Path("~/gunbai.db").expanduser()),
        ("sqlite:///100% #1 設定.db", Path("100% #1 設定.db")),
        (" SQLite:///gunbai.db\n", Path("gunbai.db")),
    ],
)
def test_an_sqlite_address_is_a_path(url: str, path: Path) -> None:
    assert address(url) == FileAddress(path)


@pytest.mark.parametrize(
    "rest",
    [
        "localhost/gunbai",
        "/gunbai",
        "gunbai@localhost",
        "gunbai:secret@localhost:5432/gunbai",
        "gunbai:p%40ss@[::1]:5432/gunbai?sslmode=require",
        "one:5432,two:5433/gunbai?target_session_attrs=read-write",
        "/gunbai?host=/run/postgresql&user=gunbai",
    ],
)
@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "PostgreSQL"])
def test_a_postgresql_address_keeps_all_it_says(scheme: str, rest: str) -> None:
    assert address(f"{scheme}://{rest}") == ServerAddress(f"postgresql://{rest}")


SECRET = "hunter2"  # noqa: S105 - of nobody


@pytest.mark.parametrize(
    "url",
    [
        "",
        "gunbai.db",
        "sqlite:",
        "sqlite://",
        "sqlite:///",
        "sqlite:////",
        "sqlite:///folder/",
        "sqlite:///:memory:",
        "sqlite://gunbai.db",
        "sqlite:///gunbai.db?mode=ro",
        "sqlite:///gun\0bai.db",
        "sqlite:///~nobody-has-this-name/gunbai.db",
        "sqlite+aiosqlite:///gunbai.db",
        f"mysql://gunbai:{SECRET}@localhost/gunbai",
        f"postgresql+asyncpg://gunbai:{SECRET}@localhost/gunbai",
        f"postgres:gunbai:{SECRET}@localhost/gunbai",
        f"gunbai:{SECRET}@localhost/gunbai",
        f"postgres://gunbai:{SECRET}@localhost:port/gunbai",
        f"postgres://gunbai:{SECRET}@localhost:5432:5433/gunbai",
        f"postgres://gunbai:{SECRET}@[::1/gunbai",
        f"postgres://gunbai:a#{SECRET}@localhost/gunbai",
        f"postgres://gunbai:a?{SECRET}@localhost/gunbai",
        f"postgres://gunbai:a?{SECRET}=@localhost/gunbai",
        f"postgres://gunbai:a/{SECRET}@localhost/gunbai",
        f"postgres://gunbai:1/{SECRET}@localhost/gunbai",
        f"postgres://gunbai:a@{SECRET}@localhost/gunbai",
        f"postgres://gunbai:a:{SECRET}@localhost/gunbai",
        f"postgres://gunbai:{SECRET}@localhost/gunbai?channel_binding=require",
        f"postgres://gunbai@localhost/gunbai?password={SECRET}&port=a",
        f"postgres://gunbai@localhost/gunbai?password={SECRET}&&",
    ],
)
def test_anything_else_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(StoreError, match=r"^GUNBAI_DATABASE: ") as caught:
        Store(url)
    shown = "".join(traceback.format_exception(caught.value))
    assert SECRET not in shown.replace(repr(url), "")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("url", ["mysql://localhost/gunbai", "", "gunbai.db"])
def test_a_refusal_says_what_is_allowed(url: str) -> None:
    with pytest.raises(StoreError, match=r"sqlite:///path/of/a/file or postgresql://user"):
        address(url)


def test_an_address_does_not_show_its_password() -> None:
    assert SECRET not in repr(address(f"postgres://gunbai:{SECRET}@localhost/gunbai"))
