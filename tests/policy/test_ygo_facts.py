"""The facts of the Yu-Gi-Oh! OCG shop-event penalty rules, written from the source document."""

import re

import pytest

from bot.policy.pack import Library, Pack
from bot.policy.tables import quick_reference


@pytest.fixture(scope="module")
def ygo(library: Library) -> Pack:
    return library.pack("ygo")


PENALTIES = {
    "3.A": None,
    "3.B": None,
    "4.1": "caution",
    "4.2": "warning",
    "4.3": "total-disqualification",
    "4.4": "total-disqualification",
    "4.5": "total-disqualification",
    "4.6": "total-disqualification",
    "5.1": "warning",
    "5.2": "duel-loss",
    "5.3": "match-loss",
    "6": None,
    "7.1": "caution",
    "8.1": "duel-loss",
    "8.2": "disqualification",
    "8.3": "total-disqualification",
    "9.1": "total-disqualification",
    "9.2": "total-disqualification",
    "9.3": "total-disqualification",
    "10.1": "warning",
    "10.2": "warning",
    "10.3": "warning",
}
"""Every clause; None where the source has lost its text and the penalty with it."""


def test_the_clauses_and_their_penalties_are_those_of_the_document(ygo: Pack) -> None:
    rows = [row for _, rows in quick_reference(ygo) for row in rows]
    assert {row.section.number: row.penalty for row in rows} == PENALTIES


def test_the_ladder_has_six_rungs(ygo: Pack) -> None:
    assert [(p.code, p.name.ja, p.recorded, p.ends) for p in ygo.header.ladder] == [
        ("caution", "注意", None, "nothing"),
        ("warning", "警告", None, "nothing"),
        ("duel-loss", "デュエルの敗北", None, "game"),
        ("match-loss", "マッチの敗北", True, "match"),
        ("disqualification", "失格", True, "tournament"),
        ("total-disqualification", "受賞資格を失う失格", True, "tournament"),
    ]


def test_a_warning_loses_neither_match_nor_duel(ygo: Pack) -> None:
    """The heading of the match loss is lost, so its bullets seem to belong to the warning."""
    assert ygo.penalty("warning").ends == "nothing"
    warning = ygo.section("ygo:1.b")
    assert "敗北" not in "".join(item.ja for item in warning.details)
    assert ygo.penalty("match-loss").ends == "match"
    match_loss = ygo.section("ygo:1.d")
    assert match_loss.definition is not None
    assert {"マッチ", "敗北"} <= set(re.findall("マッチ|敗北", match_loss.definition.ja))


def test_only_the_total_disqualification_takes_awards_already_won(ygo: Pack) -> None:
    assert ygo.penalty("disqualification").keeps_prizes is True
    assert ygo.penalty("total-disqualification").keeps_prizes is False


def test_repeats_and_malice_are_the_judges_choice(ygo: Pack) -> None:
    rule = ygo.header.repeat
    assert rule is not None
    assert (rule.force, rule.threshold, rule.levels, rule.cap) == ("may", None, None, None)
    for section_id in ("ygo:1.b", "ygo:1.d"):
        (malice,) = ygo.section(section_id).adjustments
        assert (malice.direction, malice.to, malice.force) == ("upgrade", None, "may")
        assert str(malice.condition) == "malicious"
    for section_id in ("ygo:1.a", "ygo:1.c", "ygo:1.e", "ygo:1.f"):
        assert ygo.section(section_id).adjustments == ()


@pytest.mark.parametrize("section_id", ["ygo:7.1", "ygo:10.1", "ygo:10.2", "ygo:10.3"])
def test_the_judge_may_add_a_penalty_when_the_result_was_affected(
    ygo: Pack, section_id: str
) -> None:
    (item,) = ygo.section(section_id).adjustments
    assert (item.direction, item.to, item.force) == ("upgrade", None, "may")
    assert str(item.condition) == "affected-match-result"


def test_no_other_clause_is_raised_or_lowered(ygo: Pack) -> None:
    adjusted = {section.id for section in ygo.sections if section.adjustments}
    assert adjusted == {"ygo:1.b", "ygo:1.d", "ygo:7.1", "ygo:10.1", "ygo:10.2", "ygo:10.3"}


def test_lateness_counts_whole_minutes_from_the_gathering_time(ygo: Pack) -> None:
    assert ygo.section("ygo:5.1").applies_when is None
    assert str(ygo.section("ygo:5.2").applies_when) == "minutes_late >= 5"
    assert str(ygo.section("ygo:5.3").applies_when) == "minutes_late >= 10"


def test_a_handed_over_win_disqualifies_both(ygo: Pack) -> None:
    assert ygo.section("ygo:4.6").subject == "both-players"


@pytest.mark.parametrize("section_id", ["ygo:3.a", "ygo:3.b", "ygo:6"])
def test_a_lost_clause_says_so_and_gives_no_penalty(ygo: Pack, section_id: str) -> None:
    section = ygo.section(section_id)
    assert section.penalty is None
    assert "penalty" in {gap.what for gap in section.missing}


def test_what_other_copies_say_is_marked_with_how_sure_it_is(ygo: Pack) -> None:
    certain = {
        section.id: {r.confidence for r in section.reconstructions} for section in ygo.sections
    }
    assert "high" in certain["ygo:1.a"]
    assert "high" in certain["ygo:1.c"]
    assert "high" in certain["ygo:1.d"]
    assert certain["ygo:3.a"]
    assert certain["ygo:3.a"] <= {"medium", "low"}
    assert certain["ygo:3.b"] == {"medium"}
    assert certain["ygo:6"] == set(), "nothing is known about 6: nothing may be made up"


@pytest.mark.parametrize("section_id", ["ygo:1.a", "ygo:1.c", "ygo:1.d", "ygo:2"])
def test_a_lost_heading_or_text_is_marked(ygo: Pack, section_id: str) -> None:
    assert ygo.section(section_id).missing


@pytest.mark.parametrize(
    ("section_id", "code"),
    [
        ("ygo:2", "Y07"), ("ygo:4.1", "Y12"), ("ygo:4.1", "Y13"), ("ygo:4.2", "Y13"),
        ("ygo:4.6", "Y11"), ("ygo:5.2", "Y08"), ("ygo:5.3", "Y08"), ("ygo:7.1", "Y14"),
        ("ygo:8.1", "Y10"), ("ygo:8.2", "Y11"), ("ygo:8.3", "Y11"), ("ygo:1.b", "Y15"),
    ],
)  # fmt: skip
def test_a_doubt_is_told_to_the_reader(ygo: Pack, section_id: str, code: str) -> None:
    assert code in {note.code for note in ygo.section(section_id).notes}


@pytest.mark.parametrize("remark", ["アニメ", "伏せカード", "セブンスロード", "スローガン"])
def test_the_wikis_remarks_are_not_in_the_rules(ygo: Pack, remark: str) -> None:
    assert remark not in ygo.model_dump_json()
