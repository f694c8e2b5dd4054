"""The quick-reference table of a pack, computed from its sections."""

from dataclasses import dataclass

from bot.policy.header import Chapter
from bot.policy.pack import Pack
from bot.policy.section import Conflict, Section


@dataclass(frozen=True, slots=True)
class Row:
    """One infraction with its base penalty; ``conflict`` where a printed table says otherwise."""

    section: Section
    penalty: str | None
    conflict: Conflict | None


def quick_reference(pack: Pack) -> tuple[tuple[Chapter, tuple[Row, ...]], ...]:
    """Return the pack's infractions by chapter, in the document's order.

    Groups are left out: their parts have rows of their own. A penalty of None means that the source
    does not say it.
    """
    conflicts = {item.section: item for section in pack.sections for item in section.conflicts}
    rows: dict[str, list[Row]] = {}
    for section in pack.sections:
        if section.kind == "infraction":
            row = Row(section, section.penalty, conflicts.get(section.id))
            rows.setdefault(pack.chapter_of(section).number, []).append(row)
    return tuple(
        (chapter, tuple(rows[chapter.number]))
        for chapter in pack.header.chapters
        if chapter.number in rows
    )
