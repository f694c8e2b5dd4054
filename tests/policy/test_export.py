"""The JSON document of all packs."""

import json

from bot.policy.export import export
from bot.policy.pack import Library


def test_the_export_is_plain_json_with_every_section(library: Library) -> None:
    document = json.loads(json.dumps(export(library), ensure_ascii=False))
    packs = {pack["id"]: pack for pack in document["packs"]}
    assert set(packs) == {"fab", "ygo"}
    assert len(packs["fab"]["sections"]) == 48
    assert len(packs["ygo"]["sections"]) == 29


def test_a_section_of_the_export_has_what_others_build_on(library: Library) -> None:
    document = export(library)
    fab = next(pack for pack in document["packs"] if pack["id"] == "fab")
    assert {"id", "name", "editions", "ladder", "chapters", "sections"} <= fab.keys()
    tardiness = next(s for s in fab["sections"] if s["id"] == "fab:3.1")
    assert tardiness["kind"] == "infraction"
    assert tardiness["number"] == "3.1"
    assert tardiness["name"] == {"ja": "遅刻", "en": "Tardiness"}
    assert tardiness["penalty"] == "ip2"
    upgrade = next(a for a in tardiness["adjustments"] if a["direction"] == "upgrade")
    assert upgrade["to"] == "game-loss"
    assert upgrade["force"] == "must"
    assert upgrade["condition"] == {
        "fact": "minutes_late",
        "op": ">",
        "value": 10,
        "scope": None,
    }
    assert set(upgrade["text"]) == {"ja", "en"}


def test_a_negated_condition_is_exported_as_it_is_written(library: Library) -> None:
    fab = export(library)["packs"][0]
    presenting = next(s for s in fab["sections"] if s["id"] == "fab:2.7")
    professional = presenting["adjustments"][2]["condition"]
    assert professional["all"][1] == {"not": {"judgement": "only-double-sided-wrong-face"}}


def test_every_section_has_both_languages_or_says_what_is_missing(library: Library) -> None:
    for pack in export(library)["packs"]:
        for section in pack["sections"]:
            assert section["name"]["ja"], section["id"]
            assert section["name"]["en"], section["id"]
            definition = section["definition"]
            assert section["missing"] or (definition["ja"] and definition["en"]), section["id"]
