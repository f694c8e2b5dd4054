"""Normalisation: one form for what reads the same, and nothing lost that tells words apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import text

TYPED = st.text(
    alphabet=st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from("ァアｱｶﾞガがぱパﾊﾟー－−–-～~々ゝヽ・、。Ａａ①㍿é　 "),
    ),
    max_size=60,
)


@given(TYPED)
def test_normalising_twice_changes_nothing_more(typed: str) -> None:
    once = text.normalise(typed)
    assert text.normalise(once) == once
    assert text.key(text.key(typed)) == text.key(typed)


@pytest.mark.parametrize("typed", ["㍿" * 200, "ﷺ" * 100, "a " * 400, "\ud800x"])
def test_long_and_broken_text_is_normalised_once_for_all(typed: str) -> None:
    once = text.normalise(typed)
    assert text.normalise(once) == once
    assert len(once) <= text.MAX_LENGTH


@given(TYPED)
def test_a_key_has_only_letters_digits_and_japanese(typed: str) -> None:
    key = text.key(typed)
    assert all(c.isalnum() or c in "ーゝゞ々〆" for c in key)
    assert not any("ァ" <= c <= "ヺ" or c.isspace() for c in key)


@pytest.mark.parametrize(
    "typed",
    [
        "スロープレイ",
        "すろーぷれい",
        "ｽﾛｰﾌﾟﾚｲ",
        "スロー・プレイ",
        "スロ−プレイ",
        "スロ―プレイ",
        "スロ-プレイ",
        " スロー　プレイ ",
    ],
)
def test_spellings_of_one_japanese_word_have_one_key(typed: str) -> None:
    assert text.key(typed) == "すろーぷれい"


@pytest.mark.parametrize("typed", ["D.E.C", "dec", "ＤＥＣ", "d-e-c", "D E C"])
def test_spellings_of_one_abbreviation_have_one_key(typed: str) -> None:
    assert text.key(typed) == "dec"


@pytest.mark.parametrize("typed", ["", " ", "！？", "🙂", "\u200b", "---", "…", "<@>"])
def test_what_cannot_be_searched_for_has_an_empty_key(typed: str) -> None:
    assert text.key(typed) == ""


@pytest.mark.parametrize(
    ("one", "other"), [("4.1", "4.10"), ("ハツ", "パツ"), ("びょういん", "びよういん")]
)
def test_words_that_differ_keep_apart(one: str, other: str) -> None:
    assert text.key(one) != text.key(other)


@pytest.mark.parametrize(
    ("kana", "spellings"),
    [
        ("ちこく", ["chikoku", "tikoku", "Chikoku"]),
        ("しっかく", ["shikkaku", "sikkaku"]),
        ("かじょうドロー", ["kajou doro", "kajo doroo", "kazyou doro-"]),
        ("つみこみ", ["tsumikomi", "tumikomi"]),
    ],
)
def test_romaji_and_kana_of_one_word_have_one_sound(kana: str, spellings: list[str]) -> None:
    assert {text.romaji_key(s) for s in spellings} == {text.romaji_key(kana)}


@pytest.mark.parametrize("typed", ["遅刻", "3.3", "", "🙂"])
def test_what_is_neither_kana_nor_romaji_has_no_sound(typed: str) -> None:
    assert text.romaji_key(typed) == ""


@given(TYPED)
def test_the_sound_of_anything_is_plain_letters(typed: str) -> None:
    assert text.romaji_key(typed).isascii()
