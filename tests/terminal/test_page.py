"""Pages: lines of the asked width, Japanese broken as it should be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from bot.terminal.page import Page, wrap

WORDS = st.text(alphabet="あ漢、。「」ー a-b1 ", max_size=120)


@given(text=WORDS, width=st.integers(12, 100))
def test_no_line_is_wider_than_the_page_and_nothing_is_lost(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_japanese_line_never_begins_with_a_full_stop_or_closing_bracket() -> None:
    text = "プレイヤーに警告を与える。「遅い」と言う。" * 8
    for width in range(12, 60):
        assert not [line for line in wrap(text, width) if line[:1] in "。、」ー"]


def test_a_mark_stands_once_and_the_rest_is_set_in() -> None:
    page = Page(20)
    page.line("あいうえおかきくけこさしすせそ", indent=2, mark="1. ")
    first, *others = page.text().plain.split("\n")
    assert first.startswith("  1. あ")
    assert others
    assert all(line.startswith("     ") for line in others)


@pytest.mark.parametrize("width", [20, 80])
def test_a_rule_is_as_wide_as_the_page(width: int) -> None:
    page = Page(width)
    page.rule()
    assert cell_len(page.text().plain) == width


def test_gaps_never_double_and_never_begin_a_page() -> None:
    page = Page(40)
    page.gap()
    page.line("a")
    page.gap()
    page.gap()
    page.line("b")
    assert page.text().plain == "a\n\nb"
