"""What can happen to an SQLite file, and that it becomes one line that says so."""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import engines
from bot.store.store import Server, Store
from bot.store.trouble import StoreError, UnwritableError
from tests.store.databases import opened, path, without_rights


@pytest.fixture
def file() -> Iterator[Path]:
    """A database with one setting, in a folder that any user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="gunbai-store-"))
    folder.chmod(0o777)
    yield folder / "settings.db"
    folder.chmod(0o777)
    shutil.rmtree(folder)


async def filled(file: Path) -> str:
    url = f"sqlite:///{file}"
    async with opened(url) as store:
        await store.save_server(1, Server("ja"))
    return url


@pytest.mark.asyncio
async def test_the_folders_of_the_file_are_made(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/設定 #1/100%/gunbai.db"):
        assert (tmp_path / "設定 #1" / "100%" / "gunbai.db").is_file()


@pytest.mark.asyncio
async def test_a_path_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened("sqlite:///gunbai.db"):
        assert (tmp_path / "gunbai.db").is_file()


@pytest.mark.asyncio
async def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"^settings in SQLite: \w[\w ]+$"):
        await Store(f"sqlite:///{tmp_path}/file/below/gunbai.db").open()


@pytest.mark.asyncio
async def test_a_folder_in_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="unable to open database file"):
        await Store(f"sqlite:///{tmp_path}").open()


@pytest.mark.asyncio
async def test_another_program_writes(sqlite_url: str) -> None:
    async with opened(sqlite_url, timeout=1.0) as store:
        await store.save_server(1, Server("ja"))
        with closing(sqlite3.connect(path(sqlite_url))) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            with pytest.raises(UnwritableError, match="SQLite: database is locked"):
                await store.save_server(1, Server("en"))
            assert time.monotonic() - began < 3.0
            assert await store.server(1) == Server("ja")
            other.execute("ROLLBACK")
        await store.save_server(1, Server("en"))
        assert await store.server(1) == Server("en")


@pytest.mark.asyncio
async def test_another_program_has_the_file_for_itself(sqlite_url: str) -> None:
    store = Store(sqlite_url, timeout=1.0, opening=1.0)
    with closing(sqlite3.connect(path(sqlite_url))) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="SQLite: database is locked"):
            await store.open()
        other.execute("ROLLBACK")
    await store.open()
    assert await store.server(1) == Server()
    await store.close()


@pytest.mark.asyncio
async def test_a_file_that_is_no_database(sqlite_url: str) -> None:
    path(sqlite_url).write_bytes(b"no database at all " * 1000)
    with pytest.raises(StoreError, match="SQLite: file is not a database"):
        await Store(sqlite_url).open()
    assert path(sqlite_url).read_bytes() == b"no database at all " * 1000


@pytest.mark.asyncio
async def test_a_damaged_file(sqlite_url: str) -> None:
    await filled(path(sqlite_url))
    with path(sqlite_url).open("r+b") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(4096)
        stream.write(b"\xa5" * (size - 4096))
    store = Store(sqlite_url)
    with pytest.raises(StoreError, match="SQLite: database disk image is malformed"):
        await store.open()


@pytest.mark.asyncio
async def test_a_read_only_file_can_be_read(file: Path) -> None:
    url = await filled(file)
    file.chmod(0o444)
    with without_rights():
        async with opened(url) as store:
            assert await store.server(1) == Server("ja")
            with pytest.raises(UnwritableError, match="attempt to write a readonly database"):
                await store.save_server(1, Server("en"))
            assert await store.server(1) == Server("ja")


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", [0o444, 0o666])
async def test_a_file_in_a_read_only_folder_can_be_read(file: Path, mode: int) -> None:
    url = await filled(file)
    file.chmod(mode)
    file.parent.chmod(0o555)
    with without_rights():
        async with opened(url) as store:
            assert await store.server(1) == Server("ja")
            with pytest.raises(UnwritableError, match="attempt to write a readonly database"):
                await store.save_server(1, Server("en"))


@pytest.mark.asyncio
async def test_a_read_only_folder_without_a_file(file: Path) -> None:
    file.parent.chmod(0o555)
    with without_rights(), pytest.raises(StoreError, match="unable to open database file"):
        await Store(f"sqlite:///{file}").open()


@pytest.mark.asyncio
async def test_a_file_that_may_not_be_read(file: Path) -> None:
    url = await filled(file)
    file.chmod(0)
    with without_rights(), pytest.raises(StoreError, match="unable to open database file"):
        await Store(url).open()


@pytest.mark.asyncio
async def test_a_full_disk(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(path(sqlite_url))

    async def no_more(connection: AsyncConnection) -> None:
        await connection.exec_driver_sql("PRAGMA max_page_count = 1")

    monkeypatch.setattr(engines, "allow_readers", no_more)
    async with opened(sqlite_url) as store:
        with pytest.raises(UnwritableError, match="database or disk is full"):
            await store.save_fact("long", "x" * 100_000)
        assert await store.server(1) == Server("ja")


@pytest.mark.asyncio
async def test_a_table_that_is_gone(sqlite_url: str) -> None:
    async with opened(sqlite_url) as store:
        with closing(sqlite3.connect(path(sqlite_url))) as other:
            other.execute("DROP TABLE people")
        with pytest.raises(StoreError, match="no such table: people"):
            await store.locale_of(1)
        assert await store.server(1) == Server()
