"""The quick-reference table of any pack."""

from pathlib import Path

from bot.policy import packs
from bot.policy.tables import quick_reference
from tests import demo_pack


def test_the_table_is_computed_from_the_sections(tmp_path: Path) -> None:
    pack_folder = demo_pack.write(tmp_path)
    (pack_folder / "1.yaml").write_text(
        demo_pack.GENERAL
        + 'conflicts:\n  - section: "demo:2.2"\n    name: {ja: "長考", en: "Long think"}\n'
        '    penalty: loss\n    text: {ja: "表は違う。", en: "The table differs."}\n',
        encoding="utf-8",
    )
    ((chapter, rows),) = quick_reference(packs.load(tmp_path).pack("demo"))
    assert chapter.number == "2"
    assert [(row.section.id, row.penalty) for row in rows] == [
        ("demo:2.1", "loss"),
        ("demo:2.2", "note"),
    ]
    assert [row.conflict.penalty if row.conflict else None for row in rows] == [None, "loss"]
