"""What answers and lists say alike: a section's penalty in words, and the quick-reference table."""

from bot.i18n import Texts
from bot.policy.pack import Pack
from bot.policy.section import Section
from bot.policy.tables import Row, quick_reference
from bot.policy.texts import Locale
from bot.terminal.page import SEVERITY_STYLES, Page


def rung_style(pack: Pack, code: str) -> str:
    """Return the style of a rung of a pack's ladder."""
    place = [penalty.code for penalty in pack.header.ladder].index(code)
    return SEVERITY_STYLES[min(place, len(SEVERITY_STYLES) - 1)]


def penalty_words(pack: Pack, section: Section, locale: Locale, texts: Texts) -> str:
    """Return a section's penalty in words; of a group, the lightest to the heaviest of its parts."""
    if section.penalty:
        return pack.penalty(section.penalty).name.in_locale(locale)
    parts = {part.penalty for part in pack.parts_of(section) if part.penalty}
    if section.kind == "group" and parts:
        rungs = [penalty for penalty in pack.header.ladder if penalty.code in parts]
        return " / ".join(penalty.name.in_locale(locale) for penalty in rungs)
    return texts("section.penalty_missing") if section.kind == "infraction" else ""


def add_table(page: Page, pack: Pack, locale: Locale, texts: Texts) -> None:
    """Add the quick-reference table of a pack to a page."""
    for chapter, rows in quick_reference(pack):
        page.heading(f"{chapter.number} {chapter.name.in_locale(locale)}")
        for row in rows:
            _row(page, pack, row, locale, texts)


def _row(page: Page, pack: Pack, row: Row, locale: Locale, texts: Texts) -> None:
    words = penalty_words(pack, row.section, locale, texts)
    style = rung_style(pack, row.penalty) if row.penalty else "dim"
    label = f"{row.section.number} {row.section.name.in_locale(locale)}"
    page.line(texts("list.pair", left=label, right=words), style=style, mark="- ")
    if row.conflict:
        printed = pack.penalty(row.conflict.penalty).name.in_locale(locale)
        name = row.conflict.name.in_locale(locale)
        page.line(texts("table.conflict", name=name, penalty=printed), indent=2, mark="! ")
