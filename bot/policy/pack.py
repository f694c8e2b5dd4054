"""A whole rules document, and the library of all of them."""

from collections.abc import Iterator
from functools import cached_property

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

    @cached_property
    def _by_id(self) -> dict[str, Section]:
        return {section.id: section for section in self.sections}

    @cached_property
    def _chapters(self) -> dict[str, Chapter]:
        return {chapter.number: chapter for chapter in self.header.chapters}

    @cached_property
    def _parts(self) -> dict[str, tuple[Section, ...]]:
        held: dict[str, list[Section]] = {}
        for section in self.sections:
            held.setdefault(parent_id(section.id), []).append(section)
        return {above: tuple(parts) for above, parts in held.items()}

    @cached_property
    def _by_chapter(self) -> dict[str, tuple[Section, ...]]:
        held: dict[str, list[Section]] = {chapter.number: [] for chapter in self.header.chapters}
        for section_id in self.header.sections:
            section = self.section(section_id)
            if "/" not in section.id:
                held[self.chapter_of(section).number].append(section)
        return {number: tuple(sections) for number, sections in held.items()}

    def sections_of(self, chapter: Chapter) -> tuple[Section, ...]:
        """Return the sections of a chapter, without the parts of sections."""
        return self._by_chapter[chapter.number]

    def section(self, section_id: str) -> Section:
        """Return the section with this id. Raises KeyError."""
        return self._by_id[section_id]

    def penalty(self, code: str) -> Penalty:
        """Return the rung of the ladder with this code. Raises KeyError."""
        for penalty in self.header.ladder:
            if penalty.code == code:
                return penalty
        raise KeyError(code)

    def asked_first(self) -> Iterator[tuple[Section, ...]]:
        """Yield the infractions of each chapter, those that people ask about most first."""
        for chapter in self.header.chapters:
            often = tuple(map(self.section, chapter.often_asked))
            others = (s for s in self.sections_of(chapter) if s.kind == "infraction")
            yield (*often, *(s for s in others if s.id not in chapter.often_asked))

    def chapter_of(self, section: Section) -> Chapter:
        """Return the chapter a section stands in. Raises KeyError."""
        return self._chapters[section.number.partition(".")[0]]

    def parts_of(self, section: Section) -> tuple[Section, ...]:
        """Return the sections one level below: of 3.6, 3.6.1 and 3.6.2; of 1.3, its procedures."""
        return self._parts.get(section.id, ())

    def above(self, section: Section) -> Section | None:
        """Return the section that ``section`` is a part of, if there is one."""
        return self._by_id.get(parent_id(section.id))

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

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all sections."""
        return frozenset(section.id for pack in self.packs for section in pack.sections)

    def pack(self, pack_id: str) -> Pack:
        """Return the pack with this id. Raises KeyError."""
        for pack in self.packs:
            if pack.header.id == pack_id:
                return pack
        raise KeyError(pack_id)

    def section(self, section_id: str) -> Section:
        """Return the section with this id from whichever pack has it. Raises KeyError."""
        return self.pack(section_id.partition(":")[0]).section(section_id)
