"""Every kind of fault in rule data is found, each with its file and line."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot import i18n
from bot.i18n import Catalogue
from bot.policy import packs
from bot.policy.texts import LOCALES
from bot.yamlsource import Problem
from tests import demo_pack


@dataclass(frozen=True)
class Fault:
    """One fault put into the demo pack, and where it has to be reported."""

    file: str
    old: str
    new: str
    code: str
    at: str
    """Text that only the faulty line of the changed file contains."""
    key: str = ""
    reported_in: str = ""
    """The file the report names, when it is not the changed one."""


FAULTS = {
    "unclosed bracket": Fault(
        "2.2.yaml", '["おそいこうい"]', '["おそいこうい"', "not_yaml", "penalty: note"
    ),
    "tab as indentation": Fault("2.2.yaml", "penalty: note", "\tpenalty: note", "tab", "\tpenalty"),
    "control character": Fault("2.2.yaml", "Thinks", "Thi\x00nks", "not_yaml", "Thi\x00nks"),
    "duplicate key": Fault(
        "2.2.yaml",
        "penalty: note",
        "penalty: note\npenalty: loss",
        "duplicate_key",
        "penalty: loss",
    ),
    "unknown key": Fault(
        "2.2.yaml",
        "penalty: note",
        "penalty: note\npenality: loss",
        "unknown_key",
        "penality",
        "penality",
    ),
    "missing key": Fault("2.2.yaml", "kind: infraction\n", "", "missing_key", "id:", "kind"),
    "missing key in the header": Fault(
        "pack.yaml", 'publisher: "Nobody"\n', "", "missing_key", "id: demo", "publisher"
    ),
    "missing language": Fault(
        "2.2.yaml",
        '{ja: "長く考える。", en: "Thinks for long."}',
        '{ja: "長く考える。"}',
        "missing_language",
        "definition",
        "definition.en",
    ),
    "empty text": Fault(
        "2.2.yaml", '"Thinks for long."', '""', "empty", "definition", "definition.en"
    ),
    "unknown penalty": Fault(
        "2.2.yaml", "penalty: note", "penalty: nope", "unknown_penalty", "penalty: nope", "penalty"
    ),
    "unknown penalty in an adjustment": Fault(
        "2.1.yaml", "to: out", "to: outt", "unknown_penalty", "to: outt", "adjustments[2].to"
    ),
    "unknown penalty in an outcome": Fault(
        "2.1.yaml",
        "    penalty: note\n    under",
        "    penalty: noet\n    under",
        "unknown_penalty",
        "penalty: noet",
        "outcomes[1].penalty",
    ),
    "unknown cap": Fault(
        "pack.yaml",
        "cap: out",
        "cap: far-out",
        "unknown_penalty",
        "cap: far-out",
        "chapters[2].repeat.cap",
    ),
    "dangling reference": Fault(
        "2.1.yaml",
        '- to: "demo:2.2"',
        '- to: "demo:2.9"',
        "dangling",
        "demo:2.9",
        "references[1].to",
    ),
    "dangling outcome": Fault(
        "2.1.yaml",
        'under: "demo:2.2"',
        'under: "demo:7"',
        "dangling",
        "demo:7",
        "outcomes[1].under",
    ),
    "often asked but not there": Fault(
        "pack.yaml",
        'often_asked: ["demo:2.2"]',
        'often_asked: ["demo:2.7"]',
        "dangling",
        'often_asked: ["demo:2.7"]',
        "chapters[2].often_asked[1]",
    ),
    "often asked in another chapter": Fault(
        "pack.yaml",
        'often_asked: ["demo:2.2"]',
        'often_asked: ["demo:1"]',
        "other_chapter",
        'often_asked: ["demo:1"]',
        "chapters[2].often_asked[1]",
    ),
    "often asked twice": Fault(
        "pack.yaml",
        'often_asked: ["demo:2.2"]',
        'often_asked: ["demo:2.2", "demo:2.2"]',
        "duplicate_code",
        'often_asked: ["demo:2.2", "demo:2.2"]',
        "chapters[2].often_asked[2]",
    ),
    "dangling exemption": Fault(
        "pack.yaml",
        'exempt: ["demo:2.1"]\nhandling',
        'exempt: ["demo:2.7"]\nhandling',
        "dangling",
        'exempt: ["demo:2.7"]',
        "chapters[2].repeat.exempt[1]",
    ),
    "reference to itself": Fault(
        "2.1.yaml",
        '- to: "demo:2.2"',
        '- to: "demo:2.1"',
        "points_to_itself",
        '- to: "demo:2.1"',
        "references[1].to",
    ),
    "reference to nothing": Fault(
        "2.1.yaml", '- to: "demo:2.2"\n    why', "- why", "points_nowhere", "- why", "references[1]"
    ),
    "unknown document": Fault(
        "2.1.yaml", "document: other", "document: others", "unknown_document", "document: others"
    ),
    "unknown number of a document": Fault("2.1.yaml", '"6.2"', '"6.3"', "unknown_number", '"6.3"'),
    "duplicate id": Fault(
        "2.2.yaml", 'id: "demo:2.2"', 'id: "demo:2.1"', "duplicate_id", "id:", "id"
    ),
    "file named otherwise": Fault(
        "2.2.yaml", 'id: "demo:2.2"', 'id: "demo:2.3"', "file_name", "id:", "id"
    ),
    "id of another pack": Fault(
        "2.2.yaml", 'id: "demo:2.2"', 'id: "fab:2.2"', "foreign_id", "id:", "id"
    ),
    "duplicate alias": Fault(
        "2.1.yaml", '["tardy"]', '["slowness"]', "duplicate_alias", "slowness", "aliases.en[1]"
    ),
    "alias twice": Fault(
        "2.1.yaml",
        '["tardy"]',
        '["tardy", "ＴＡＲＤＹ"]',
        "duplicate_alias",
        "ＴＡＲＤＹ",
        "aliases.en[2]",
    ),
    "adjustment without effect": Fault(
        "2.1.yaml", "to: out", "to: loss", "no_change", "to: loss", "adjustments[2].to"
    ),
    "upgrade that lightens": Fault(
        "2.1.yaml",
        "to: out",
        "to: note\n    head_judge: true",
        "wrong_side",
        "to: note\n    head_judge",
        "adjustments[2].to",
    ),
    "downgrade that aggravates": Fault(
        "2.1.yaml",
        "to: note\n    force",
        "to: out\n    force",
        "wrong_side",
        "to: out\n    force: must",
        "adjustments[1].to",
    ),
    "open target that must be taken": Fault(
        "2.1.yaml",
        "to: note\n    force",
        "to: null\n    force",
        "no_target",
        "to: null",
        "adjustments[1].to",
    ),
    "reading not in kana": Fault(
        "2.2.yaml", '"おそいこうい"', '"遅い行為"', "not_kana", "readings", "readings[1]"
    ),
    "text too long for an embed": Fault(
        "2.2.yaml", "Thinks for long.", "x" * 1025, "too_long", "definition", "definition.en"
    ),
    "name too long for a choice": Fault(
        "2.2.yaml", '"Slowness"', f'"{"S" * 101}"', "too_long", "name", "name.en"
    ),
    "undeclared section": Fault(
        "pack.yaml", '  - "demo:2.2"\n', "", "undeclared", "id:", "id", "2.2.yaml"
    ),
    "declared section without file": Fault(
        "pack.yaml",
        '  - "demo:2.2"',
        '  - "demo:2.2"\n  - "demo:2.3"',
        "no_file",
        '  - "demo:2.3"',
        "sections[8]",
    ),
    "section declared twice": Fault(
        "pack.yaml",
        '  - "demo:2.2"',
        '  - "demo:2.2"\n  - "demo:2.2" # again',
        "declared_twice",
        "# again",
        "sections[8]",
    ),
    "unknown fact": Fault(
        "2.1.yaml",
        "fact: minutes",
        "fact: hours",
        "unknown_fact",
        "fact: hours",
        "adjustments[1].condition",
    ),
    "fact compared with text": Fault(
        "2.1.yaml", "value: 1}", 'value: "one"}', "fact_not_number", "fact: minutes"
    ),
    "choice without such a value": Fault(
        "2.1.yaml",
        'minutes, op: "<", value: 1',
        'level, op: "==", value: high',
        "fact_not_choice",
        "fact: level",
    ),
    "choice compared by size": Fault(
        "2.1.yaml",
        'minutes, op: "<", value: 1',
        'level, op: "<", value: low',
        "fact_not_ordered",
        "fact: level",
    ),
    "undeclared judgement": Fault(
        "2.1.yaml",
        "{judgement: on-purpose}",
        "{all: [{judgement: on-purpose}, {judgement: malice}]}",
        "unknown_judgement",
        "malice",
    ),
    "judgement nobody asks": Fault(
        "2.1.yaml",
        "judgements:\n",
        'judgements:\n  idle: {ja: "暇か", en: "Idle?"}\n',
        "unused_judgement",
        "idle",
        "judgements.idle",
    ),
    "condition of no kind": Fault(
        "2.1.yaml",
        "{judgement: on-purpose}",
        "{maybe: on-purpose}",
        "condition_kind",
        "maybe",
        "adjustments[2].condition",
    ),
    "operator that is none": Fault(
        "2.1.yaml", 'op: "<"', 'op: "<<"', "not_one_of", "fact: minutes"
    ),
    "infraction without penalty": Fault(
        "2.2.yaml", "penalty: note\n", "", "no_penalty", "id:", "penalty"
    ),
    "penalty of a group": Fault(
        "2.yaml",
        "kind: group",
        "kind: group\npenalty: note",
        "stray_penalty",
        "penalty: note",
        "penalty",
    ),
    "no definition": Fault(
        "2.2.yaml",
        'definition: {ja: "長く考える。", en: "Thinks for long."}\n',
        "",
        "no_definition",
        "id:",
        "definition",
    ),
    "swapped languages": Fault(
        "2.2.yaml",
        '{ja: "長く考える。", en: "Thinks for long."}',
        '{ja: "Thinks for long.", en: "長く考える。"}',
        "not_japanese",
        "definition",
        "definition.ja",
    ),
    "folded Japanese": Fault(
        "2.2.yaml",
        '"長く考える。"',
        '"長く考える。\n  そして遅い。"',
        "space_in_japanese",
        "definition",
        "definition.ja",
    ),
    "number instead of text": Fault(
        "2.1.yaml", 'ja: ["遅刻"]', "ja: [4]", "not_text", "ja: [4]", "aliases.ja[1]"
    ),
    "text instead of list": Fault(
        "2.1.yaml", 'ja: ["遅刻"]', 'ja: "遅刻"', "not_list", 'ja: "遅刻"', "aliases.ja"
    ),
    "severities out of order": Fault(
        "pack.yaml",
        "severity: 2",
        "severity: 0 # again",
        "severity_order",
        "# again",
        "ladder[3].severity",
    ),
    "anchor": Fault("2.2.yaml", "definition: {", "definition: &a {", "alias", "&a"),
    "tag": Fault(
        "2.2.yaml", "penalty: note", "penalty: !!python/name:os.system x", "tag", "!!python"
    ),
    "date that is none": Fault(
        "pack.yaml",
        "date: 2026-01-01",
        "date: last week",
        "not_date",
        "last week",
        "editions[1].date",
    ),
    "section of no chapter": Fault(
        "pack.yaml",
        '{number: "1", name: {ja: "総則"',
        '{number: "3", name: {ja: "総則"',
        "no_chapter",
        "id:",
        "id",
        "1-loss.yaml",
    ),
    "list instead of keys": Fault("2.2.yaml", demo_pack.SLOW, "- a\n- b\n", "not_a_mapping", "- a"),
    "invisible character": Fault(
        "2.2.yaml", "Thinks", "Thi\u202enks", "hidden_character", "Thi\u202enks"
    ),
    "escape sequence": Fault("2.2.yaml", "Thinks", "\\e[31mThinks", "hidden_character", "Thinks"),
    "second document": Fault(
        "2.2.yaml", "penalty: note", "---\npenalty: note", "two_documents", "---"
    ),
    "number in quotes": Fault(
        "pack.yaml",
        "threshold: 2",
        'threshold: "2"',
        "not_number",
        "threshold",
        "chapters[2].repeat.threshold",
    ),
    "yes instead of true": Fault(
        "pack.yaml",
        "recorded: false",
        "recorded: off",
        "not_yes_no",
        "recorded: off",
        "ladder[1].recorded",
    ),
    "threshold without levels": Fault(
        "pack.yaml", "levels: 1", "levels: null", "half_rule", "    repeat:", "chapters[2].repeat"
    ),
    "negative threshold": Fault(
        "pack.yaml", "threshold: 2", "threshold: -3", "too_small", "threshold: -3"
    ),
    "exempt group": Fault(
        "pack.yaml",
        'exempt: ["demo:2.1"]\nhandling',
        'exempt: ["demo:2"]\nhandling',
        "exempt_group",
        'exempt: ["demo:2"]',
    ),
    "address with another placeholder": Fault(
        "pack.yaml",
        'en: "The Japanese edition."}',
        'en: "The Japanese edition."}\n    url: "https://example.test/{foo}"',
        "bad_address",
        "{foo}",
        "editions[1].url",
    ),
    "address that is none": Fault(
        "pack.yaml",
        'publisher: "Nobody"',
        'publisher: "Nobody"\nsite: "javascript:x"',
        "bad_form",
        "javascript",
    ),
    "name in the wrong language": Fault(
        "2.2.yaml",
        '{ja: "遅い行為", en: "Slowness"}',
        '{ja: "Slowness", en: "遅い行為"}',
        "not_english",
        "name",
        "name.en",
    ),
    "same text twice": Fault(
        "2.2.yaml",
        '"Thinks for long."',
        '"長く考える a。"',
        "not_english",
        "definition",
        "definition.en",
    ),
    "half-width full stop": Fault(
        "2.2.yaml", '"長く考える。"', '"長く考える."', "narrow_punctuation", "definition"
    ),
    "full-width digit": Fault(
        "2.2.yaml", '"長く考える。"', '"３分考える。"', "wide_letter", "definition"
    ),
    "penalty that is said to be lost": Fault(
        "2.2.yaml",
        "penalty: note",
        'penalty: note\nmissing:\n  - what: penalty\n    text: {ja: "不明。", en: "Unknown."}',
        "lost_penalty",
        "penalty: note",
    ),
    "penalty under what is no infraction": Fault(
        "2.1.yaml", 'under: "demo:2.2"', 'under: "demo:1"', "no_infraction", 'under: "demo:1"'
    ),
    "in place of nothing": Fault(
        "2.1.yaml",
        '    penalty: note\n    under: "demo:2.2"\n',
        "    instead: true\n",
        "instead_of_nothing",
        "instead: true",
    ),
    "number of no document": Fault(
        "2.1.yaml",
        "- document: other\n    number",
        '- to: "demo:2.2"\n    number',
        "number_of_nothing",
        "number:",
    ),
    "two adjustments on one condition": Fault(
        "2.1.yaml",
        '{fact: minutes, op: "<", value: 1}',
        "{judgement: on-purpose}",
        "same_condition",
        'condition: {judgement: on-purpose}\n    text: {ja: "わざと',
    ),
    "one test twice": Fault(
        "2.1.yaml",
        "{judgement: on-purpose}",
        "{any: [{judgement: on-purpose}, {judgement: on-purpose}]}",
        "repeated_test",
        "any:",
    ),
    "alias that cannot be typed": Fault(
        "2.1.yaml", '["tardy"]', '["！？"]', "not_searchable", "！？"
    ),
    "reference to another rulebook": Fault(
        "2.1.yaml", '- to: "demo:2.2"', '- to: "fab:2.2"', "other_pack", "fab:2.2"
    ),
    "rung without its section": Fault(
        "pack.yaml",
        '"demo:1/note"\n    recorded',
        '"demo:2.2"\n    recorded',
        "other_penalty",
        '    section: "demo:2.2"',
    ),
    "chapter twice": Fault(
        "pack.yaml",
        '  - number: "2"',
        '  - number: "1"',
        "duplicate_code",
        '  - number: "1"',
        "chapters[2].number",
    ),
    "choice without choices": Fault(
        "pack.yaml", "kind: number", "kind: choice", "choices_wanted", "  minutes:"
    ),
    "no word on both": Fault("2.1.yaml", "if_both: judge\n", "", "if_both", "id:", "if_both"),
    "outcome without penalty": Fault(
        "2.1.yaml",
        '    penalty: note\n    under: "demo:2.2"\n',
        "",
        "penalty_or_action",
        "- who: opponent",
    ),
    "empty file": Fault("2.2.yaml", demo_pack.SLOW, "", "not_a_mapping", ""),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_reported_with_file_and_line(
    name: str, tmp_path: Path, catalogue: Catalogue
) -> None:
    fault = FAULTS[name]
    pack = demo_pack.write(tmp_path)
    file = pack / fault.file
    before = file.read_text(encoding="utf-8")
    assert before.count(fault.old) == 1, "the fault has to stand in one place"
    after = before.replace(fault.old, fault.new)
    file.write_text(after, encoding="utf-8")

    inspection = packs.inspect(tmp_path)

    assert inspection.library is None
    problem = next(problem for problem in inspection.problems if problem.code == fault.code)
    reported = pack / (fault.reported_in or fault.file)
    content = reported.read_text(encoding="utf-8")
    assert problem.file == reported
    assert problem.line == content[: content.index(fault.at)].count("\n") + 1
    assert not fault.key or problem.key == fault.key
    for locale in LOCALES:
        line = i18n.problem_text(problem, catalogue[locale])
        assert line.startswith(f"{reported}:{problem.line}: ")
        assert "\n" not in line
        assert "\x1b" not in line


def test_the_unbroken_pack_has_no_problem(tmp_path: Path) -> None:
    demo_pack.write(tmp_path)
    assert packs.inspect(tmp_path).problems == ()


def test_one_bad_file_hides_nothing_in_another(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    (pack / "1.yaml").write_text("id: [", encoding="utf-8")
    (pack / "2.1.yaml").write_text(demo_pack.LATE.replace("to: out", "to: loss"), encoding="utf-8")
    (pack / "2.2.yaml").write_text(
        demo_pack.SLOW.replace("penalty: note", "penalty: x"), encoding="utf-8"
    )
    assert {(p.file.name, p.code) for p in packs.inspect(tmp_path).problems} == {
        ("1.yaml", "not_yaml"),
        ("2.1.yaml", "no_change"),
        ("2.2.yaml", "unknown_penalty"),
    }


def test_a_broken_header_leaves_the_sections_checked(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    (pack / "pack.yaml").write_text("id: [", encoding="utf-8")
    (pack / "2.1.yaml").write_text(demo_pack.LATE.replace('"おくれ"', '"遅れ"'), encoding="utf-8")
    assert [(p.file.name, p.code) for p in packs.inspect(tmp_path).problems] == [
        ("2.1.yaml", "not_kana"),
        ("pack.yaml", "not_yaml"),
    ]


def test_a_missing_header_is_reported(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    (pack / "pack.yaml").unlink()
    assert "unreadable" in {p.code for p in packs.inspect(tmp_path).problems}


def test_a_folder_without_rulebooks_is_reported(tmp_path: Path) -> None:
    assert _only(tmp_path).code == "no_packs"
    assert _only(tmp_path / "nowhere").code == "unreadable"


def test_a_data_file_with_another_ending_is_not_silently_left_out(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    (pack / "2.3.yml").write_text(demo_pack.SLOW, encoding="utf-8")
    assert _only(tmp_path).code == "wrong_ending"


def _only(folder: Path) -> Problem:
    (problem,) = packs.inspect(folder).problems
    return problem


def test_a_faulty_ladder_leaves_the_penalties_of_sections_checked(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    faulty = demo_pack.PACK.replace("severity: 0", "severty: 0")
    (pack / "pack.yaml").write_text(faulty, encoding="utf-8")
    (pack / "2.2.yaml").write_text(demo_pack.SLOW.replace("note", "nope"), encoding="utf-8")
    found = {(p.file.name, p.code) for p in packs.inspect(tmp_path).problems}
    assert ("2.2.yaml", "unknown_penalty") in found
    assert ("pack.yaml", "unknown_key") in found
    assert ("2.1.yaml", "unknown_penalty") not in found


def test_a_file_that_cannot_be_read_makes_no_reference_to_it_wrong(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    (pack / "2.2.yaml").write_text("id: [", encoding="utf-8")
    assert [(p.file.name, p.code) for p in packs.inspect(tmp_path).problems] == [
        ("2.2.yaml", "not_yaml")
    ]


@pytest.mark.parametrize(
    "name", ["demo/9.yml", "demo/9.YAML", "demo/extra/9.yaml", "x.yaml", "demo/.9.yaml"]
)
def test_nothing_in_the_folder_is_passed_over_in_silence(tmp_path: Path, name: str) -> None:
    demo_pack.write(tmp_path)
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(demo_pack.SLOW, encoding="utf-8")
    assert packs.inspect(tmp_path).problems


def test_a_link_to_nowhere_is_no_lost_rulebook(tmp_path: Path) -> None:
    demo_pack.write(tmp_path)
    (tmp_path / "other").symlink_to(tmp_path / "nowhere")
    assert _only(tmp_path).code == "stray"


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    os.mkfifo(pack / "2.3.yaml")
    assert "unreadable" in {p.code for p in packs.inspect(tmp_path).problems}


def test_a_file_full_of_faults_does_not_bury_the_others(tmp_path: Path) -> None:
    pack = demo_pack.write(tmp_path)
    many = demo_pack.SLOW.replace('["おそいこうい"]', f"[{', '.join(['1'] * 5000)}]")
    (pack / "2.2.yaml").write_text(many, encoding="utf-8")
    (pack / "1.yaml").write_text("id: [", encoding="utf-8")
    problems = packs.inspect(tmp_path).problems
    assert len(problems) < 60
    assert "and_more" in {p.code for p in problems}
    assert "not_yaml" in {p.code for p in problems}


def test_two_rulebooks_cannot_claim_one_game(tmp_path: Path) -> None:
    demo_pack.write(tmp_path)
    other = tmp_path / "twin"
    other.mkdir()
    for name, content in demo_pack.FILES.items():
        text = content.replace('"demo:', '"twin:').replace("id: demo", "id: twin")
        (other / name).write_text(text, encoding="utf-8")
    assert {p.code for p in packs.inspect(tmp_path).problems} == {"duplicate_game"}
