"""Finding sections by number, name, alias, kana, romaji and near misses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.policy.pack import Library
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
def test_what_means_nothing_is_never_answered(index: Index, query: str) -> None:
    assert index.search(query).confidence == "none"


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
    assert (result.confidence == "none") == (not result.hits)
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


@pytest.mark.parametrize("prefix", ["", " ", "🙂", "zzzz"])
def test_completion_offers_nothing_for_nothing(index: Index, prefix: str) -> None:
    assert list(index.complete(prefix, locale="en")) == []


@pytest.mark.parametrize(
    "query",
    [
        "1分遅刻",
        "fab unintentional slow play",
        "公開カードに関する誤り",
        "legal deck",
        "12枚ピック",
        "3.2 tardiness",
    ],
)
def test_a_name_that_is_only_similar_is_never_certain(index: Index, query: str) -> None:
    assert certain(index, query) is None


@pytest.mark.parametrize(("query", "section"), [("fab 4.1①", "fab:4.1"), ("fab 4.1⁰", "fab:4.1")])
def test_a_footnote_sign_is_not_glued_to_a_number(index: Index, query: str, section: str) -> None:
    assert certain(index, query) == section
