"""Text for Discord: shown as typed, never longer than asked for, cut where a reader would cut."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.chat import markdown
from bot.outline import Line
from tests.chat.discord_rules import as_shown, bare, squeezed

SIGNS = st.text(alphabet="\\*_`~|[]<>@#-.!?。、 \n1ab漢\u200b", max_size=200)
ANY = st.text(max_size=300) | SIGNS
HOSTILE = (
    "@everyone @here <@1> <@&2> <#3> <:e:4> **b** __u__ ~~s~~ ||x|| `c` ```b``` [t](http://x) \\*"
)


@given(ANY)
@example(HOSTILE)
@example("1. one")
@example("\\# x")
def test_what_is_escaped_shows_as_typed(text: str) -> None:
    assert as_shown(markdown.escape(text)) == text.replace("\u200b", "")


@given(ANY)
@example(HOSTILE)
def test_nothing_that_is_escaped_is_markdown_or_a_mention(text: str) -> None:
    escaped = markdown.escape(text)
    assert not re.search(r"[*_`~|\[\]<\\]", bare(escaped))
    assert "@" not in escaped.replace("@\u200b", "")


@pytest.mark.parametrize(
    "start", ["# ", "## ", "### ", "-# ", "> ", ">>> ", "- ", "* ", "1. ", "  - ", "12. ", "\n- "]
)
@pytest.mark.parametrize("before", ["", "above\n"])
def test_no_heading_list_quotation_or_small_print_begins(before: str, start: str) -> None:
    escaped = markdown.escape(f"{before}{start}words")
    assert not re.search(r"^\s*(?:#{1,3}|-#|>|>>>|[-*+]|\d+\.)\s", escaped, re.MULTILINE)
    assert as_shown(escaped) == f"{before}{start}words"


@given(ANY, st.integers(min_value=2, max_value=60))
@example("a" * 8 + "\\\\" + "b" * 20, 10)
@example(" " * 50, 5)
def test_pieces_are_short_enough_and_lose_nothing(text: str, limit: int) -> None:
    escaped = markdown.escape(text)
    parts = list(markdown.pieces(escaped, limit))
    assert all(0 < len(part) <= limit for part in parts) or parts == [escaped]
    assert squeezed("".join(parts)) == squeezed(escaped)


@given(SIGNS, st.integers(min_value=2, max_value=60))
@example("a" * 8 + "\\b", 10)
@example("a" * 7 + "*" + "\\b", 10)
def test_no_cut_parts_a_backslash_from_its_sign(text: str, limit: int) -> None:
    for part in markdown.pieces(markdown.escape(text), limit):
        assert (len(part) - len(part.rstrip("\\"))) % 2 == 0, part
        assert not re.search(r"[*_`~|\[\]<]", bare(part)), part


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "One two three four. Five six seven eight",
            ["One two three four.", "Five six seven eight"],
        ),
        ("One two three! Four five six seven", ["One two three!", "Four five six seven"]),
        (
            "一つ目の文はここまでで終わりです。二つ目の文は、ここからまた始まって続きます。",
            ["一つ目の文はここまでで終わりです。", "二つ目の文は、ここからまた始まって続きます。"],
        ),
        (
            "彼は「これで文が終わります。」と長く言った。",
            ["彼は「これで文が終わります。」", "と長く言った。"],
        ),
        (
            "first line of the two\nsecond line, with words",
            ["first line of the two", "second line, with words"],
        ),
    ],
)
def test_a_text_is_cut_where_a_sentence_or_a_line_ends(text: str, pieces: list[str]) -> None:
    limit = max(map(len, pieces)) + 3
    assert list(markdown.pieces(text, min(limit, len(text) - 1))) == pieces


def test_without_a_sentences_end_words_stay_whole() -> None:
    text = "alpha beta gamma delta epsilon zeta eta theta"
    parts = list(markdown.pieces(text, 14))
    assert " ".join(parts) == text
    assert next(markdown.pieces("読点で、切れるはずの長い文章", 8)) == "読点で、切れるは"
    assert next(markdown.pieces("読点で切る、はずの長い文章", 8)) == "読点で切る、"


def test_a_text_without_any_place_to_cut_is_cut_at_the_limit() -> None:
    assert list(markdown.pieces("x" * 25, 10)) == ["x" * 10, "x" * 10, "x" * 5]


@given(ANY, st.integers(min_value=3, max_value=100))
@example(" " * 200, 10)
def test_what_is_cut_fits_and_says_that_it_is_cut(text: str, limit: int) -> None:
    cut = markdown.cut(text, limit)
    assert len(cut) <= limit
    assert cut == text if len(text) <= limit else cut.endswith("…")


LINES = st.lists(
    st.builds(
        Line,
        text=st.text(alphabet="ab*_`\\<@ .。漢", min_size=1, max_size=120),
        mark=st.sampled_from(["", "- ", "1. ", "! ", "▲ "]),
        level=st.integers(min_value=0, max_value=1),
        strong=st.booleans(),
        faint=st.booleans(),
    ),
    max_size=8,
)


@given(LINES, st.integers(min_value=20, max_value=200))
def test_blocks_are_short_enough_and_lose_nothing(lines: list[Line], limit: int) -> None:
    blocks = list(markdown.blocks(lines, limit))
    assert all(0 < len(block) <= limit for block in blocks)
    shown = squeezed("".join(blocks))
    for line in lines:
        for sign in squeezed(markdown.escape(line.text)):
            assert sign in shown
    assert all(block.count("**") % 2 == 0 for block in map(bare, blocks))


def test_a_line_stays_whole_where_it_fits() -> None:
    lines = [Line("a" * 60), Line("b" * 60), Line("c" * 30)]
    assert list(markdown.blocks(lines, 100)) == ["a" * 60, "b" * 60 + "\n" + "c" * 30]


def test_a_line_shows_its_mark_level_and_weight() -> None:
    lines = [
        Line("up", "▲ ", strong=True),
        Line("why", level=1),
        Line("mind", "! "),
        Line("small", "- ", faint=True),
    ]
    assert list(markdown.blocks(lines, 100)) == ["▲ **up**\nwhy\n⚠ mind\n-# small"]


def test_a_long_strong_line_is_bold_in_every_piece() -> None:
    (first, second) = markdown.blocks([Line("word " * 19 + "end", strong=True)], 60)
    for part in (first, second):
        assert part.startswith("**")
        assert part.endswith("**")
