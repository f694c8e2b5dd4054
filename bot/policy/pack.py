"""A whole rules document, and the library of all of them."""

from collections.abc import Iterator

from pydantic import Field

from bot.policy.condition import Frozen
from bot.policy.header import Chapter, PackHeader, Penalty
from bot.policy.section import Section, parent_id
from bot.policy.texts import Locale, Prose, SectionId


class Situations(Frozen):
    """How people at the table describe a section's case; feeds the search only."""

    section: SectionId
    ja: tuple[Prose, ...]
    en: tuple[Prose, ...]
    kana: tuple[Prose, ...] = Field(
        default=(), description="in kana alone, as typed without conversion"
    )


class OffTopic(Frozen):
    """off-topic.yaml: what people type that no rulebook answers; feeds the search only."""

    ja: tuple[Prose, ...]
    en: tuple[Prose, ...]


class Pack(Frozen):
    """A rules document with all its sections, in the document's order."""

    header: PackHeader
    sections: tuple[Section, ...]
    situations: tuple[Situations, ...] = ()

    def section(self, section_id: str) -> Section:
        """Return the section with this id. Raises KeyError."""
        for section in self.sections:
            if section.id == section_id:
                return section
        raise KeyError(section_id)

    def penalty(self, code: str) -> Penalty:
        """Return the rung of the ladder with this code. Raises KeyError."""
        for penalty in self.header.ladder:
            if penalty.code == code:
                return penalty
        raise KeyError(code)

    def asked_first(self, chapter: Chapter) -> Iterator[Section]:
        """Yield the infractions of a chapter, those that people ask about most first."""
        yield from map(self.section, chapter.often_asked)
        for section in self.sections:
            if (
                section.kind == "infraction"
                and self.chapter_of(section) == chapter
                and section.id not in chapter.often_asked
            ):
                yield section

    def chapter_of(self, section: Section) -> Chapter:
        """Return the chapter a section stands in. Raises KeyError."""
        head = section.number.partition(".")[0]
        for chapter in self.header.chapters:
            if chapter.number == head:
                return chapter
        raise KeyError(section.id)

    def parts_of(self, section: Section) -> tuple[Section, ...]:
        """Return the sections one level below: of 3.6, 3.6.1 and 3.6.2; of 1.3, its procedures."""
        return tuple(part for part in self.sections if parent_id(part.id) == section.id)

    def url(self, section: Section, locale: Locale) -> str | None:
        """Return the address of the official text of a section in ``locale``, if one is known."""
        pattern = getattr(self.header.section_url, locale)
        page = self.chapter_of(section).page
        if not (pattern and page):
            pattern = next((e.url for e in self.header.editions if e.language == locale), None)
        if not pattern:
            return None
        return str(pattern.format(site=self.header.site, page=page, number=section.number))


class Library(Frozen):
    """All packs, in order of their ids."""

    packs: tuple[Pack, ...]
    off_topic: OffTopic = OffTopic(ja=(), en=())

    def pack(self, pack_id: str) -> Pack:
        """Return the pack with this id. Raises KeyError."""
        for pack in self.packs:
            if pack.header.id == pack_id:
                return pack
        raise KeyError(pack_id)

    def section(self, section_id: str) -> Section:
        """Return the section with this id from whichever pack has it. Raises KeyError."""
        return self.pack(section_id.partition(":")[0]).section(section_id)
