"""One section as headings and lines, before anything is drawn: what every place shows alike. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.i18n import Texts
from bot.policy.header import Edition, RepeatRule
from bot.policy.pack import Pack
from bot.policy.section import Adjustment, Outcome, Reference, Section
from bot.policy.tables import quick_reference
from bot.policy.texts import Locale, Passage

Part = Literal[
    "missing",
    "reconstructed",
    "definition",
    "details",
    "parts",
    "table",
    "adjustments",
    "outcomes",
    "procedure",
    "notes",
    "conflict",
    "philosophy",
    "examples",
    "references",
    "differences",
]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a block. ``mark`` stands in front; ``level`` 1 belongs to the line above."""

    text: str
    mark: str = ""
    level: int = 0
    penalty: str | None = None
    """The rung of the ladder the line speaks of."""
    strong: bool = False
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, if it has one, and the lines below it."""

    part: Part
    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Where an answer comes from."""

    title: str
    address: str | None
    disclaimer: str


def chapter_words(pack: Pack, section: Section, locale: Locale) -> str:
    """Return document and chapter of a section."""
    chapter = pack.chapter_of(section)
    short = pack.header.short.in_locale(locale)
    return f"{short} › {chapter.number} {chapter.name.in_locale(locale)}"


def label(section: Section, locale: Locale) -> str:
    """Return number and name of a section."""
    return f"{section.number} {section.name.in_locale(locale)}"


def title(section: Section, locale: Locale) -> str:
    """Return number and name of a section, the name in the other language behind it."""
    other = section.name.en if locale == "ja" else section.name.ja
    return f"{label(section, locale)} / {other}"


def penalty_words(pack: Pack, section: Section, locale: Locale, texts: Texts) -> str:
    """Return a section's penalty in words; of a group, the lightest to the heaviest of its parts."""
    if section.penalty:
        return pack.penalty(section.penalty).name.in_locale(locale)
    parts = {part.penalty for part in pack.parts_of(section) if part.penalty}
    if section.kind == "group" and parts:
        rungs = [penalty for penalty in pack.header.ladder if penalty.code in parts]
        return " / ".join(penalty.name.in_locale(locale) for penalty in rungs)
    return texts("section.penalty_missing") if section.kind == "infraction" else ""


def ladder_words(pack: Pack, section: Section, locale: Locale) -> str:
    """Return the rungs of the ladder from the lightest on, the section's own in brackets."""
    rungs = (
        f"【{penalty.short.in_locale(locale)}】"
        if penalty.code == section.penalty
        else penalty.short.in_locale(locale)
        for penalty in pack.header.ladder
    )
    return " < ".join(rungs)


def penalty_notes(pack: Pack, section: Section, locale: Locale, texts: Texts) -> Iterator[str]:
    """Yield whom the penalty hits, whether it needs confirmation, and what repeats bring."""
    if section.subject != "player":
        yield texts(f"who.{section.subject}")
    if section.kind == "infraction":
        yield from filter(None, (_confirmation(pack, section, locale, texts),))
        yield from filter(None, (_repeat(pack, section, locale, texts),))


def blocks(pack: Pack, section: Section, locale: Locale, texts: Texts) -> Iterator[Block]:
    """Yield everything a section says, in the order a judge needs it at the table."""
    found: tuple[tuple[Part, Iterable[Line]], ...] = (
        ("missing", (Line(gap.text.in_locale(locale), "! ") for gap in section.missing)),
        ("reconstructed", _reconstructions(section, locale, texts)),
        ("definition", _definition(section, locale)),
        ("details", _passages(section.details, locale, texts)),
        ("parts", _parts(pack, section, locale, texts)),
        ("table", table(pack, locale, texts) if section.table else ()),
        ("adjustments", _adjustments(pack, section, locale, texts)),
        ("outcomes", (line for o in section.outcomes for line in _outcome(pack, o, locale, texts))),
        ("procedure", _steps(section.procedure, locale, texts)),
        ("notes", (Line(note.text.in_locale(locale), "! ") for note in section.notes)),
        ("conflict", _conflicts(pack, section, locale)),
        ("philosophy", _passages(section.philosophy, locale, texts)),
        ("examples", _passages(section.examples, locale, texts)),
        ("references", _references(pack, section.references, locale, texts)),
        ("differences", (Line(d.in_locale(locale), "- ") for d in section.differences)),
    )
    for part, lines in found:
        held = tuple(lines)
        if held:
            yield Block(part, texts(f"section.{part}"), held)


def table(pack: Pack, locale: Locale, texts: Texts) -> Iterator[Line]:
    """Yield the quick-reference table of a pack, chapter by chapter."""
    for chapter, rows in quick_reference(pack):
        yield Line(f"{chapter.number} {chapter.name.in_locale(locale)}", strong=True)
        for row in rows:
            words = penalty_words(pack, row.section, locale, texts)
            pair = texts("list.pair", left=label(row.section, locale), right=words)
            yield Line(pair, "- ", penalty=row.penalty, faint=row.penalty is None)
            if row.conflict:
                printed = pack.penalty(row.conflict.penalty).name.in_locale(locale)
                name = row.conflict.name.in_locale(locale)
                yield Line(texts("table.conflict", name=name, penalty=printed), "! ", level=1)


def ladder(pack: Pack, locale: Locale) -> Iterator[Line]:
    """Yield every rung of the ladder of a pack with what it does."""
    for penalty in pack.header.ladder:
        name = f"{penalty.severity} {penalty.name.in_locale(locale)}"
        yield Line(name, penalty=penalty.code, strong=True)
        yield Line(penalty.effect.in_locale(locale), level=1)


def source(pack: Pack, section: Section, locale: Locale, texts: Texts) -> Source:
    """Return document, edition and address of a section."""
    header, edition = pack.header, edition_of(pack, locale)
    dated = edition.date.isoformat() if edition.date else texts("edition.undated")
    language = texts(f"language.{edition.language}")
    document = f"{header.game.in_locale(locale)} {header.name.in_locale(locale)}"
    return Source(
        title=texts("list.edition", title=document, language=language, date=dated),
        address=pack.url(section, locale) or pack.url(section, edition.language),
        disclaimer=header.disclaimer.in_locale(locale),
    )


def edition_of(pack: Pack, locale: Locale) -> Edition:
    """Return the edition in ``locale``, or the first one of those there are."""
    editions = pack.header.editions
    return next((item for item in editions if item.language == locale), editions[0])


def _definition(section: Section, locale: Locale) -> Iterator[Line]:
    if section.definition:
        yield Line(section.definition.in_locale(locale))


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


def _reconstructions(section: Section, locale: Locale, texts: Texts) -> Iterator[Line]:
    for item in section.reconstructions:
        sure = texts(f"confidence.{item.confidence}")
        basis = texts("list.basis", sure=sure, basis=item.basis.in_locale(locale))
        yield Line(item.text.in_locale(locale), "? ")
        yield Line(basis, level=1, faint=True)


def _adjustments(pack: Pack, section: Section, locale: Locale, texts: Texts) -> Iterator[Line]:
    for item in section.adjustments:
        arrow = "▲ " if item.direction == "upgrade" else "▼ "
        yield Line(_target(pack, item, locale, texts), arrow, penalty=item.to, strong=True)
        yield Line(item.text.in_locale(locale), level=1)
        for step in item.procedure:
            yield Line(_edition(step, locale, texts), "- ", level=1)


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


def _outcome(pack: Pack, item: Outcome, locale: Locale, texts: Texts) -> Iterator[Line]:
    words = [texts(f"who.{item.who}")]
    if item.penalty:
        words.append(pack.penalty(item.penalty).name.in_locale(locale))
    if item.action:
        words.append(texts(f"outcome.{item.action}"))
    if item.timing != "now":
        words.append(texts(f"timing.{item.timing}"))
    if item.instead:
        words.append(texts("outcome.instead"))
    yield Line(" / ".join(words), "- ", penalty=item.penalty)
    yield Line(item.text.in_locale(locale), level=1)


def _edition(passage: Passage, locale: Locale, texts: Texts) -> str:
    words = passage.in_locale(locale)
    return f"{words} {texts(f'edition.only_{passage.only}')}" if passage.only else words


def _passages(passages: Sequence[Passage], locale: Locale, texts: Texts) -> Iterator[Line]:
    for passage in passages:
        yield Line(_edition(passage, locale, texts), "- ")


def _steps(passages: Sequence[Passage], locale: Locale, texts: Texts) -> Iterator[Line]:
    for place, passage in enumerate(passages, 1):
        yield Line(_edition(passage, locale, texts), f"{place}. ")


def _references(
    pack: Pack, references: Sequence[Reference], locale: Locale, texts: Texts
) -> Iterator[Line]:
    for item in references:
        mark = f"{item.mark} " if item.mark else ""
        pointer = f"{mark}{_pointer(pack, item, locale)}"
        pair = texts("list.pair", left=pointer, right=item.why.in_locale(locale))
        yield Line(pair, "- ", strong=bool(item.mark))


def _parts(pack: Pack, section: Section, locale: Locale, texts: Texts) -> Iterator[Line]:
    """Yield the sections below a group, a chapter's introduction or another section with parts."""
    parts = pack.parts_of(section)
    chapter = pack.chapter_of(section)
    if chapter.section == section.id:
        parts = tuple(
            other
            for other in pack.sections
            if other.id != section.id and pack.chapter_of(other) == chapter
        )
    for part in parts:
        words = penalty_words(pack, part, locale, texts)
        name = label(part, locale)
        yield Line(texts("list.pair", left=name, right=words) if words else name, "- ")


def _pointer(pack: Pack, item: Reference, locale: Locale) -> str:
    words = []
    if item.document:
        other = next(other for other in pack.header.documents if other.code == item.document)
        words.append(
            f"{other.short} {item.number}" if item.number else other.name.in_locale(locale)
        )
    if item.to:
        words.append(label(pack.section(item.to), locale))
    return " → ".join(words)


def _conflicts(pack: Pack, section: Section, locale: Locale) -> Iterator[Line]:
    for other in pack.sections:
        for item in other.conflicts:
            if section.id in (other.id, item.section):
                yield Line(item.text.in_locale(locale), "! ")
