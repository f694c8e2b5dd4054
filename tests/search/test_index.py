"""Finding sections by number, name, alias, kana, romaji and near misses."""

import random
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import resources
from bot.policy import packs
from bot.policy.pack import Library, Pack
from bot.search import meaning
from bot.search.index import Index


def certain(index: Index, query: str, game: str | None = None) -> str | None:
    result = index.search(query, game=game)
    return result.hits[0].section.id if result.confidence == "certain" else None


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("3.3", "fab:3.3"),
        ("３．３", "fab:3.3"),
        ("3-3", "fab:3.3"),
        ("3 3", "fab:3.3"),
        ("§3.3", "fab:3.3"),
        ("ppg3.3", "fab:3.3"),
        ("FaB 4.10", "fab:4.10"),
        ("fab 4.1", "fab:4.1"),
        ("3.6.1", "fab:3.6.1"),
        ("A.1", "fab:A.1"),
        ("遊戯王 5-2", "ygo:5.2"),
        ("ygo 10.1", "ygo:10.1"),
        ("fab 2", "fab:2"),
        ("fab:1.3/restore", "fab:1.3/restore"),
        ("1.3/restore", "fab:1.3/restore"),
        ("FaB PPG 3.3", "fab:3.3"),
        ("Flesh and Blood 4.1", "fab:4.1"),
        ("(3.3)", "fab:3.3"),
        ("3.3。", "fab:3.3"),
        ("3.3?", "fab:3.3"),
        ("3の3", "fab:3.3"),
        ("section 3.3", "fab:3.3"),
        ("遊戯王 3-A", "ygo:3.a"),
        ("ygo 1a", "ygo:1.a"),
        ("fab 四点五", "fab:4.5"),
        ("三・三", "fab:3.3"),
        ("３ー３", "fab:3.3"),
        ("3_3", "fab:3.3"),
        ("FaBの2-5について", "fab:2.5"),
    ],
)
def test_a_number_finds_its_section(index: Index, query: str, section: str) -> None:
    assert certain(index, query) == section


def test_a_number_of_both_documents_is_asked_about(index: Index) -> None:
    result = index.search("4.1")
    assert result.confidence == "unsure"
    assert [hit.section.id for hit in result.hits] == ["fab:4.1", "ygo:4.1"]


@pytest.mark.parametrize("query", ["7.7", "3.33", "99", "4.1.9", "0", "fab 10.1"])
def test_a_number_that_no_document_has_finds_nothing(index: Index, query: str) -> None:
    assert index.search(query).confidence == "none"


def test_a_chapter_without_a_section_of_its_own_offers_its_sections(index: Index) -> None:
    for query in ("ygo 5", "遊戯王 遅刻"):
        result = index.search(query)
        assert result.confidence == "unsure"
        assert [hit.section.id for hit in result.hits] == ["ygo:5.1", "ygo:5.2", "ygo:5.3"]


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("誘発忘れ", "fab:2.3"),
        ("Missed Trigger", "fab:2.3"),
        ("missed-trigger", "fab:2.3"),
        ("chikoku", "fab:3.1"),
        ("ちこく", "fab:3.1"),
        ("ＦＴＭＧＳ", "fab:2.2"),
        ("イカサマ", "fab:4.2"),
        ("るーるしゃーきんぐ", "fab:4.10"),
        ("受賞資格を失う失格", "ygo:1.f"),
    ],
)
def test_a_name_an_alias_kana_or_romaji_finds_its_section(
    index: Index, query: str, section: str
) -> None:
    assert section in [hit.section.id for hit in index.search(query).hits]
    assert certain(index, query, game=section.partition(":")[0]) == section


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("mised triger", "fab:2.3"),
        ("hidden card eror", "fab:2.5"),
        ("ルールシャーキンク", "fab:4.10"),
    ],
)
def test_a_typo_still_finds_its_section(index: Index, query: str, section: str) -> None:
    assert index.search(query).hits[0].section.id == section


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        "g",
        "あ",
        "！？",
        "🙂",
        "@everyone",
        "<@123>",
        "\u200b",
        "x" * 6000,
        "card text of Snatch",
        "\x00",
    ],
)
def test_what_means_nothing_is_never_answered(
    index: Index, index_of_words: Index, query: str
) -> None:
    assert index.search(query).confidence == "none"
    assert index_of_words.search(query).confidence != "certain"


HOSTILE = {
    "late": {"fab:3.1", "ygo:5.1", "ygo:5.2", "ygo:5.3"},
    "grv": {"fab:2.1", "ygo:4.1"},
    "ｽﾛｰﾌﾟﾚｲ": {"fab:3.3", "ygo:7.1"},
    "すろーぷれい": {"fab:3.3", "ygo:7.1"},
    "Ｓｌｏｗ Ｐｌａｙ": {"fab:3.3", "ygo:7.1"},
    "ちこく": {"fab:3.1", "ygo:5.1", "ygo:5.2", "ygo:5.3"},
    "chikoku": {"fab:3.1", "ygo:5.1", "ygo:5.2", "ygo:5.3"},
    "イカサマ": {"fab:4.2", "ygo:4.3", "ygo:4.5", "ygo:4.4"},
    "D.E.C": {"fab:2.5", "ygo:4.2"},
    "“slow play”": {"fab:3.3", "ygo:7.1"},
    "slow−play": {"fab:3.3", "ygo:7.1"},
    "ちこk": {"fab:3.1", "ygo:5.1", "ygo:5.2", "ygo:5.3"},
    "sl\u200bow play": {"fab:3.3", "ygo:7.1"},
    "\u202eslow play\u202c": {"fab:3.3", "ygo:7.1"},
    "遅刻‏": {"fab:3.1", "ygo:5.1", "ygo:5.2", "ygo:5.3"},
}


@pytest.mark.parametrize("query", HOSTILE)
def test_odd_spellings_never_give_a_certain_wrong_answer(
    index: Index, index_of_words: Index, query: str
) -> None:
    for searched in (index, index_of_words):
        result = searched.search(query)
        if result.confidence == "certain":
            assert result.hits[0].section.id in HOSTILE[query]


@pytest.mark.parametrize(
    "query", ["g", "gl", "あ", "違", "ip", "dq", "a", "1", "!!", "？", "🙂🙂", "\t\n"]
)
def test_one_or_two_characters_are_certain_only_as_a_name(index: Index, query: str) -> None:
    result = index.search(query)
    assert result.confidence != "certain" or result.hits[0].kind in ("name", "alias", "number")


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("my opponent is taking ages to make every decision", {"fab:3.3", "ygo:7.1"}),
        ("シャッフルしている相手のデッキの中身を見てしまいました", {"fab:2.4"}),
        ("相手のてふだを見ようとして脅された", {"fab:4.3", "fab:4.1.2"}),
        ("we flipped a coin to decide who wins", {"fab:4.4", "ygo:8.2"}),
        ("judgeの指示を無視した", {"fab:4.1.1", "fab:4.1", "fab:4.1.2"}),
        ("遊戯王で友達の代わりに大会に出た", {"ygo:9.3"}),
    ],
)
def test_what_happened_finds_the_section_among_the_first_five(
    index: Index, query: str, wanted: set[str]
) -> None:
    assert wanted & {hit.section.id for hit in index.search(query).hits[:5]}


def test_without_the_encoder_the_search_runs_on_words(index_of_words: Index, index: Index) -> None:
    assert index.understands
    assert not index_of_words.understands
    assert certain(index_of_words, "fab 3.3") == "fab:3.3"
    found = index_of_words.search("my opponent is taking ages to make every decision")
    assert {"fab:3.3", "ygo:7.1"} & {hit.section.id for hit in found.hits}


CONFUSABLE = [
    ("saw two extra cards when drawing but they never touched my hand", "fab:2.4"),
    ("the extra card I drew is already mixed into my hand", "fab:2.5"),
    ("shuffled my deck in the middle of the game by mistake", "fab:2.6"),
    ("only riffled once before presenting", "fab:3.8"),
    ("thinking too long without meaning to", "fab:3.3"),
    ("playing slowly on purpose because time is running out", "fab:4.8"),
    ("decklist does not match what I meant to play", "fab:3.4"),
    ("extra card in the deckbox that is not on the list", "fab:3.5"),
    ("presented 59 cards at the start of the game", "fab:2.7"),
    ("rolled dice for the win", "fab:4.4"),
    ("offered cash for a concession", "fab:4.5"),
    ("asked the opponent to scoop", "fab:4.9"),
    ("didn't notice the opponent's illegal play", "fab:2.2"),
    ("forgot my own trigger", "fab:2.3"),
    ("swore at the table because he lost", "fab:4.1.1"),
    ("made fun of an opponent because of where she comes from", "fab:4.1.2"),
    ("threatened to beat me up after the match", "fab:4.3"),
    ("引くときに2枚目が見えた、手札には入れていない", "fab:2.4"),
    ("1枚多く引いて手札と混ざった", "fab:2.5"),
    ("ゲーム中に間違えて山札を切ってしまった", "fab:2.6"),
    ("シャッフルが1回だけで足りない", "fab:3.8"),
    ("考え込んで進行が遅い、わざとではない", "fab:3.3"),
    ("時間切れを狙ってわざとゆっくりプレイ", "fab:4.8"),
    ("リストに書いたカード名が間違っていた", "fab:3.4"),
    ("デッキケースにリスト外のカードが入っていた", "fab:3.5"),
    ("59枚のデッキを提示してゲームを始めた", "fab:2.7"),
    ("負けてイライラして暴言を吐いた", "fab:4.1.1"),
    ("対戦相手の国籍を馬鹿にした", "fab:4.1.2"),
    ("殴るぞと脅された", "fab:4.3"),
    ("サイコロで勝敗を決めた", "fab:4.4"),
    ("お金を払うから投了してと頼まれた", "fab:4.5"),
    ("投了してくれと頼んだ", "fab:4.9"),
    ("相手の違反に気付かなかった", "fab:2.2"),
    ("自分の誘発を忘れた", "fab:2.3"),
]


@pytest.mark.parametrize(("query", "section"), CONFUSABLE)
def test_what_is_easily_confused_is_told_apart_or_offered_together(
    index: Index, query: str, section: str
) -> None:
    result = index.search(query, game="fab")
    assert section in [hit.section.id for hit in result.hits[:3]]
    assert result.confidence != "certain" or result.hits[0].section.id == section


TWINS = [
    ("got to my table seven minutes late", "fab:3.1", "ygo:5.2"),
    ("ラウンド開始から7分遅れて着席", "fab:3.1", "ygo:5.2"),
    ("drew one card too many", "fab:2.5", "ygo:4.2"),
    ("1枚多くドローした", "fab:2.5", "ygo:4.2"),
    ("marked cards in the deck", "fab:3.7", "ygo:6"),
    ("スリーブに傷があって裏から区別がつく", "fab:3.7", "ygo:6"),
    ("じゃんけんで勝敗を決めた", "fab:4.4", "ygo:8.2"),
    ("プレイが遅い", "fab:3.3", "ygo:7.1"),
    ("他の人の名前で参加した", "fab:4.11", "ygo:9.3"),
]
"""Acts that both rulebooks rule on, told without naming a game."""


@pytest.mark.parametrize(("query", "one", "other"), TWINS)
def test_an_act_that_two_games_rule_on_is_offered_for_both(
    index: Index, query: str, one: str, other: str
) -> None:
    result = index.search(query)
    assert {one, other} <= {hit.section.id for hit in result.hits[:6]}
    assert result.confidence == "unsure"


def test_a_word_for_both_games_offers_both(index: Index) -> None:
    hits = index.search("スロープレイ").hits
    assert {hit.pack.header.id for hit in hits} == {"fab", "ygo"}


@pytest.mark.parametrize(
    ("query", "near"),
    [
        ("12.3", {"ygo:10.1", "ygo:10.2", "ygo:10.3"}),
        ("fab 5.2", {"fab:4.1", "fab:4.2", "fab:4.3"}),
        ("遊戯王 99", {"ygo:10.1", "ygo:10.2"}),
        ("fab 99", {"fab:4", "fab:4.1"}),
        ("ygo 1.z", {"ygo:1.f", "ygo:1.e"}),
    ],
)
def test_a_number_far_from_all_offers_the_nearest(index: Index, query: str, near: set[str]) -> None:
    result = index.search(query)
    assert result.confidence == "none"
    assert near <= {hit.section.id for hit in result.hits}


@pytest.mark.parametrize("query", ["3.12", "fab 4.99", "7.7"])
def test_a_number_that_is_not_there_offers_its_neighbours_but_no_answer(
    index: Index, query: str
) -> None:
    result = index.search(query)
    assert result.confidence == "none"
    assert all(hit.section.number.split(".")[0] in query for hit in result.hits)


@pytest.fixture(scope="module", params=[3, 5])
def shuffled(request: pytest.FixtureRequest, library: Library) -> Index:
    """The same rulebooks with everything in another order."""
    chance = random.Random(request.param)  # noqa: S311 - an order, not a secret

    def mixed(items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(chance.sample(items, len(items)))

    turned = tuple(
        Pack(
            header=pack.header,
            sections=mixed(pack.sections),
            situations=mixed(pack.situations),
        )
        for pack in reversed(library.packs)
    )
    return Index(Library(packs=turned, off_topic=library.off_topic), encoder=False)


def told(library: Library) -> list[str]:
    """Names, numbers that are there and that are not, and what happened, as queries."""
    return [
        *HOSTILE,
        *(query for query, _ in CONFUSABLE),
        *("4.1", "失格", "dq", "7.7", "12.3", "fab 99", "3.12", "ygo 5", "1", "第3章", "警告"),
        *(section.name.ja for pack in library.packs for section in pack.sections),
        *(alias for pack in library.packs for s in pack.sections for alias in s.aliases.en),
        *(item.ja[0] for pack in library.packs for item in pack.situations),
        *(item.en[-1] for pack in library.packs for item in pack.situations),
    ]


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_the_order_of_packs_and_files_makes_no_difference(
    index_of_words: Index, shuffled: Index, library: Library, data: st.DataObject
) -> None:
    query = data.draw(st.sampled_from(told(library)) | st.text(max_size=30))
    one, other = index_of_words.search(query), shuffled.search(query)
    assert one.confidence == other.confidence
    assert [hit.section.id for hit in one.hits] == [hit.section.id for hit in other.hits]
    prefix = query[: data.draw(st.integers(0, 6))]
    completed = [
        [(name, section.id) for name, _, section in each.complete(prefix, locale="en", limit=25)]
        for each in (index_of_words, shuffled)
    ]
    assert completed[0] == completed[1]


def test_a_game_restricts_the_search(index: Index) -> None:
    hits = index.search("警告", game="ygo").hits
    assert {hit.pack.header.id for hit in hits} == {"ygo"}
    assert certain(index, "ygo:5.1", game="fab") == "ygo:5.1", "an id says its game itself"
    assert certain(index, "ygo 5.1", game="fab") == "ygo:5.1"


def test_a_name_of_two_games_is_asked_about(index: Index) -> None:
    result = index.search("失格")
    assert result.confidence == "unsure"
    assert {hit.section.id for hit in result.hits} == {"fab:1.4/disqualification", "ygo:1.e"}


def test_every_name_alias_and_reading_finds_its_section(index: Index, library: Library) -> None:
    for pack in library.packs:
        for section in pack.sections:
            aliases = (*section.aliases.ja, *section.aliases.en, *section.readings)
            for name in (section.name.ja, section.name.en, *aliases):
                hits = index.search(name, game=pack.header.id).hits
                assert section.id in [hit.section.id for hit in hits], name


@settings(max_examples=60, deadline=None)
@given(query=st.text(max_size=40))
def test_any_query_gets_a_sound_result(index: Index, query: str) -> None:
    result = index.search(query)
    if result.confidence == "none":
        assert {hit.kind for hit in result.hits} <= {"number"}, "neighbours of a number, no answer"
    else:
        assert result.hits
    ids = [hit.section.id for hit in result.hits]
    assert len(ids) == len(set(ids)) <= 10


@pytest.mark.parametrize(
    ("prefix", "name"),
    [
        ("slow", "Slow Play"),
        ("ゆうはつ", "誘発忘れ"),
        ("スロー", "スロープレイ"),
        ("3.3", "スロープレイ"),
        ("rules sh", "Rules Sharking"),
        ("chik", "遅刻"),
    ],
)
def test_completion_offers_names_that_begin_so(index: Index, prefix: str, name: str) -> None:
    assert name in [offered for offered, _, _ in index.complete(prefix, locale="ja", game="fab")]


@pytest.mark.parametrize(
    ("prefix", "section"),
    [("§4", "fab:4.2"), ("ppg3", "fab:3.3"), ("第3", "fab:3.1"), ("tardynes", "fab:3.1")],
)
def test_completion_reads_numbers_as_the_search_does_and_typing_errors(
    index: Index, prefix: str, section: str
) -> None:
    assert section in [s.id for _, _, s in index.complete(prefix, locale="ja", limit=25)]


@pytest.mark.parametrize(("prefix", "game"), [("fab ", "fab"), ("遊戯王", "ygo")])
def test_completion_of_a_games_name_offers_that_game(index: Index, prefix: str, game: str) -> None:
    offered = list(index.complete(prefix, locale="ja", limit=25))
    assert {pack.header.id for _, pack, _ in offered} == {game}


def test_completion_offers_names_before_aliases(index: Index) -> None:
    names = [name for name, _, _ in index.complete("sl", locale="en", game="fab")]
    assert names[0] == "Slow Play"


@pytest.mark.parametrize("prefix", ["zzzz", "qqq", "ん゛ん゛"])
def test_completion_offers_nothing_for_what_is_nowhere(index: Index, prefix: str) -> None:
    assert list(index.complete(prefix, locale="en")) == []


@pytest.mark.parametrize("prefix", ["", " ", "🙂"])
def test_completion_of_nothing_offers_a_section_of_every_chapter(index: Index, prefix: str) -> None:
    offered = list(index.complete(prefix, locale="ja", limit=25))
    assert len(offered) == 25
    chapters = {(pack.header.id, section.number.split(".")[0]) for _, pack, section in offered}
    assert {("fab", "2"), ("fab", "3"), ("fab", "4"), ("ygo", "5"), ("ygo", "10")} <= chapters
    first = [section.id for _, _, section in offered[:3]]
    assert first == ["fab:2.1", "fab:3.1", "fab:4.1.1"], "what each chapter is asked about most"


@pytest.mark.parametrize(
    ("prefix", "section"), [("ち", "fab:3.1"), ("ちこk", "fab:3.1"), ("s", "fab:3.3")]
)
def test_completion_works_for_one_character_and_half_converted_input(
    index: Index, prefix: str, section: str
) -> None:
    offered = [s.id for _, _, s in index.complete(prefix, locale="ja", game="fab", limit=25)]
    assert section in offered


@pytest.mark.parametrize(
    ("query", "right"),
    [
        ("1分遅刻", {"fab:3.1", "ygo:5.1"}),
        ("15分遅刻", {"fab:3.1", "ygo:5.3"}),
        ("fab unintentional slow play", {"fab:3.3"}),
        ("intentional slow play", {"fab:4.8"}),
        ("公開カードに関する誤り", set()),
        ("十分なシャッフル", set()),
        ("legal deck", set()),
        ("12枚ピック", set()),
        ("3.2 tardiness", set()),
    ],
)
def test_a_name_that_is_only_similar_is_never_certain_and_wrong(
    index: Index, index_of_words: Index, query: str, right: set[str]
) -> None:
    for searched in (index, index_of_words):
        assert certain(searched, query) in {None, *right}


@pytest.mark.parametrize(("query", "section"), [("fab 4.1①", "fab:4.1"), ("fab 4.1⁰", "fab:4.1")])
def test_a_footnote_sign_is_not_glued_to_a_number(index: Index, query: str, section: str) -> None:
    assert certain(index, query) == section


@pytest.mark.parametrize(
    ("query", "sections"),
    [
        ("fab 3.3 penalty", ["fab:3.3"]),
        ("penalty for 4.10", ["fab:4.10"]),
        ("3.3 vs 4.8 fab", ["fab:3.3", "fab:4.8"]),
        ("3.3の罰則", ["fab:3.3"]),
        ("chapter 3 fab", ["fab:3"]),
        ("fab 第三章", ["fab:3"]),
    ],
)
def test_a_number_among_words_comes_first(index: Index, query: str, sections: list[str]) -> None:
    assert [hit.section.id for hit in index.search(query).hits][: len(sections)] == sections


@pytest.mark.parametrize("query", ["遊戯王 fab slow play", "fab ygo 遅刻", "ygo fab late"])
def test_two_games_named_search_both(index: Index, query: str) -> None:
    result = index.search(query)
    assert result.confidence != "certain"
    assert {hit.pack.header.id for hit in result.hits} == {"fab", "ygo"}


@pytest.mark.parametrize("query", ["slow\ud800play", "ちこk", "x" * 6000, "slow play " * 600])
def test_lone_surrogates_and_endless_texts_are_searched(index: Index, query: str) -> None:
    assert index.search(query).confidence in ("certain", "unsure", "none")


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("ゲーム前の知力ペナルティだと初手は何枚になりますか", "fab:1.4/intellect"),
        ("yugioh de kyaku ni hanashikaketa duel chuu", "ygo:10.2"),
    ],
)
def test_an_official_name_or_romaji_among_other_words_is_offered(
    index: Index, query: str, section: str
) -> None:
    result = index.search(query)
    assert result.confidence == "unsure"
    assert section in [hit.section.id for hit in result.hits[:5]]


def test_an_unfinished_conversion_still_finds(index: Index) -> None:
    assert "fab:3.1" in [hit.section.id for hit in index.search("ちこk").hits]


def test_a_game_that_is_not_there_finds_nothing(index: Index) -> None:
    assert index.search("opponent takes forever", game="chess").confidence == "none"


def test_an_encoder_that_does_not_load_leaves_the_search_on_words(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> meaning.Encoder:
        raise ImportError("no such module")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meaning, "load_encoder", broken)
        shipped = resources.folder("policy_data") / packs.MEANING_FILE
        searched = Index(library, shipped=shipped)
        found = searched.search("my opponent is taking ages to make every decision")
        searched.search("another question about it")
    assert {"fab:3.3", "ygo:7.1"} & {hit.section.id for hit in found.hits}
    assert caplog.text.count("cannot be loaded") == 1


def test_a_search_that_does_not_wait_runs_on_words_until_the_encoder_is_there(
    library: Library,
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    real = meaning.load_encoder

    def slow() -> meaning.Encoder:
        begun.set()
        go_on.wait(30)
        return real()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meaning, "load_encoder", slow)
        searched = Index(library, shipped=resources.folder("policy_data") / packs.MEANING_FILE)
        searched.warm(waits=False)
        assert begun.wait(30)
        assert not searched.warmed
        assert searched.search("my opponent is taking ages to make every decision").hits
        go_on.set()
        searched.wait()
    assert searched.warmed


@pytest.mark.parametrize(
    ("typed", "section"), [("fab sl", "fab:3.3"), ("３．３", "fab:3.3"), ("ygo 5", "ygo:5.1")]
)
def test_completion_knows_games_and_numbers(index: Index, typed: str, section: str) -> None:
    assert section in [s.id for _, _, s in index.complete(typed, locale="ja", limit=25)]


LAWFUL = [
    "対戦相手に話しかけた", "chatting with my opponent", "デュエル前に友達に話しかけた", "試合が終わった後に友達に話しかけた",
    "応援した", "応援してもいいですか", "cheering", "シャッフルした", "ゲーム前にシャッフルした", "conceding before time",
    "暴力を見た", "暴力的なデッキ", "5分", "five minutes left", "10分", "ten minutes", "remark", "盗み見", "退場",
    "財布を盗まれたので警察に行きたい", "stolen win", "巻き戻しボタン", "backup deck", "noted", "賭ケグルイ 何話",
]  # fmt: skip
"""Lawful acts, parts of names and other matters, in words close to a breach."""


@pytest.mark.parametrize("query", LAWFUL)
def test_what_is_close_to_a_breach_is_never_certain(
    index: Index, index_of_words: Index, query: str
) -> None:
    for searched in (index, index_of_words):
        assert searched.search(query).confidence != "certain"


@pytest.mark.parametrize(
    "query", ["5分遅刻", "five minutes late", "10分遅刻", "10 minutes late", "tardyness", "Tardy"]
)
def test_lateness_is_not_certain_for_one_game_of_two(index: Index, query: str) -> None:
    assert certain(index, query) is None
