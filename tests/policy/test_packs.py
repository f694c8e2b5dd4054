"""Loading: everything or nothing, and the packs that ship."""

import re
from pathlib import Path

import pytest

from bot import resources
from bot.policy import packs
from bot.policy.pack import Library, Pack
from bot.policy.packs import PacksError
from tests import demo_pack

FAB = [
    "1.1",
    "1.2",
    "1.3",
    "1.3/restore",
    "1.3/partial-fix",
    "1.3/top-or-bottom",
    "1.3/shuffle-random",
    "1.4",
    "1.4/caution",
    "1.4/warning",
    "1.4/intellect",
    "1.4/game-loss",
    "1.4/disqualification",
    "2",
    "2.1",
    "2.2",
    "2.3",
    "2.4",
    "2.5",
    "2.6",
    "2.7",
    "3",
    "3.1",
    "3.2",
    "3.3",
    "3.4",
    "3.5",
    "3.6",
    "3.6.1",
    "3.6.2",
    "3.7",
    "3.8",
    "3.9",
    "4",
    "4.1",
    "4.1.1",
    "4.1.2",
    "4.2",
    "4.3",
    "4.4",
    "4.5",
    "4.6",
    "4.7",
    "4.8",
    "4.9",
    "4.10",
    "4.11",
    "A.1",
]
YGO = [
    "1.a",
    "1.b",
    "1.c",
    "1.d",
    "1.e",
    "1.f",
    "2",
    "3.a",
    "3.b",
    "4.1",
    "4.2",
    "4.3",
    "4.4",
    "4.5",
    "4.6",
    "5.1",
    "5.2",
    "5.3",
    "6",
    "7.1",
    "8.1",
    "8.2",
    "8.3",
    "9.1",
    "9.2",
    "9.3",
    "10.1",
    "10.2",
    "10.3",
]


@pytest.mark.parametrize(("pack_id", "numbers"), [("fab", FAB), ("ygo", YGO)])
def test_every_section_of_the_document_is_there_in_its_order(
    library: Library, pack_id: str, numbers: list[str]
) -> None:
    assert [s.id for s in library.pack(pack_id).sections] == [f"{pack_id}:{n}" for n in numbers]


def test_a_broken_pack_leaves_nothing_half_loaded(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    before = packs.load(tmp_path)
    (pack / "2.2.yaml").write_text("id: [", encoding="utf-8")
    inspection = packs.inspect(tmp_path)
    assert inspection.library is None
    with pytest.raises(PacksError) as caught:
        packs.load(tmp_path)
    assert caught.value.problems == inspection.problems
    assert "2.2.yaml" in str(caught.value)
    assert before.section("demo:2.2").name.en == "Slowness"


def test_one_broken_pack_spoils_the_load_of_a_good_one(tmp_path: Path) -> None:
    demo_pack.write(tmp_path)
    (tmp_path / "other").mkdir()
    with pytest.raises(PacksError):
        packs.load(tmp_path)


def test_a_loaded_section_cannot_be_changed(library: Library) -> None:
    with pytest.raises(ValueError, match="frozen"):
        library.section("fab:3.1").penalty = "caution"  # type: ignore[misc]  # the point of the test


@pytest.mark.parametrize("section_id", ["fab:9.9", "nope:1", "", "fab", ":"])
def test_asking_for_a_section_that_is_not_there_is_a_key_error(
    library: Library, section_id: str
) -> None:
    with pytest.raises(KeyError):
        library.section(section_id)


def test_parts_are_the_sections_one_level_below(library: Library) -> None:
    fab = library.pack("fab")
    assert [p.id for p in fab.parts_of(fab.section("fab:3.6"))] == ["fab:3.6.1", "fab:3.6.2"]
    assert len(fab.parts_of(fab.section("fab:1.3"))) == 4
    assert fab.parts_of(fab.section("fab:4.10")) == ()


def test_situations_are_read_beside_the_sections(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    folder = pack / "situations"
    folder.mkdir()
    (folder / "2.2.yaml").write_text(
        'section: "demo:2.2"\nja: ["考えすぎだ"]\nen: ["he thinks forever"]\n', encoding="utf-8"
    )
    (situations,) = packs.load(tmp_path).pack("demo").situations
    assert situations.en == ("he thinks forever",)
    (folder / "2.2.yaml").write_text('section: "demo:9"\nja: []\nen: []\n', encoding="utf-8")
    assert [p.code for p in packs.inspect(tmp_path).problems] == ["dangling"]


def data_files() -> list[Path]:
    return sorted(resources.folder("policy_data").rglob("*.yaml"))


@pytest.mark.parametrize("file", data_files(), ids=lambda file: f"{file.parent.name}/{file.name}")
def test_an_editor_is_told_the_schema_of_each_data_file(file: Path) -> None:
    first = file.read_text(encoding="utf-8").split("\n", 1)[0]
    levels = "../" * (len(file.relative_to(resources.folder("policy_data")).parts) - 1)
    assert first == f"# yaml-language-server: $schema={levels}schema.json"


def japanese_texts(pack: Pack) -> list[str]:
    return re.findall(r'"ja":"((?:[^"\\]|\\.)*)"', pack.model_dump_json())


@pytest.mark.parametrize("pack_id", ["fab", "ygo"])
def test_japanese_is_in_plain_style_with_full_width_punctuation(
    library: Library, pack_id: str
) -> None:
    texts = japanese_texts(library.pack(pack_id))
    assert len(texts) > 200
    polite = [t for t in texts if re.search(r"(です|ます|ません|でした|ました)(?:[。、」]|$)", t)]
    quoted = [t for t in polite if "「" in t]  # what a player says stays as spoken
    assert [t for t in polite if t not in quoted] == []
    narrow = [t for t in texts if re.search(r"[ぁ-ん一-龥][,.!?()](?![0-9A-Za-z])", t)]
    assert narrow == []
    wide = [t for t in texts if re.search(r"[０-９Ａ-Ｚａ-ｚ]", t)]
    assert wide == []
