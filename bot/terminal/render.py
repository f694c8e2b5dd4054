"""One section as a page of text. Pure: data and locale in, page out."""

from rich.text import Text

from bot.i18n import Texts
from bot.policy.header import RepeatRule
from bot.policy.pack import Pack
from bot.policy.section import Adjustment, Outcome, Reference, Section
from bot.policy.texts import Locale, Passage
from bot.terminal.page import Page
from bot.terminal.wording import add_table, penalty_words, rung_style


def section_page(
    pack: Pack, section: Section, locale: Locale, texts: Texts, width: int, *, whole: bool
) -> Text:
    """Return the answer for one section; ``whole`` adds details, examples, references and editions.

    What a judge needs at the table comes first: penalty, when it changes, what to do.
    """
    page = Page(width)
    chapter = pack.chapter_of(section)
    short = pack.header.short.in_locale(locale)
    page.line(f"{short} › {chapter.number} {chapter.name.in_locale(locale)}", style="dim")
    other = section.name.en if locale == "ja" else section.name.ja
    page.line(f"{section.number} {section.name.in_locale(locale)} / {other}", style="bold")
    page.rule()
    _penalty(page, pack, section, locale, texts)
    _gaps(page, section, locale, texts)
    if section.definition:
        page.heading(texts("section.definition"))
        page.line(section.definition.in_locale(locale))
    if whole or section.kind != "infraction":
        _passages(page, section.details, locale, texts)
    _parts(page, pack, section, locale, texts)
    if section.table:
        add_table(page, pack, locale, texts)
    _adjustments(page, pack, section, locale, texts)
    _outcomes(page, pack, section.outcomes, locale, texts)
    _numbered(page, texts("section.procedure"), section.procedure, locale, texts)
    if section.notes:
        page.heading(texts("section.notes"))
        for note in section.notes:
            page.line(note.text.in_locale(locale), mark="! ")
    _conflicts(page, pack, section, locale, texts)
    _listed(page, texts("section.philosophy"), section.philosophy, locale, texts)
    if whole:
        _listed(page, texts("section.examples"), section.examples, locale, texts)
    _references(page, pack, section, locale, texts, whole=whole)
    if whole and section.differences:
        page.heading(texts("section.differences"))
        for difference in section.differences:
            page.line(difference.in_locale(locale), mark="- ")
    _source(page, pack, section, locale, texts)
    return page.text()


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
    words = penalty_words(pack, section, locale, texts)
    if not words:
        return
    style = rung_style(pack, section.penalty) if section.penalty else ""
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
    repeat = texts(
        f"section.repeat_{rule.scope}", threshold=rule.threshold, levels=rule.levels, cap=cap
    )
    return repeat if rule.force == "must" else f"{repeat} {texts(f'force.{rule.force}')}"


def _gaps(page: Page, section: Section, locale: Locale, texts: Texts) -> None:
    if section.missing:
        page.heading(texts("section.missing"))
        for gap in section.missing:
            page.line(gap.text.in_locale(locale), mark="! ")
    if section.reconstructions:
        page.heading(texts("section.reconstructed"))
        for item in section.reconstructions:
            sure = texts(f"confidence.{item.confidence}")
            basis = texts("list.basis", sure=sure, basis=item.basis.in_locale(locale))
            page.line(item.text.in_locale(locale), mark="? ")
            page.line(basis, indent=2, style="dim")


def _adjustments(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    if not section.adjustments:
        return
    page.heading(texts("section.adjustments"))
    for item in section.adjustments:
        arrow = "▲" if item.direction == "upgrade" else "▼"
        page.line(
            _target(pack, item, locale, texts),
            mark=f"{arrow} ",
            style=rung_style(pack, item.to) if item.to else "bold",
        )
        page.line(item.text.in_locale(locale), indent=2)
        for step in item.procedure:
            page.line(_edition(step, locale, texts), indent=2, mark="- ")


def _target(pack: Pack, item: Adjustment, locale: Locale, texts: Texts) -> str:
    if item.added:
        return f"{texts('adjustment.added')} {texts(f'force.{item.force}')}"
    if item.to:
        target = pack.penalty(item.to).name.in_locale(locale)
    else:
        target = texts(f"adjustment.open_{item.direction}")
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
        if item.action:
            words.append(texts(f"outcome.{item.action}"))
        if item.timing != "now":
            words.append(texts(f"timing.{item.timing}"))
        if item.instead:
            words.append(texts("outcome.instead"))
        page.line(
            " / ".join(words),
            mark="- ",
            style=rung_style(pack, item.penalty) if item.penalty else "",
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


def _references(
    page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts, *, whole: bool
) -> None:
    """Add the references; in a short answer only those that explain a mark in the text."""
    shown = [item for item in section.references if whole or item.mark]
    if not shown:
        return
    page.heading(texts("section.references"))
    for item in shown:
        mark = f"{item.mark} " if item.mark else ""
        pointer = f"{mark}{_pointer(pack, item, locale)}"
        page.line(texts("list.pair", left=pointer, right=item.why.in_locale(locale)), mark="- ")


def _parts(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    """Add the sections below a group, a chapter's introduction or another section with parts."""
    parts = pack.parts_of(section)
    chapter = pack.chapter_of(section)
    if chapter.section == section.id:
        parts = tuple(
            other
            for other in pack.sections
            if other.id != section.id and pack.chapter_of(other) == chapter
        )
    if not parts:
        return
    page.heading(texts("section.parts"))
    for part in parts:
        words = penalty_words(pack, part, locale, texts)
        label = f"{part.number} {part.name.in_locale(locale)}"
        page.line(texts("list.pair", left=label, right=words) if words else label, mark="- ")


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


def _source(page: Page, pack: Pack, section: Section, locale: Locale, texts: Texts) -> None:
    page.gap()
    page.rule()
    header = pack.header
    edition = next(
        (item for item in header.editions if item.language == locale), header.editions[0]
    )
    dated = edition.date.isoformat() if edition.date else texts("edition.undated")
    language = texts(f"language.{edition.language}")
    title = f"{header.game.in_locale(locale)} {header.name.in_locale(locale)}"
    page.line(texts("list.edition", title=title, language=language, date=dated), style="dim")
    address = pack.url(section, locale) or pack.url(section, edition.language)
    if address:
        page.styled(Text(address, style="dim"))
    page.line(header.disclaimer.in_locale(locale), style="dim")
