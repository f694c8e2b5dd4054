"""The facts of the Flesh and Blood Procedure and Penalty Guide, written from the source documents.

Each expectation is copied from the documents, not from the data: when a test here fails, read the
document before touching either side.
"""

import re

import pytest

from bot.policy.condition import FactTest, single_tests
from bot.policy.pack import Library, Pack
from bot.policy.section import Adjustment, Outcome, Section
from bot.policy.tables import quick_reference


@pytest.fixture(scope="module")
def fab(library: Library) -> Pack:
    return library.pack("fab")


def line(item: Adjustment) -> str:
    """An adjustment in one line: direction, target, force and condition."""
    judge = " by the Head Judge" if item.head_judge else ""
    return f"{item.direction} to {item.to} {item.force}{judge} if {item.condition}"


def outcome_line(item: Outcome) -> str:
    """An outcome in one line: who gets what, for what, when, on which condition."""
    words = [item.who, item.penalty or "-", item.under or "-", item.timing]
    return " ".join(words) + (" instead" if item.instead else "") + f" if {item.condition}"


NAMES = {
    "1.1": ("理念", "Philosophy"),
    "1.2": ("違反への対処", "Handling an Infraction"),
    "1.3": ("手順の種類", "Types of Procedures"),
    "1.3/restore": ("ゲーム状況の復元", "Rewind the game state"),
    "1.3/partial-fix": ("部分的修正", "Partial fix"),
    "1.3/shuffle-random": (
        "デッキのランダムな部分に加え、シャッフルする",
        "Shuffle into a random portion of the deck",
    ),
    "1.4": ("ペナルティの種類", "Types of Penalties"),
    "1.4/caution": ("注意", "Caution"),
    "1.4/warning": ("警告", "Warning"),
    "1.4/intellect": ("知力ペナルティ", "Intellect Penalty"),
    "1.4/game-loss": ("ゲームの敗北", "Game Loss"),
    "1.4/disqualification": ("失格", "Disqualification"),
    "2": ("ゲームプレイ違反", "Gameplay Infractions"),
    "3": ("トーナメント違反", "Tournament Infractions"),
    "4": ("規律違反", "Conduct Infractions"),
    "A.1": ("クイックリファレンステーブル", "Quick Reference Table"),
    "2.1": ("ゲームルール抵触行為", "Game Rules Violation"),
    "2.2": ("違反の見逃し", "Failure to Maintain Game State"),
    "2.3": ("誘発忘れ", "Missed Trigger"),
    "2.4": ("過剰なカードを見た", "Looking at Extra Cards"),
    "2.5": ("非公開カードに関する誤り", "Hidden Card Error"),
    "2.6": ("不正なシャッフル", "Shuffling Error"),
    "2.7": ("提示カードに関する誤り", "Presenting Cards Error"),
    "3.1": ("遅刻", "Tardiness"),
    "3.2": ("メモを取る行為と外部からの助言", "Note Taking and Outside Assistance"),
    "3.3": ("スロープレイ", "Slow Play"),
    "3.4": ("デッキリストの誤り", "Decklist Error"),
    "3.5": ("カードプール内容の誤り", "Card-Pool Contents Error"),
    "3.6": ("ドラフト手順抵触行為", "Draft Procedure Violation"),
    "3.6.1": ("ドラフト手順抵触行為（軽度）", "Draft Procedure Violation (Minor)"),
    "3.6.2": ("ドラフト手順抵触行為（重度）", "Draft Procedure Violation (Major)"),
    "3.7": ("区別できるカード", "Marked Cards"),
    "3.8": ("不十分なシャッフル", "Insufficient Shuffling"),
    "3.9": ("誤ったゲーム情報の伝達", "Communicating Incorrect Game Information"),
    "4.1": ("反スポーツ的行為", "Unsporting Conduct"),
    "4.1.1": ("反スポーツ的行為（軽度）", "Unsporting Conduct (Minor)"),
    "4.1.2": ("反スポーツ的行為（重度）", "Unsporting Conduct (Major)"),
    "4.2": ("故意の違反", "Cheating"),
    "4.3": ("攻撃的行為", "Aggressive Behavior"),
    "4.4": ("結果の捏造", "Improperly Determining a Winner"),
    "4.5": ("買収", "Bribery"),
    "4.6": ("賭博", "Betting"),
    "4.7": ("窃盗", "Theft"),
    "4.8": ("遅延行為", "Stalling"),
    "4.9": ("不適正な投了", "Improper Concession"),
    "4.10": ("ルールシャーキング", "Rules Sharking"),
    "4.11": ("詐称行為", "Fraud"),
}

PENALTIES = {
    "2.1": "warning",
    "2.2": "warning",
    "2.3": "caution",
    "2.4": "warning",
    "2.5": "warning",
    "2.6": "ip2",
    "2.7": "warning",
    "3.1": "ip2",
    "3.2": "warning",
    "3.3": "caution",
    "3.4": "ip2",
    "3.5": "ip2",
    "3.6.1": "warning",
    "3.6.2": "game-loss",
    "3.7": "warning",
    "3.8": "warning",
    "3.9": "warning",
    "4.1.1": "warning",
    "4.1.2": "disqualification",
    "4.2": "disqualification",
    "4.3": "disqualification",
    "4.4": "game-loss",
    "4.5": "disqualification",
    "4.6": "disqualification",
    "4.7": "disqualification",
    "4.8": "disqualification",
    "4.9": "game-loss",
    "4.10": "warning",
    "4.11": "disqualification",
}

ADJUSTMENTS = {
    "2.1": ["upgrade to ip2 must if all(cannot-fix-or-rewind, significant-advantage)"],
    "2.3": ["upgrade to warning must if all(gained-advantage, own-effect)"],
    "2.4": ["upgrade to ip2 must if unrandomized_cards_seen >= 5"],
    "2.5": ["upgrade to ip2 must if cards-left-the-collection"],
    "2.7": [
        "downgrade to caution must if flip-card-wrong-face",
        "upgrade to ip2 must if transcend-card-uncorrectable",
        "upgrade to ip2 must if all(rel == professional, not(only-double-sided-wrong-face))",
        "upgrade to game-loss must if deck_card_difference >= 2",
    ],
    "3.1": [
        "downgrade to warning must if minutes_late < 1",
        "upgrade to game-loss must if minutes_late > 10",
    ],
    "3.2": ["upgrade to game-loss must if strategic-advantage"],
    "3.3": [
        "upgrade to warning must if all(prior_cautions >= 1 in unstated, still-too-slow)",
        "upgrade to game-loss must if prior_warnings >= 2 in tournament",
    ],
    "3.4": [
        "downgrade to warning must if all(minor-error, any(found-before-round-one, self-reported))",
        "downgrade to warning must if all(hero-missing, single-plausible-hero)",
        "upgrade to game-loss must if any(significant-difference, strategic-advantage)",
        "upgrade to game-loss must if intends-illegal-cards",
    ],
    "3.5": [
        "downgrade to caution must if only-missing-cards",
        "downgrade to warning must if extra-cards-no-advantage",
        "downgrade to warning must if all(extra-copies, copies-no-impact, self-reported-at-once)",
        "upgrade to game-loss must if any(significant-difference, strategic-advantage)",
    ],
    "3.7": ["upgrade to game-loss must by the Head Judge if significant-advantage-if-noticed"],
    "3.9": ["downgrade to caution may if all(rel == competitive, marker-not-updated)"],
    "4.1.1": [
        "upgrade to ip2 recommended if occurrence >= 2 in unstated",
        "upgrade to game-loss recommended if occurrence >= 3 in unstated",
    ],
    "4.5": ["downgrade to game-loss must if out-of-ignorance"],
    "4.6": ["downgrade to game-loss must if out-of-ignorance"],
    "4.7": [
        "downgrade to warning may by the Head Judge if all(any(miscommunication, out-of-ignorance), item-returned)",
    ],
    "4.9": [
        "downgrade to warning must if out-of-ignorance",
        "upgrade to disqualification must if all(asked-again, occurrence >= 2 in unstated)",
    ],
    "4.10": [
        "downgrade to caution must if purely-speculative",
        "upgrade to game-loss must if malicious-pattern",
    ],
}
"""Every upgrade and downgrade of the document; sections not named here have none."""

OUTCOMES = {
    "2.1": [
        "opponent warning fab:2.2 now if all(opponent-could-notice, not(shared-responsibility))",
        "opponent warning fab:2.1 now if shared-responsibility",
    ],
    "3.1": [
        "both-players game-loss - now instead if both-over-ten-minutes",
        "player - - next-round if all(minutes_late > 10, no-report-before-pairing)",
    ],
    "3.2": [
        "spectator game-loss - next-game instead if offender-is-spectator",
        "advised-player - - now if advice-unsolicited",
    ],
    "3.6.2": ["player game-loss - end-of-draft instead if None"],
    "4.4": [
        "both-players game-loss - now instead if all(both-committed, not(time-over-or-match-ended))",
        "player game-loss - next-round instead if all(time-over-or-match-ended, not(both-committed))",
        "both-players game-loss - next-round instead if all(both-committed, time-over-or-match-ended)",
    ],
    "4.9": [
        "player game-loss - next-round instead if all(time-over-or-match-ended, not(out-of-ignorance), not(asked-again))",
    ],
}

EXAMPLES = {
    "2.1": 5, "2.2": 2, "2.3": 4, "2.5": 6, "2.6": 3, "2.7": 7,
    "3.1": 5, "3.3": 3, "3.4": 8, "3.5": 4, "3.6.1": 5, "3.6.2": 4, "3.7": 8, "3.8": 5, "3.9": 3,
    "4.1.1": 7, "4.1.2": 6, "4.2": 4, "4.3": 6, "4.4": 3, "4.5": 5, "4.6": 1, "4.7": 3, "4.8": 3,
    "4.9": 3, "4.10": 4, "4.11": 3,
}  # fmt: skip
"""How many examples each section has; in 2.4 and 3.2 one differs between the editions."""


def infraction(fab: Pack, number: str) -> Section:
    return fab.section(f"fab:{number}")


@pytest.mark.parametrize("number", NAMES)
def test_the_names_are_those_of_the_document(fab: Pack, number: str) -> None:
    name = infraction(fab, number).name
    assert (name.ja, name.en) == NAMES[number]
    assert not infraction(fab, number).own_name


@pytest.mark.parametrize("number", PENALTIES)
def test_the_base_penalty_is_that_of_the_heading(fab: Pack, number: str) -> None:
    assert infraction(fab, number).penalty == PENALTIES[number]


@pytest.mark.parametrize("number", PENALTIES)
def test_every_adjustment_has_the_target_force_and_condition_of_the_document(
    fab: Pack, number: str
) -> None:
    assert sorted(map(line, infraction(fab, number).adjustments)) == sorted(
        ADJUSTMENTS.get(number, [])
    )


@pytest.mark.parametrize("number", PENALTIES)
def test_others_get_what_the_document_gives_them(fab: Pack, number: str) -> None:
    assert sorted(map(outcome_line, infraction(fab, number).outcomes)) == sorted(
        OUTCOMES.get(number, [])
    )


@pytest.mark.parametrize("number", EXAMPLES)
def test_every_example_of_the_document_is_there(fab: Pack, number: str) -> None:
    assert len(infraction(fab, number).examples) == EXAMPLES[number]


@pytest.mark.parametrize(("number", "shared", "per_edition"), [("2.4", 3, 1), ("3.2", 4, 1)])
def test_an_example_that_differs_is_there_for_each_edition(
    fab: Pack, number: str, shared: int, per_edition: int
) -> None:
    editions = [example.only for example in infraction(fab, number).examples]
    assert [editions.count(only) for only in (None, "ja", "en")] == [
        shared,
        per_edition,
        per_edition,
    ]


def test_every_infraction_of_the_document_is_covered(fab: Pack) -> None:
    numbers = {section.number for section in fab.sections if section.kind == "infraction"}
    assert numbers == set(PENALTIES)
    assert {s.number for s in fab.sections if s.kind == "group"} == {"3.6", "4.1"}


def test_the_ladder_has_five_rungs_and_only_the_caution_is_unrecorded(fab: Pack) -> None:
    rungs = [(p.code, p.severity, p.name.ja, p.recorded) for p in fab.header.ladder]
    assert rungs == [
        ("caution", 0, "注意", False),
        ("warning", 1, "警告", True),
        ("ip2", 2, "知力ペナルティ（IP2）", True),
        ("game-loss", 3, "ゲームの敗北", True),
        ("disqualification", 4, "失格", True),
    ]


def test_an_intellect_penalty_lasts_two_turns_adds_up_and_cancels_when_all_get_it(
    fab: Pack,
) -> None:
    rung = fab.penalty("ip2")
    assert (rung.turns, rung.turns_add_up, rung.cancels_if_all_get_it) == (2, True, True)


def test_a_game_loss_between_games_falls_on_the_next_game(fab: Pack) -> None:
    assert fab.penalty("game-loss").deferred_to == "next-game"


def test_a_disqualified_player_keeps_prizes_already_received(fab: Pack) -> None:
    assert fab.penalty("disqualification").keeps_prizes is True


@pytest.mark.parametrize(
    ("chapter", "threshold", "exempt"),
    [("2", 3, {"fab:2.2"}), ("3", 2, {"fab:3.1", "fab:3.3"})],
)
def test_repeats_are_raised_one_level_within_a_day_up_to_a_game_loss(
    fab: Pack, chapter: str, threshold: int, exempt: set[str]
) -> None:
    rule = next(c.repeat for c in fab.header.chapters if c.number == chapter)
    assert rule is not None
    assert (rule.threshold, rule.levels, rule.cap, rule.scope) == (threshold, 1, "game-loss", "day")
    assert set(rule.exempt) == exempt


def test_conduct_infractions_have_no_repeat_rule_of_the_chapter(fab: Pack) -> None:
    assert next(c.repeat for c in fab.header.chapters if c.number == "4") is None
    assert fab.header.repeat is None


def test_the_head_judge_confirms_from_ip2_on_but_for_tardiness_and_decklist_error(
    fab: Pack,
) -> None:
    rule = fab.header.handling.confirmation
    assert rule is not None
    assert (rule.at_least, set(rule.exempt)) == ("ip2", {"fab:3.1", "fab:3.4"})


def test_related_infractions_get_every_procedure_and_one_penalty(fab: Pack) -> None:
    rule = fab.header.handling.related
    assert rule is not None
    assert (rule.penalty, rule.procedures) == ("heaviest-only", "each")


def test_a_ruling_of_over_a_minute_extends_the_round_rounded_up(fab: Pack) -> None:
    rule = fab.header.handling.time_extension
    assert rule is not None
    assert (rule.over_minutes, rule.rounding) == (1, "up")


MARKS = {
    "2": {"[6.2]": ("trp", "6.2", "fab:4.2")},
    "2.1": {"[2.2]": (None, None, "fab:2.2")},
    "2.2": {"[6.2]": ("trp", "6.2", "fab:4.2")},
    "2.3": {"[2.1]": (None, None, "fab:2.1"), "[4.10]": (None, None, "fab:4.10")},
    "2.4": {"[2.5]": (None, None, "fab:2.5")},
    "2.5": {"[2.4]": (None, None, "fab:2.4")},
    "2.7": {"[3.5]": (None, None, "fab:3.5")},
    "3": {"[6.2]": ("trp", "6.2", "fab:4.2"), "[4.1]": (None, None, "fab:4.1")},
    "3.3": {"[6.6]": ("trp", "6.6", "fab:4.8")},
    "3.4": {"[3.5]": (None, None, "fab:3.5")},
    "3.6": {"[6.2]": ("trp", "6.2", "fab:4.2")},
    "3.7": {"[6.2]": ("trp", "6.2", "fab:4.2")},
    "3.8": {"[6.2]": ("trp", "6.2", "fab:4.2")},
    "4.1": {"[4.3]": (None, None, "fab:4.3")},
    "4.4": {"[6.4]": ("trp", "6.4", "fab:4.5"), "[6.2]": ("trp", "6.2", "fab:4.2")},
    "4.8": {"[5.7]": ("trp", "5.7", "fab:3.3")},
    "4.9": {"[4.4]": (None, None, "fab:4.4"), "[6.4]": ("trp", "6.4", "fab:4.5")},
    "1.2": {"[3.1]": (None, None, "fab:3.1"), "[3.4]": (None, None, "fab:3.4")},
}
"""Bracket marks: 2.x to 4.x are sections of this document, 5.x and 6.x of the Tournament Rules."""


@pytest.mark.parametrize("number", MARKS)
def test_every_bracket_mark_points_to_the_right_document(fab: Pack, number: str) -> None:
    found = {
        item.mark: (item.document, item.number, item.to)
        for item in infraction(fab, number).references
        if item.mark
    }
    assert found == MARKS[number]


def test_no_other_section_claims_a_bracket_mark(fab: Pack) -> None:
    marked = {s.number for s in fab.sections for item in s.references if item.mark}
    assert marked == set(MARKS)


def notes(fab: Pack, number: str) -> set[str]:
    return {note.code for note in infraction(fab, number).notes}


@pytest.mark.parametrize(
    ("number", "code"),
    [
        ("A.1", "R01"), ("3.2", "R01"), ("2", "R03"), ("3", "R04"), ("2", "R05"), ("3", "R05"),
        ("2.3", "R06"), ("1.4", "R08"), ("1.4", "R09"), ("4", "R10"), ("4.1.1", "R11"),
        ("3.3", "R12"), ("3.6.2", "R13"), ("3.1", "R15"), ("3.1", "R16"), ("1.4/intellect", "R17"),
        ("3.4", "R18"), ("3.4", "R19"), ("3.5", "R20"), ("2.7", "R21"), ("2.7", "R22"),
        ("3.9", "R23"), ("4.7", "R24"), ("4.9", "R25"), ("4.9", "R26"), ("4.5", "R27"),
        ("4.2", "R28"), ("4.1.2", "R29"), ("3.2", "R30"), ("2.7", "R33"), ("3.1", "R34"),
        ("3.7", "R35"), ("4.4", "R36"), ("4.9", "R36"), ("1.4/game-loss", "R37"), ("3.1", "R38"),
        ("1.2", "R31"), ("1.2", "R32"),
        ("1.4/caution", "R07"),
        ("2.1", "R14"),
        ("3.4", "R35"),
        ("4.9", "X40"),
        ("3.4", "X42"),
        ("4.8", "X41"),
    ],
)  # fmt: skip
def test_a_doubt_is_told_to_the_reader(fab: Pack, number: str, code: str) -> None:
    assert code in notes(fab, number)


def test_the_quick_reference_follows_the_sections_and_shows_the_printed_conflict(fab: Pack) -> None:
    rows = [row for _, rows in quick_reference(fab) for row in rows]
    assert {row.section.number: row.penalty for row in rows} == PENALTIES
    assert [c.number for c, _ in quick_reference(fab)] == ["2", "3", "4"]
    conflicts = [row for row in rows if row.conflict]
    assert [row.section.id for row in conflicts] == ["fab:3.2"]
    assert conflicts[0].conflict is not None
    assert conflicts[0].conflict.name.ja == "外部からの助言"
    assert conflicts[0].conflict.penalty == "game-loss"


def test_partial_fix_lists_the_seven_cases(fab: Pack) -> None:
    assert len(fab.section("fab:1.3/partial-fix").examples) == 7


def test_cascading_triggers_stand_in_the_english_edition_only(fab: Pack) -> None:
    cascading = [p for p in fab.section("fab:2.3").details if "cascad" in p.en.lower()]
    assert cascading
    assert {p.only for p in cascading} == {"en"}


def test_a_section_links_to_the_official_text(fab: Pack) -> None:
    section = fab.section("fab:4.10")
    assert (
        fab.url(section, "ja") == "https://rules.fabtcg.com/ja/ppg/04-conduct-infractions/#ppg4.10"
    )
    assert (
        fab.url(section, "en") == "https://rules.fabtcg.com/en/ppg/04-conduct-infractions/#ppg4.10"
    )


PROCEDURES = {
    "2.1": (
        "警告.*単純な復元.*部分的修正.*完全な復元",
        "Warning.*simple rewind.*partial fix.*full rewind",
    ),
    "2.2": ("元.*警告", "original.*Warning|Warning.*original"),
    "2.3": (
        "注意.*単純な復元.*部分的修正.*完全な復元",
        "Caution.*simple rewind.*partial fix.*full rewind",
    ),
    "2.4": ("警告.*一番上.*シャッフル.*公開.*元の場所", "Warning.*top.*shuffle.*reveal"),
    "2.5": ("警告.*公開.*対戦相手.*ゲームから取り除", "Warning.*opponent.*removed from the game"),
    "2.6": ("IP2.*ランダム|IP2.*無作為", "IP2.*random"),
    "2.7": ("警告.*両面カード|警告.*インベントリ", "Warning.*inventory.*opponent"),
    "3.1": ("IP2.*延", "IP2.*[Ee]xtend"),
    "3.2": ("警告.*メモ", "Warning.*notes"),
    "3.3": ("注意.*1～2回|注意.*1、2回|注意.*1回か2回|注意.*1回から2回", "Caution.*one or two"),
    "3.4": ("IP2.*新しいゲーム", "IP2.*new game"),
    "3.5": ("IP2.*過剰.*(?:不足|足りない)", "IP2.*missing"),
    "3.6.1": ("一時停止.*警告", "[Pp]ause.*Warning|Warning.*paus"),
    "3.6.2": ("一時停止.*ドラフト.*ゲームの敗北", "[Pp]ause.*draft.*Game Loss"),
    "3.7": ("警告.*次のマッチ|警告.*プロキシ", "Warning.*proxy.*match"),
    "3.8": ("警告.*監視.*教", "Warning.*(?:[Ss]upervise|[Ww]atch).*(?:teach|educate)"),
    "3.9": ("警告.*影響を受けた行動の直前", "Warning.*before the affected action"),
    "4.1.1": ("沈静化.*警告.*教育", "(?i)(?:de-?escalate|calm).*Warning.*educate"),
    "4.1.2": ("沈静化.*マッチ.*別の", "(?i)(?:de-?escalate|calm).*match.*(away|another|separat)"),
    "4.2": ("失格", "(?i)disqualif"),
    "4.3": ("安全.*沈静化.*失格.*退出", "(?i)safety.*(?:de-?escalate|calm).*disqualif.*leave"),
    "4.4": ("ゲームの敗北.*次のラウンド", "Game Loss.*next round"),
    "4.5": ("失格", "(?i)disqualif"),
    "4.6": ("失格", "(?i)disqualif"),
    "4.7": ("失格", "(?i)disqualif"),
    "4.8": ("失格.*教育", "(?i)disqualif.*educate"),
    "4.9": ("ゲームの敗北.*次のラウンド", "Game Loss.*next round"),
    "4.10": ("警告", "Warning"),
    "4.11": ("失格.*教育", "(?i)disqualif.*educate"),
}
"""What the procedure of each section does, in its order."""


@pytest.mark.parametrize("number", PROCEDURES)
def test_the_procedure_does_what_the_document_says_in_its_order(fab: Pack, number: str) -> None:
    steps = infraction(fab, number).procedure
    ja, en = PROCEDURES[number]
    assert re.search(ja, "".join(step.ja for step in steps)), [step.ja for step in steps]
    assert re.search(en, " ".join(step.en for step in steps)), [step.en for step in steps]


@pytest.mark.parametrize("number", PENALTIES)
def test_no_procedure_gives_another_base_penalty(fab: Pack, number: str) -> None:
    """Whatever a step gives is the penalty of the heading (or, in 2.2, of the original infraction)."""
    rungs = {
        "caution": "注意",
        "warning": "警告",
        "ip2": "IP2",
        "game-loss": "ゲームの敗北",
        "disqualification": "失格",
    }
    text = "".join(step.ja for step in infraction(fab, number).procedure)
    given = {
        code for code, word in rungs.items() if re.search(f"{word}(?:を|が)?(?:与え|科)", text)
    }
    spectator = {"game-loss"} if number == "3.2" else set()
    assert given <= {PENALTIES[number]} | spectator


@pytest.mark.parametrize("number", ADJUSTMENTS)
def test_the_text_of_an_adjustment_says_what_its_data_say(fab: Pack, number: str) -> None:
    for item in infraction(fab, number).adjustments:
        assert item.to is not None
        target = fab.penalty(item.to).short
        assert target.ja in item.text.ja
        assert target.en in item.text.en
        for test in single_tests(item.condition):
            if isinstance(test, FactTest) and isinstance(test.value, int):
                if test.fact in ("occurrence", "prior_cautions"):
                    continue  # said in words: "repeated", "after a Caution"
                assert str(test.value) in item.text.ja
                assert re.search(
                    rf"(?i){test.value}|{['zero', 'one|once', 'two|twice', 'three', 'four', 'five'][min(test.value, 5)]}",
                    item.text.en,
                )


def test_a_warning_and_a_caution_end_nothing_and_a_loss_ends_the_game(fab: Pack) -> None:
    assert [p.ends for p in fab.header.ladder] == [
        "nothing",
        "nothing",
        "nothing",
        "game",
        "tournament",
    ]


@pytest.mark.parametrize("number", ["2", "3"])
def test_repeats_are_raised_without_a_choice(fab: Pack, number: str) -> None:
    rule = next(c.repeat for c in fab.header.chapters if c.number == number)
    assert rule is not None
    assert rule.force == "must"


@pytest.mark.parametrize(
    ("number", "both"),
    [
        ("3.4", "upgrade"),
        ("3.1", "never"),
        ("3.5", "judge"),
        ("2.7", "judge"),
        ("4.9", "judge"),
        ("4.10", "judge"),
    ],
)
def test_what_holds_when_an_upgrade_and_a_downgrade_both_apply(
    fab: Pack, number: str, both: str
) -> None:
    assert infraction(fab, number).if_both == both


def test_a_late_player_is_dropped_and_unasked_advice_costs_nothing(fab: Pack) -> None:
    assert [o.action for o in infraction(fab, "3.1").outcomes] == [None, "drop"]
    assert [o.action for o in infraction(fab, "3.2").outcomes] == [None, "no-penalty"]


GENERAL = {
    "1.1": ("教育.*公平.*使命", "(?i)education.*equity.*mission"),
    "1.2": ("1分", "minute"),
    "1.4": ("ゲームの敗北", "Game Loss"),
    "1.4/intellect": ("ゲーム開始前|ゲームの開始前", "before (a|the) game"),
    "1.4/game-loss": ("両者敗北", "double match loss"),
    "1.4/disqualification": ("カット.*繰り上が|カット.*繰り上げ", "cut"),
    "2": ("3回", "(?i)third|3"),
    "3": ("2回", "(?i)second|2"),
}


@pytest.mark.parametrize("number", GENERAL)
def test_the_general_parts_have_their_facts(fab: Pack, number: str) -> None:
    section = infraction(fab, number)
    parts = [
        *((section.definition,) if section.definition else ()),
        *section.details,
        *section.procedure,
    ]
    ja, en = GENERAL[number]
    assert re.search(ja, "".join(part.ja for part in parts))
    assert re.search(en, " ".join(part.en for part in parts))


@pytest.mark.parametrize(("number", "count"), [("1.2", 3), ("1.1", 4)])
def test_the_general_parts_have_their_examples(fab: Pack, number: str, count: int) -> None:
    section = infraction(fab, number)
    listed = len(section.examples) or sum("例" in item.ja for item in section.details)
    assert listed >= count
