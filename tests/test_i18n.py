"""Interface texts: complete in every language, used, and refused when faulty."""

import re
from pathlib import Path

import pytest

from bot import i18n
from bot.i18n import Catalogue, CatalogueError
from bot.policy import faults
from tests.conftest import ROOT


def test_japanese_and_english_have_the_same_texts(catalogue: Catalogue) -> None:
    assert set(catalogue.texts) == {"ja", "en"}
    assert catalogue["ja"].entries.keys() == catalogue["en"].entries.keys()


def test_a_text_is_filled_in() -> None:
    assert i18n.Texts("en", {"a": "{n} of {m}"})("a", n=1, m="two") == "1 of two"


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("a: 'x {n}'\n", "ja.yaml: b: this text is missing"),
        ("a: 'x'\nb: 'y'\n", "ja.yaml: a: other {placeholders} than in en.yaml"),
        ("a: 'x {n}'\nb: 'y'\nc: 'z'\n", "en.yaml: c: this text is missing"),
        ("a: 5\nb: 'y'\n", "ja.yaml: a: a text is needed"),
        ("a: [", "ja.yaml:"),
    ],
)
def test_a_faulty_catalogue_is_refused_by_file_and_key(
    tmp_path: Path, other: str, message: str
) -> None:
    (tmp_path / "en.yaml").write_text("a: 'x {n}'\nb: 'y'\n", encoding="utf-8")
    (tmp_path / "ja.yaml").write_text(other, encoding="utf-8")
    with pytest.raises(CatalogueError, match=re.escape(message)):
        i18n.load(tmp_path)


def test_a_folder_without_catalogues_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="no interface texts"):
        i18n.load(tmp_path)


def test_every_text_is_used_and_every_used_text_is_there(catalogue: Catalogue) -> None:
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "bot").rglob("*.py"))
    known = catalogue["en"].entries.keys()
    used = set(
        re.findall(
            r"""["']((?:section|ask|chat|table|edition|adjustment|list|outcome|check|answer|choices|nothing|penalties|help|about|click|error|settings|language_command|sync|health)\.[a-z_]+)["']""",
            code,
        )
    )
    problems = set(re.findall(r'"([a-z0-9_]+)"', code)) | {
        code for code, _ in faults.MESSAGES.values()
    }
    families = (
        "section.",
        "view.",
        "command.",
        "option.",
        "setting.",
        "force.",
        "who.",
        "timing.",
        "edition.only_",
        "confidence.",
        "language.",
        "chat.command.",
        "adjustment.",
        "outcome.",
        "matched.",
        "check.meaning_",
        "learn.",
    )
    assert used <= known
    unused = {
        key
        for key in known - used
        if not key.startswith(families) and not (key.startswith("check.") and key[6:] in problems)
    }
    assert unused == set()
