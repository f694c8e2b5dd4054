"""The penalty table, the choices and the empty answer as pages of text. Pure."""

from collections.abc import Sequence

from rich.text import Text

from bot import outline
from bot.i18n import Texts, shown
from bot.policy.pack import Pack
from bot.policy.texts import Locale
from bot.search.index import Hit
from bot.terminal.lines import add_lines
from bot.terminal.page import Page


def penalties_page(pack: Pack, locale: Locale, texts: Texts, width: int) -> Text:
    """Return the penalty ladder and the quick-reference table of a pack."""
    page = Page(width)
    title = f"{pack.header.game.in_locale(locale)} {pack.header.name.in_locale(locale)}"
    page.line(title, style="bold")
    page.rule()
    add_lines(page, pack, outline.ladder(pack, locale))
    page.gap()
    add_lines(page, pack, outline.table(pack, locale, texts))
    page.gap()
    page.line(pack.header.disclaimer.in_locale(locale), style="dim")
    return page.text()


def choices_page(hits: Sequence[Hit], locale: Locale, texts: Texts, width: int) -> Text:
    """Return a numbered list of sections to choose from."""
    page = Page(width)
    page.line(texts("ask.unsure" if len(hits) > 1 else "ask.near"))
    for place, hit in enumerate(hits, 1):
        section, pack = hit.section, hit.pack
        short = pack.header.short.in_locale(locale)
        label = f"{short} {outline.label(section, locale)}"
        penalty = outline.penalty_words(pack, section, locale, texts)
        page.line(f"{label} [{penalty}]" if penalty else label, mark=f"{place:>2}. ")
        if hit.kind != "number":
            page.line(why(hit, texts), indent=4, style="dim")
    return page.text()


def why(hit: Hit, texts: Texts) -> str:
    """Return what of a section matched."""
    return texts("matched.why", kind=texts(f"matched.{hit.kind}"), text=shown(hit.text, 60))


def near_numbers_page(hits: Sequence[Hit], locale: Locale, texts: Texts, width: int) -> Text:
    """Return the sections nearest to a number that no document has."""
    page = Page(width)
    page.line(texts("ask.near_numbers"))
    for hit in hits:
        short = hit.pack.header.short.in_locale(locale)
        page.line(f"{short} {outline.label(hit.section, locale)}", mark="- ")
    return page.text()


def nothing_page(
    packs: Sequence[Pack], query: str, locale: Locale, texts: Texts, width: int
) -> Text:
    """Return that ``packs`` have nothing on ``query``, and what to try."""
    page = Page(width)
    games = texts("list.comma").join(pack.header.game.in_locale(locale) for pack in packs)
    page.line(texts("ask.none", query=query[:60], games=games))
    page.line(texts("ask.try"))
    return page.text()
