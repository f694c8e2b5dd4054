"""The pieces of a text that a lexical search counts: words and runs of characters."""

import re
from collections.abc import Container
from operator import add
from typing import Final

import jaconv

from bot import text

_LATIN: Final = re.compile(r"[a-z']+|[0-9]+")
_NOT_LATIN: Final = re.compile("[^\x00-\x7f、。・「」『』（）？！…]+")
_KANA: Final = re.compile("[ぁ-ゖー]+")
_ROMAJI: Final = re.compile(
    r"(?:(?:([kstpcgzdbjf])\1?|[nhmrywv])?[hsy]?[aiueo]|nn?(?![aiueoy])|-)+"
)


def grams(typed: str) -> list[str]:
    """Return the grams of ``typed``: Latin words and their runs of 3 to 5, Japanese runs of 1 to 3.

    Case, width and kind of kana do not matter.
    """
    normal = text.normalise(typed)
    found: list[str] = []
    for word in _LATIN.findall(normal):
        found.append(word)
        edged = f"<{word}>"
        last = len(edged)
        for size in (3, 4, 5):
            found.extend([edged[i : i + size] for i in range(last - size + 1)])
    for run in _NOT_LATIN.findall(normal):
        found.extend(run)
        found.extend(map(add, run, run[1:]))
        found.extend([run[i : i + 3] for i in range(len(run) - 2)])
    return found


def kana_of_romaji(normal: str, known: Container[str] = ()) -> str:
    """Return a normalised text with its romaji in hiragana, or nothing if no word of it is romaji.

    All of it if all of it reads so; else, word by word, what is not a ``known`` word.
    """
    whole = _kana(normal.replace(" ", ""))
    if whole:
        return whole
    words = [word if word in known else _kana(word) or word for word in normal.split()]
    return " ".join(words) if words != normal.split() else ""


def _kana(word: str) -> str:
    letters = word.replace("'", "")
    if len(letters) < 4 or not _ROMAJI.fullmatch(letters):
        return ""
    kana: str = jaconv.alphabet2kana(letters)
    return kana if _KANA.fullmatch(kana) else ""
