"""Normalisation: brings what people type and what the packs say to one form. Pure and idempotent."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import jaconv

MAX_LENGTH: Final = 300
"""Longest text that is looked at, in code points; what people describe fits in half of it."""

_SIGNS: Final = re.compile("[⁰¹²³⁴-⁹₀-₉①-⓿❶-➓]")
_DASHES: Final = re.compile("[‐‑‒–—―−〜~ｰ]")
_KANA_DASH: Final = re.compile("(?<=[ぁ-ゖァ-ヺ])[-‐‑‒–—―−〜~ｰ]+(?=$|[^0-9a-z])")
_SOUNDS: Final = re.compile("[a-zぁ-ゖー・ .'-]*")
_UNREAD: Final = re.compile(r"[^0-9a-zぁ-ゖゝゞー㐀-䶿一-鿿々]+")


@lru_cache(maxsize=4096)  # one search looks at the same words many times
def normalise(text: str) -> str:
    """Return ``text`` in one width, case, kana and kind of dash, words apart by single spaces.

    NFKC and case folding, katakana to hiragana, a dash after kana is a long-vowel mark. Numbers in
    circles and superscripts are dropped: NFKC would glue them to the number before. Only the first
    ``MAX_LENGTH`` characters count.
    """
    whole = text[:MAX_LENGTH].encode(errors="replace").decode()  # lone surrogates are no text
    apart = _SIGNS.sub(" ", whole)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", apart).casefold())
    folded = _KANA_DASH.sub("ー", folded)
    folded = _DASHES.sub("-", folded)
    return " ".join(jaconv.kata2hira(folded).split())[:MAX_LENGTH].rstrip()


def key(text: str) -> str:
    """Return only the letters, digits and kana of ``text``, normalised: what names are compared by.

    Empty when nothing in ``text`` can be searched for.
    """
    return _UNREAD.sub("", _strip_marks(normalise(text)))


def _strip_marks(text: str) -> str:
    """Return ``text`` without accents on Latin letters; marks on kana stay."""
    decomposed = unicodedata.normalize("NFD", text)
    bare = re.sub("(?<=[a-z])[\u0300-\u036f]+", "", decomposed)
    return unicodedata.normalize("NFC", bare)


# Hepburn and Kunrei spellings, and the ways to write a long vowel, brought to one.
_SPELLINGS: Final = (
    (re.compile("tch"), "tty"),
    (re.compile("shi"), "si"),
    (re.compile("chi"), "ti"),
    (re.compile("tsu"), "tu"),
    (re.compile("fu"), "hu"),
    (re.compile("ji"), "zi"),
    (re.compile("sh"), "sy"),
    (re.compile("ch"), "ty"),
    (re.compile("j(?=[auo])"), "zy"),
    (re.compile("m(?=[bpm])"), "n"),
    (re.compile("n'|nn"), "n"),
    (re.compile("-|ー"), ""),
    (re.compile("ou|oo"), "o"),
    (re.compile("uu"), "u"),
    (re.compile("aa"), "a"),
    (re.compile("ii"), "i"),
    (re.compile("ee|ei"), "e"),
)


def romaji_key(text: str) -> str:
    """Return the sound of kana or romaji in one spelling: ``tikoku`` for chikoku and ちこく.

    Empty when ``text`` has characters that are neither.
    """
    normal = normalise(text)
    if not _SOUNDS.fullmatch(normal):
        return ""
    latin = jaconv.kana2alphabet(normal.replace("・", ""))
    latin = re.sub("[ .・]", "", latin.replace("ー", "-"))
    if not re.fullmatch("[a-z'-]*", latin):
        return ""
    for pattern, replacement in _SPELLINGS:
        latin = pattern.sub(replacement, latin)
    return latin
