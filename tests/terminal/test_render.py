"""Every section in every language, rendered: complete, readable at 80 columns, never by colour alone."""

import re

import pytest
from rich.cells import cell_len

from bot.i18n import Catalogue
from bot.policy.pack import Library
from bot.policy.section import Section
from bot.policy.texts import LOCALES, Locale
from bot.search.index import Index
from bot.terminal import lists, render


def page(
    library: Library, catalogue: Catalogue, section_id: str, locale: Locale, *, whole: bool = False
) -> str:
    pack = library.pack(section_id.partition(":")[0])
    section = pack.section(section_id)
    return render.section_page(pack, section, locale, catalogue[locale], 80, whole=whole).plain


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("whole", [False, True])
def test_no_line_of_any_section_is_wider_than_80_columns(
    library: Library, catalogue: Catalogue, locale: Locale, whole: bool
) -> None:
    for pack in library.packs:
        for section in pack.sections:
            text = page(library, catalogue, section.id, locale, whole=whole)
            wide = [line for line in text.split("\n") if cell_len(line) > 80 and "://" not in line]
            assert not wide, section.id
            assert not re.search(r"\bNone\b|\{\w+\}", text), section.id


def texts_of(section: Section, locale: Locale) -> list[str]:
    passages = [
        *section.details,
        *section.examples,
        *section.procedure,
        *section.philosophy,
        *section.differences,
        *(item.text for item in section.adjustments),
        *(step for item in section.adjustments for step in item.procedure),
        *(item.text for item in section.outcomes),
        *(item.text for item in section.notes),
        *(item.text for item in section.missing),
        *(item.text for item in section.reconstructions),
        *(item.text for item in section.conflicts),
        *(item.why for item in section.references),
        *((section.definition,) if section.definition else ()),
    ]
    return [passage.in_locale(locale) for passage in passages]


@pytest.mark.parametrize("locale", LOCALES)
def test_the_whole_section_shows_every_text_it_has(
    library: Library, catalogue: Catalogue, locale: Locale
) -> None:
    for pack in library.packs:
        for section in pack.sections:
            shown = squeezed(page(library, catalogue, section.id, locale, whole=True))
            lost = [text for text in texts_of(section, locale) if squeezed(text) not in shown]
            assert not lost, section.id


def test_the_answer_says_the_penalty_and_its_place_on_the_ladder(
    library: Library, catalogue: Catalogue
) -> None:
    text = page(library, catalogue, "fab:3.1", "en")
    assert "Penalty: Intellect Penalty (IP2)" in text
    assert "Caution < Warning < 【IP2】 < Game Loss < Disqualification" in text
    assert "No need to confirm with the Head Judge first." in text
    assert "▲ Raised to Game Loss" in text
    assert "▼ Lowered to Warning" in text


def test_a_discretionary_adjustment_says_so(library: Library, catalogue: Catalogue) -> None:
    assert "▼ 警告へ格下げ （任意） （ヘッドジャッジが判断）" in page(
        library, catalogue, "fab:4.7", "ja"
    )


def test_a_group_shows_the_penalties_of_its_parts(library: Library, catalogue: Catalogue) -> None:
    assert "Penalty: Warning / Disqualification" in page(library, catalogue, "fab:4.1", "en")


def test_a_lost_clause_shows_that_it_is_lost(library: Library, catalogue: Catalogue) -> None:
    text = page(library, catalogue, "ygo:6", "ja")
    assert "手元の文書に記載なし" in text
    assert "原文から失われている部分" in text


def test_the_conflict_stands_in_the_section_and_in_the_table(
    library: Library, catalogue: Catalogue
) -> None:
    assert "文書内の食い違い" in page(library, catalogue, "fab:3.2", "ja")
    table = lists.penalties_page(library.pack("fab"), "ja", catalogue["ja"], 80).plain
    assert "3.2 メモを取る行為と外部からの助言：警告" in table
    assert "文書の早見表では「外部からの助言」ゲームの敗北" in table


@pytest.mark.parametrize("locale", LOCALES)
def test_every_answer_names_document_date_and_that_it_is_unofficial(
    library: Library, catalogue: Catalogue, locale: Locale
) -> None:
    for pack in library.packs:
        for section in pack.sections:
            text = squeezed(page(library, catalogue, section.id, locale))
            assert squeezed(pack.header.name.in_locale(locale)) in text
            assert squeezed(pack.header.disclaimer.in_locale(locale)) in text
            assert re.search("2026-06-10|2024-06-01|日付なし", text)


@pytest.mark.parametrize("locale", LOCALES)
def test_choices_are_numbered_with_game_and_penalty(
    index: Index, catalogue: Catalogue, locale: Locale
) -> None:
    hits = index.search("4.1").hits
    text = lists.choices_page(hits, locale, catalogue[locale], 80).plain
    assert re.search(r"^ 1\. FaB PPG 4\.1 .*\[.+\]$", text, re.MULTILINE)
    assert re.search(r"^ 2\. .* 4\.1 .*\[.+\]$", text, re.MULTILINE)


def test_an_echoed_query_is_one_short_printable_line(
    library: Library, catalogue: Catalogue
) -> None:
    query = "x\x1b[31m\n\u202e" + "あ" * 6000
    text = lists.nothing_page(library.packs, query, "en", catalogue["en"], 80).plain
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert len(text) < 500


def test_a_group_and_a_chapter_list_their_sections(library: Library, catalogue: Catalogue) -> None:
    assert "- 4.1.2 Unsporting Conduct (Major): Disqualification" in page(
        library, catalogue, "fab:4.1", "en"
    )
    assert "- 2.3 誘発忘れ：注意" in page(library, catalogue, "fab:2", "ja")


def test_the_printed_table_is_shown_as_computed(library: Library, catalogue: Catalogue) -> None:
    text = page(library, catalogue, "fab:A.1", "en")
    assert text.count("\n- ") >= 29
    assert "- 3.2 Note Taking and Outside Assistance: Warning" in text


def test_a_mark_in_the_text_is_explained_in_the_short_answer(
    library: Library, catalogue: Catalogue
) -> None:
    assert "[6.6] TRP 6.6 → 4.8 Stalling" in page(library, catalogue, "fab:3.3", "en")


def test_a_further_penalty_is_not_called_a_heavier_one(
    library: Library, catalogue: Catalogue
) -> None:
    text = page(library, catalogue, "ygo:7.1", "ja")
    assert "▲ ジャッジの判断でペナルティを追加 （任意）" in text
    assert "格上げ" not in text.replace("格上げ・格下げ", "")
