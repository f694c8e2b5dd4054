"""Rulebooks in use: swapped as a whole, or kept with the reason in the log."""

import logging
import shutil
from pathlib import Path

import pytest

from bot.chat.shelf import Shelf
from bot.i18n import Catalogue
from bot.policy import packs
from bot.policy.pack import Library
from bot.policy.texts import LOCALES
from bot.search import meaning
from tests import demo_pack


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the invented rulebook, searched by words: learning anew takes time."""
    monkeypatch.setattr(meaning, "encoder_version", lambda: None)
    folder = tmp_path / "data"
    folder.mkdir()
    demo_pack.write(folder)
    return folder


@pytest.fixture
def demo(data: Path, tmp_path: Path, catalogue: Catalogue) -> Shelf:
    return Shelf(data, tmp_path / "cache", catalogue)


def change(file: Path, old: str, new: str) -> int:
    """Change a file, and return the number of the line that is changed."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


@pytest.mark.asyncio
async def test_new_data_are_taken_as_a_whole(
    data: Path, demo: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    before = demo.current
    change(data / "demo" / "2.2.yaml", "Slowness", "Dawdling")
    change(data / "demo" / "2.2.yaml", "遅い行為", "だらだら")
    assert await demo.reload()
    books = demo.current
    assert books is not before
    assert books.library.section("demo:2.2").name.en == "Dawdling"
    assert books.find("Dawdling", None, 5).hits[0].section.name.en == "Dawdling"
    assert books.find("2.2 Dawdling | Note | Demo", None, 5).confidence == "certain"
    assert "rulebooks reloaded: 7 sections" in caplog.text
    # Whoever still holds the old ones has them whole.
    assert before.library.section("demo:2.2").name.en == "Slowness"
    assert before.find("2.2 Slowness | Note | Demo", None, 5).hits[0].section.name.en == "Slowness"


@pytest.mark.asyncio
async def test_broken_data_are_refused_with_file_and_line_in_the_log(
    data: Path, demo: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    before = demo.current
    line = change(data / "demo" / "2.2.yaml", "penalty: note", "penalty: nonsense")
    assert not await demo.reload()
    assert demo.current is before
    (record,) = [r for r in caplog.records if r.levelno >= logging.ERROR]
    assert f"2.2.yaml:{line}:" in record.getMessage()
    assert "1 problems" in record.getMessage()
    assert "nonsense" in record.getMessage()
    assert record.exc_info is None
    assert "\n" not in record.getMessage()


@pytest.mark.asyncio
async def test_of_several_problems_the_first_and_their_number_are_logged(
    data: Path, demo: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    before = demo.current
    (data / "demo" / "2.1.yaml").write_text("id: [", encoding="utf-8")
    (data / "demo" / "2.2.yaml").unlink()
    assert not await demo.reload()
    assert demo.current is before
    assert "problems in the new" in caplog.text
    assert ".yaml" in caplog.text


@pytest.mark.asyncio
async def test_data_that_are_gone_are_refused(
    data: Path, demo: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    before = demo.current
    shutil.rmtree(data)
    assert not await demo.reload()
    assert demo.current is before
    assert str(data) in caplog.text


@pytest.mark.asyncio
async def test_a_file_that_cannot_be_read_keeps_the_old(
    demo: Shelf, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(_: Path) -> Library:
        raise PermissionError(13, "Permission denied", "demo/pack.yaml")

    before = demo.current
    monkeypatch.setattr(packs, "load", denied)
    assert not await demo.reload()
    assert demo.current is before
    (record,) = [r for r in caplog.records if r.levelno >= logging.ERROR]
    assert "demo/pack.yaml" in record.getMessage()
    assert record.exc_info is None


@pytest.mark.asyncio
async def test_what_was_mended_is_taken(data: Path, demo: Shelf) -> None:
    change(data / "demo" / "2.2.yaml", "penalty: note", "penalty: nonsense")
    assert not await demo.reload()
    change(data / "demo" / "2.2.yaml", "penalty: nonsense", "penalty: loss")
    assert await demo.reload()
    assert demo.current.library.section("demo:2.2").penalty == "loss"


def test_broken_data_at_the_start_are_an_error(
    data: Path, tmp_path: Path, catalogue: Catalogue
) -> None:
    change(data / "demo" / "2.2.yaml", "penalty: note", "penalty: nonsense")
    with pytest.raises(packs.PacksError):
        Shelf(data, tmp_path / "cache", catalogue)


def test_every_label_in_either_language_is_its_section(shelf: Shelf, library: Library) -> None:
    """Labels of two sections of one name and number differ at least by game; parts share a number."""
    assert set(shelf.current.labels.values()) <= library.ids
    for pack in library.packs:
        for section in pack.sections:
            for locale in LOCALES:
                name = section.name.in_locale(locale)
                label = f"{pack.header.short.in_locale(locale)} {section.number} {name}"
                hits = shelf.current.find(label, None, 5).hits
                assert hits[0].section.id == section.id, label


def test_a_pack_is_found_by_its_id(shelf: Shelf) -> None:
    pack = shelf.current.pack("ygo")
    assert pack
    assert pack.header.id == "ygo"
    assert shelf.current.pack("gone") is None
    assert shelf.current.pack(None) is None


def test_near_names_are_three_at_most(shelf: Shelf) -> None:
    assert len(shelf.current.near("", None, "en")) == 3
    assert len(shelf.current.near("slow", "fab", "en")) <= 3
    assert all(pack.header.id == "ygo" for pack, _ in shelf.current.near("", "ygo", "ja"))
