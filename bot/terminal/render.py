"""One section as a page of text. Pure: data and locale in, page out."""

from rich.text import Text

from bot import outline
from bot.i18n import Texts
from bot.outline import Block, Line
from bot.policy.pack import Pack
from bot.policy.section import Section
from bot.policy.texts import Locale
from bot.terminal.lines import add_lines, rung_style
from bot.terminal.page import Page

EXTRA = ("examples", "differences")
"""What only the whole section shows, of any kind of section."""


def section_page(
    pack: Pack, section: Section, locale: Locale, texts: Texts, width: int, *, whole: bool
) -> Text:
    """Return the answer for one section; ``whole`` adds details, examples, references and editions.

    What a judge needs at the table comes first: penalty, when it changes, what to do.
    """
    page = Page(width)
    page.line(outline.chapter_words(pack, section, locale), style="dim")
    page.line(outline.title(section, locale), style="bold")
    page.rule()
    _penalty(page, pack, section, locale, texts)
    for block in outline.blocks(pack, section, locale, texts):
        shown = _shown(block, section, whole=whole)
        if shown:
            if block.part != "details":
                page.heading(block.heading)
            add_lines(page, pack, shown)
    _source(page, pack, section, locale, texts)
    return page.text()


def _shown(block: Block, section: Section, *, whole: bool) -> tuple[Line, ...]:
    """Return what of a block is shown; in a short answer the references that explain a mark."""
    if whole:
        return block.lines
    if block.part == "references":
        return tuple(line for line in block.lines if line.strong)
    if block.part in EXTRA or (block.part == "details" and section.kind == "infraction"):
        return ()
    return block.lines


def left_out(section: Section, texts: Texts) -> str:
    """Return what the short answer leaves out, with counts; empty when it is nothing."""
    parts = {
        "section.details": section.details if section.kind == "infraction" else (),
        "section.examples": section.examples,
        "section.references": [item for item in section.references if not item.mark],
        "section.differences": section.differences,
    }
    return texts("list.comma").join(
        texts("list.counted", what=texts(key), count=len(items))
        for key, items in parts.items()
        if items
    )


def _penalty(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    words = outline.penalty_words(pack, section, locale, texts)
    if not words:
        return
    style = rung_style(pack, section.penalty) if section.penalty else ""
    page.line(texts("section.penalty", penalty=words), style=f"bold {style}".strip())
    page.line(outline.ladder_words(pack, section, locale), indent=2)
    for note in outline.penalty_notes(pack, section, locale, texts):
        page.line(note, indent=2)


def _source(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    page.gap()
    page.rule()
    source = outline.source(pack, section, locale, texts)
    page.line(source.title, style="dim")
    if source.address:
        page.styled(Text(source.address, style="dim"))
    page.line(source.disclaimer, style="dim")
