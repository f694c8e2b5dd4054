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
    warning = ygo.penalty("warning")
    section = ygo.section("ygo:1.b")
    assert warning.ends == "nothing"
    assert section.definition is not None
    said = [section.definition, *section.details, warning.effect]
    for text in said:
        assert not re.search("(?:マッチ|デュエル)(?:に|の|を)?敗北", text.ja), text.ja
        assert not re.search("(?i)lose[s]? (?:the|their) (?:current )?(?:match|duel)", text.en), (
            text.en
        )
    match_loss = ygo.section("ygo:1.d")
    assert ygo.penalty("match-loss").ends == "match"
    assert match_loss.definition is not None
    assert {"マッチ", "敗北"} <= set(re.findall("マッチ|敗北", match_loss.definition.ja))


@pytest.mark.parametrize(
    ("section_id", "ja", "en"),
    [
        ("ygo:4.1", "墓地", "Graveyard"),
        ("ygo:4.2", "シャッフル.*無作為|無作為.*シャッフル", "(?i)shuffle.*random|random.*shuffle"),
        ("ygo:5.2", "5分", "5 minutes"),
        ("ygo:5.3", "10分", "10 minutes"),
        ("ygo:1.f", "受賞資格", "(?i)award"),
        ("ygo:8.2", "無作為|ジャンケン", "(?i)random|rock"),
    ],
)
def test_a_clause_has_its_facts(ygo: Pack, section_id: str, ja: str, en: str) -> None:
    section = ygo.section(section_id)
    said = [
        *((section.definition,) if section.definition else ()),
        *section.details,
        *section.procedure,
    ]
    assert re.search(ja, "".join(text.ja for text in said))
    assert re.search(en, " ".join(text.en for text in said))


@pytest.mark.parametrize(
    ("section_id", "name"),
    [
        ("ygo:1.a", "注意"),
        ("ygo:1.b", "警告"),
        ("ygo:1.c", "デュエルの敗北"),
        ("ygo:1.d", "マッチの敗北"),
        ("ygo:1.e", "失格"),
        ("ygo:1.f", "受賞資格を失う失格"),
        ("ygo:2", "罰則の適用"),
        ("ygo:3.a", "デッキに関する違反"),
        ("ygo:3.b", "デッキリストに関する違反"),
        ("ygo:6", "裏の状態で区別のつくカードの使用"),
    ],
)
def test_a_heading_of_the_document_is_named_exactly(ygo: Pack, section_id: str, name: str) -> None:
    section = ygo.section(section_id)
    assert section.name.ja == name
    assert not section.own_name


def test_a_clause_without_a_heading_says_that_its_name_is_ours(ygo: Pack) -> None:
    named = {"1.A", "1.B", "1.C", "1.D", "1.E", "1.F", "2", "3.A", "3.B", "6"}
    assert {s.number for s in ygo.sections if not s.own_name} == named


def test_the_judge_may_add_a_penalty_rather_than_raise_it(ygo: Pack) -> None:
    added = {s.id for s in ygo.sections for item in s.adjustments if item.added}
    assert added == {"ygo:7.1", "ygo:10.1", "ygo:10.2", "ygo:10.3"}


@pytest.mark.parametrize(("code", "to"), [("duel-loss", "next-game"), ("match-loss", "next-match")])
def test_a_loss_between_duels_or_matches_falls_on_the_next(ygo: Pack, code: str, to: str) -> None:
    assert ygo.penalty(code).deferred_to == to


def test_what_is_missing_is_listed(ygo: Pack) -> None:
    assert len(ygo.header.known_gaps) >= 4
    gaps = {section.id: {gap.what for gap in section.missing} for section in ygo.sections}
    assert gaps["ygo:1.c"] >= {"heading"}
    assert gaps["ygo:1.d"] >= {"heading"}
    assert gaps["ygo:2"] >= {"heading"}


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
        ("ygo:1.d", "Y01"), ("ygo:1.c", "Y03"), ("ygo:2", "Y04"), ("ygo:3.a", "Y05"), ("ygo:3.b", "Y05"), ("ygo:6", "Y06"),
        ("ygo:2", "Y07"), ("ygo:4.1", "Y12"), ("ygo:4.1", "Y13"), ("ygo:4.2", "Y13"),
        ("ygo:4.6", "Y11"), ("ygo:5.2", "Y08"), ("ygo:5.3", "Y08"), ("ygo:7.1", "Y14"),
        ("ygo:8.1", "Y10"), ("ygo:8.2", "Y11"), ("ygo:8.3", "Y11"), ("ygo:1.b", "Y15"),
    ],
)  # fmt: skip
def test_a_doubt_is_told_to_the_reader(ygo: Pack, section_id: str, code: str) -> None:
    assert code in {note.code for note in ygo.section(section_id).notes}


@pytest.mark.parametrize("remark", ["アニメ", "伏せカード", "セブンスロード", "スローガン"])
def test_the_wikis_remarks_are_not_in_the_rules(ygo: Pack, remark: str) -> None:
    assert all(remark not in section.model_dump_json() for section in ygo.sections)
