"""Sections, tables and choices as pages of text. Pure: data and locale in, page out."""

from rich.text import Text

from bot.i18n import Texts
from bot.policy.header import RepeatRule
from bot.policy.pack import Library, Pack
from bot.policy.section import Adjustment, Outcome, Reference, Section
from bot.policy.tables import Row, quick_reference
from bot.policy.texts import Locale, Passage
from bot.search.index import Hit
from bot.terminal.page import SEVERITY_STYLES, Page


def section_page(
    pack: Pack, section: Section, locale: Locale, texts: Texts, width: int, *, whole: bool
) -> Text:
    """Return the answer for one section; ``whole`` adds details, examples, references and editions."""
    page = Page(width)
    chapter = pack.chapter_of(section)
    page.line(
        f"{pack.header.short.in_locale(locale)} › {chapter.number} {chapter.name.in_locale(locale)}",
        style="dim",
    )
    other = section.name.en if locale == "ja" else section.name.ja
    page.line(f"{section.number} {section.name.in_locale(locale)} / {other}", style="bold")
    page.rule()
    _penalty(page, pack, section, locale, texts)
    _gaps(page, section, locale, texts)
    if section.definition:
        page.heading(texts("section.definition"))
        page.line(section.definition.in_locale(locale))
    if whole or section.kind in ("general", "procedure", "penalty"):
        _passages(page, section.details, locale, texts)
    _adjustments(page, pack, section, locale, texts)
    _outcomes(page, pack, section.outcomes, locale, texts)
    _numbered(page, texts("section.procedure"), section.procedure, locale, texts)
    _listed(page, texts("section.philosophy"), section.philosophy, locale, texts)
    if whole:
        _listed(page, texts("section.examples"), section.examples, locale, texts)
        _references(page, pack, section, locale, texts)
    if section.notes:
        page.heading(texts("section.notes"))
        for note in section.notes:
            page.line(note.text.in_locale(locale), mark="! ")
    _conflicts(page, pack, section, locale, texts)
    if whole and section.differences:
        page.heading(texts("section.differences"))
        for difference in section.differences:
            page.line(difference.in_locale(locale), mark="- ")
    _source(page, pack, section, locale, texts)
    return page.text()


def penalties_page(pack: Pack, locale: Locale, texts: Texts, width: int) -> Text:
    """Return the penalty ladder and the quick-reference table of a pack."""
    page = Page(width)
    page.line(
        f"{pack.header.game.in_locale(locale)} {pack.header.name.in_locale(locale)}", style="bold"
    )
    page.rule()
    for penalty in pack.header.ladder:
        style = _style(pack, penalty.code)
        page.line(f"{penalty.severity} {penalty.name.in_locale(locale)}", style=style)
        page.line(penalty.effect.in_locale(locale), indent=2)
    for chapter, rows in quick_reference(pack):
        page.heading(f"{chapter.number} {chapter.name.in_locale(locale)}")
        for row in rows:
            _row(page, pack, row, locale, texts)
    page.gap()
    page.line(pack.header.disclaimer.in_locale(locale), style="dim")
    return page.text()


def choices_page(hits: tuple[Hit, ...], locale: Locale, texts: Texts, width: int) -> Text:
    """Return a numbered list of sections to choose from."""
    page = Page(width)
    page.line(texts("ask.unsure"))
    for place, hit in enumerate(hits, 1):
        section, pack = hit.section, hit.pack
        label = f"{pack.header.short.in_locale(locale)} {section.number} {section.name.in_locale(locale)}"
        penalty = penalty_words(pack, section, locale, texts)
        page.line(f"{label} [{penalty}]" if penalty else label, mark=f"{place:>2}. ")
    return page.text()


def more_line(section: Section, query: str, texts: Texts, width: int) -> Text:
    """Return a line on what the short answer left out."""
    left_out = {
        "section.details": section.details if section.kind == "infraction" else (),
        "section.examples": section.examples,
        "section.references": section.references,
        "section.differences": section.differences,
    }
    what = texts("list.comma").join(
        f"{texts(key)} ({len(items)})" for key, items in left_out.items() if items
    )
    page = Page(width)
    if what:
        page.line(texts("ask.more", what=what, query=_shortened(query)), style="dim")
    return page.text()


def pick_line(hit: Hit, texts: Texts, width: int) -> Text:
    """Return a line on how to ask for one of several choices."""
    page = Page(width)
    page.line(texts("ask.pick", number=hit.section.number, game=hit.pack.header.id), style="dim")
    return page.text()


def nothing_page(library: Library, query: str, locale: Locale, texts: Texts, width: int) -> Text:
    """Return what to try when nothing was found."""
    page = Page(width)
    games = texts("list.comma").join(pack.header.game.in_locale(locale) for pack in library.packs)
    page.line(texts("ask.none", query=_shortened(query), games=games))
    page.line(texts("ask.try"))
    return page.text()


def penalty_words(pack: Pack, section: Section, locale: Locale, texts: Texts) -> str:
    """Return a section's penalty in words; of a group, the lightest to the heaviest of its parts."""
    if section.penalty:
        return pack.penalty(section.penalty).name.in_locale(locale)
    parts = {part.penalty for part in pack.parts_of(section) if part.penalty}
    if section.kind == "group" and parts:
        rungs = [penalty for penalty in pack.header.ladder if penalty.code in parts]
        return " / ".join(penalty.name.in_locale(locale) for penalty in rungs)
    return texts("section.penalty_missing") if section.kind == "infraction" else ""


def _shortened(query: str, limit: int = 60) -> str:
    one_line = " ".join("".join(c if c.isprintable() else " " for c in query).split())
    return one_line if len(one_line) <= limit else one_line[: limit - 1] + "…"


def _style(pack: Pack, code: str) -> str:
    place = [penalty.code for penalty in pack.header.ladder].index(code)
    return SEVERITY_STYLES[min(place, len(SEVERITY_STYLES) - 1)]


def _penalty(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    words = penalty_words(pack, section, locale, texts)
    if not words:
        return
    style = _style(pack, section.penalty) if section.penalty else ""
    page.line(texts("section.penalty", penalty=words), style=f"bold {style}".strip())
    ladder = [
        f"【{penalty.short.in_locale(locale)}】"
        if penalty.code == section.penalty
        else penalty.short.in_locale(locale)
        for penalty in pack.header.ladder
    ]
    page.line(" < ".join(ladder), indent=2)
    if section.subject != "player":
        page.line(texts(f"who.{section.subject}"), indent=2)
    if section.kind != "infraction":
        return
    for part in (
        _confirmation(pack, section, locale, texts),
        _repeat(pack, section, locale, texts),
    ):
        if part:
            page.line(part, indent=2)


def _confirmation(pack: Pack, section: Section, locale: Locale, texts: Texts) -> str:
    rule = pack.header.handling.confirmation
    if rule is None or section.penalty is None:
        return ""
    least = pack.penalty(rule.at_least)
    if section.id in rule.exempt:
        return texts("section.no_confirmation")
    if pack.penalty(section.penalty).severity >= least.severity:
        return texts("section.confirmation")
    return texts("section.confirmation_from", penalty=least.short.in_locale(locale))


def _repeat(pack: Pack, section: Section, locale: Locale, texts: Texts) -> str:
    rule: RepeatRule | None = pack.chapter_of(section).repeat or pack.header.repeat
    if rule is None:
        return ""
    if section.id in rule.exempt:
        return texts("section.repeat_exempt")
    if rule.threshold is None:
        return texts("section.repeat_discretion")
    cap = (
        pack.penalty(rule.cap).name.in_locale(locale)
        if rule.cap
        else texts("section.repeat_uncapped")
    )
    return texts(
        f"section.repeat_{rule.scope}", threshold=rule.threshold, levels=rule.levels, cap=cap
    )


def _gaps(page: Page, section: Section, locale: Locale, texts: Texts) -> None:
    if section.missing:
        page.heading(texts("section.missing"))
        for gap in section.missing:
            page.line(gap.text.in_locale(locale), mark="! ")
    if section.reconstructions:
        page.heading(texts("section.reconstructed"))
        for item in section.reconstructions:
            sure = texts(f"confidence.{item.confidence}")
            page.line(
                f"{item.text.in_locale(locale)} ({sure}; {item.basis.in_locale(locale)})", mark="? "
            )


def _adjustments(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    if not section.adjustments:
        return
    page.heading(texts("section.adjustments"))
    for item in section.adjustments:
        arrow = "▲" if item.direction == "upgrade" else "▼"
        page.line(
            _target(pack, item, locale, texts),
            mark=f"{arrow} ",
            style=_style(pack, item.to) if item.to else "bold",
        )
        page.line(item.text.in_locale(locale), indent=2)
        for step in item.procedure:
            page.line(_edition(step, locale, texts), indent=2, mark="- ")


def _target(pack: Pack, item: Adjustment, locale: Locale, texts: Texts) -> str:
    target = (
        pack.penalty(item.to).name.in_locale(locale)
        if item.to
        else texts("adjustment.judge_decides")
    )
    words = [texts(f"adjustment.{item.direction}", target=target)]
    if item.force != "must":
        words.append(texts(f"force.{item.force}"))
    if item.head_judge:
        words.append(texts("adjustment.head_judge"))
    return " ".join(words)


def _outcomes(
    page: Page, pack: Pack, outcomes: tuple[Outcome, ...], locale: Locale, texts: Texts
) -> None:
    if not outcomes:
        return
    page.heading(texts("section.outcomes"))
    for item in outcomes:
        words = [texts(f"who.{item.who}")]
        if item.penalty:
            words.append(pack.penalty(item.penalty).name.in_locale(locale))
        if item.timing != "now":
            words.append(texts(f"timing.{item.timing}"))
        if item.instead:
            words.append(texts("outcome.instead"))
        page.line(
            " / ".join(words), mark="- ", style=_style(pack, item.penalty) if item.penalty else ""
        )
        page.line(item.text.in_locale(locale), indent=2)


def _edition(passage: Passage, locale: Locale, texts: Texts) -> str:
    words = passage.in_locale(locale)
    return f"{words} {texts(f'edition.only_{passage.only}')}" if passage.only else words


def _passages(page: Page, passages: tuple[Passage, ...], locale: Locale, texts: Texts) -> None:
    for passage in passages:
        page.line(_edition(passage, locale, texts), mark="- ")


def _listed(
    page: Page, heading: str, passages: tuple[Passage, ...], locale: Locale, texts: Texts
) -> None:
    if passages:
        page.heading(heading)
        _passages(page, passages, locale, texts)


def _numbered(
    page: Page, heading: str, passages: tuple[Passage, ...], locale: Locale, texts: Texts
) -> None:
    if passages:
        page.heading(heading)
        for place, passage in enumerate(passages, 1):
            page.line(_edition(passage, locale, texts), mark=f"{place}. ")


def _references(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    if not section.references:
        return
    page.heading(texts("section.references"))
    for item in section.references:
        page.line(f"{_pointer(pack, item, locale)}: {item.why.in_locale(locale)}", mark="- ")


def _pointer(pack: Pack, item: Reference, locale: Locale) -> str:
    words = []
    if item.document:
        other = next(other for other in pack.header.documents if other.code == item.document)
        words.append(
            f"{other.short} {item.number}" if item.number else other.name.in_locale(locale)
        )
    if item.to:
        target = pack.section(item.to)
        words.append(f"{target.number} {target.name.in_locale(locale)}")
    return " → ".join(words)


def _conflicts(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    conflicts = [
        item
        for other in pack.sections
        for item in other.conflicts
        if section.id in (other.id, item.section)
    ]
    for item in conflicts:
        page.heading(texts("section.conflict"))
        page.line(item.text.in_locale(locale), mark="! ")


def _row(page: Page, pack: Pack, row: Row, locale: Locale, texts: Texts) -> None:
    words = penalty_words(pack, row.section, locale, texts)
    style = _style(pack, row.penalty) if row.penalty else "dim"
    page.line(
        f"{row.section.number} {row.section.name.in_locale(locale)}: {words}",
        style=style,
        mark="- ",
    )
    if row.conflict:
        printed = pack.penalty(row.conflict.penalty).name.in_locale(locale)
        page.line(
            texts("table.conflict", name=row.conflict.name.in_locale(locale), penalty=printed),
            indent=2,
            mark="! ",
        )


def _source(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    page.gap()
    page.rule()
    header = pack.header
    edition = next(
        (item for item in header.editions if item.language == locale), header.editions[0]
    )
    dated = edition.date.isoformat() if edition.date else texts("edition.undated")
    language = texts(f"language.{edition.language}")
    page.line(
        f"{header.game.in_locale(locale)} {header.name.in_locale(locale)} ({language}, {dated})",
        style="dim",
    )
    address = pack.url(section, locale) or pack.url(section, edition.language)
    if address:
        page.styled(Text(address, style="dim"))
    page.line(header.disclaimer.in_locale(locale), style="dim")
