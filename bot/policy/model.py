"""The records of a pack: what a rules document says, in both languages, as frozen data."""

from datetime import date
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from bot import limits
from bot.policy.condition import Condition, Frozen, Scope

Locale: TypeAlias = Literal["ja", "en"]
LOCALES: tuple[Locale, ...] = ("ja", "en")

Code = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*([-_][a-z0-9]+)*$")]
"""A short machine name: ``game-loss``, ``minutes_late``."""
SectionId = Annotated[str, Field(pattern=r"^[a-z]+:[0-9A-Za-z]+(\.[0-9a-z]+)*(/[a-z-]+)?$")]
"""``fab:3.6.1``, ``fab:1.3/restore``, ``ygo:1.a``. Stable: it stands in messages people click on."""


def _clean(text: str) -> str:
    if text != text.strip():
        raise PydanticCustomError("outer_space", "spaces or line ends around a text")
    return text


Prose = Annotated[str, Field(min_length=1, max_length=limits.EMBED_FIELD_VALUE), AfterValidator(_clean)]
"""A passage that has to fit one field of a Discord embed."""
Label = Annotated[str, Field(min_length=1, max_length=limits.CHOICE_NAME), AfterValidator(_clean)]
"""A name that has to fit one choice of a Discord menu."""


class Name(Frozen):
    """A name in both languages."""

    ja: Label
    en: Label

    def in_locale(self, locale: Locale) -> str:
        """Return the name in ``locale``."""
        return self.ja if locale == "ja" else self.en


class Text(Frozen):
    """A passage in both languages."""

    ja: Prose
    en: Prose

    def in_locale(self, locale: Locale) -> str:
        """Return the passage in ``locale``."""
        return self.ja if locale == "ja" else self.en


class Passage(Text):
    """A passage that may stand in one edition only."""

    only: Locale | None = Field(default=None, description="language of the one edition that has this, if not all have it")


class Aliases(Frozen):
    """Other names, abbreviations and slang, per language."""

    ja: tuple[Label, ...] = ()
    en: tuple[Label, ...] = ()


class Links(Frozen):
    """Addresses of the official text, per language; absent where none is known."""

    ja: str | None = None
    en: str | None = None


Direction = Literal["upgrade", "downgrade"]
Force = Literal["must", "recommended", "may"]
Timing = Literal["now", "next-game", "next-round", "end-of-draft"]
Person = Literal["player", "opponent", "both-players", "spectator", "advised-player", "supporter"]


class Adjustment(Frozen):
    """A case in which the penalty is raised or lowered."""

    direction: Direction
    to: Code | None = Field(description="the resulting penalty; null where the document leaves it to the judge")
    force: Force
    condition: Condition
    head_judge: bool = Field(default=False, description="the document gives this decision to the Head Judge")
    text: Text
    procedure: tuple[Passage, ...] = Field(default=(), description="what is done in this case on top of the procedure")


class Outcome(Frozen):
    """What happens to someone else, or to the player beyond the penalty."""

    who: Person
    penalty: Code | None = None
    under: SectionId | None = Field(default=None, description="the infraction the penalty is given for, if another one")
    timing: Timing = "now"
    condition: Condition | None = None
    text: Text


class Reference(Frozen):
    """A pointer to another section, or to a section of another document."""

    to: SectionId | None = Field(default=None, description="section of this pack; for another document's section, the one with its penalty")
    document: Code | None = Field(default=None, description="code of another document declared in pack.yaml")
    number: str | None = Field(default=None, description="section number in that document")
    mark: str | None = Field(default=None, description="how the source writes it: [6.2]")
    why: Text


class Note(Frozen):
    """A doubt a reader should know of, with the code of the decision behind it."""

    code: Annotated[str, Field(pattern=r"^[A-Z][0-9]{2}$")]
    text: Text


class Missing(Frozen):
    """What the source at hand does not say."""

    what: Literal["definition", "penalty", "effect", "heading", "body", "clause"]
    text: Text


class Reconstruction(Frozen):
    """What another copy of the document says, and how sure it is that it still holds."""

    text: Text
    basis: Text
    confidence: Literal["high", "medium", "low"]


class Conflict(Frozen):
    """A row of a printed summary that disagrees with the section itself."""

    section: SectionId
    name: Name
    penalty: Code
    text: Text


Kind = Literal["infraction", "group", "penalty", "procedure", "general"]


class Section(Frozen):
    """One section of a rules document."""

    id: SectionId
    kind: Kind
    name: Name
    own_name: bool = Field(default=False, description="the document gives no name; this one is ours")
    readings: tuple[Label, ...] = Field(min_length=1, description="the Japanese name in kana first, then readings of aliases in kanji")
    aliases: Aliases = Aliases()
    penalty: Code | None = Field(default=None, description="base penalty of an infraction; of a penalty section, the penalty it describes")
    subject: Person = Field(default="player", description="who the penalty hits")
    applies_when: Condition | None = Field(default=None, description="the facts that put a case under this section, where they are countable")
    definition: Text | None = None
    details: tuple[Passage, ...] = ()
    examples: tuple[Passage, ...] = ()
    procedure: tuple[Passage, ...] = Field(default=(), description="steps in order")
    judgements: dict[Code, Text] = Field(default={}, description="yes/no questions that conditions of this section ask")
    adjustments: tuple[Adjustment, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    philosophy: tuple[Passage, ...] = ()
    references: tuple[Reference, ...] = ()
    differences: tuple[Text, ...] = Field(default=(), description="where the editions disagree")
    notes: tuple[Note, ...] = ()
    missing: tuple[Missing, ...] = ()
    reconstructions: tuple[Reconstruction, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def number(self) -> str:
        """The number as the document prints it: ``3.6.1``, ``1.A``; a part of 1.3 has 1.3."""
        return self.id.partition(":")[2].partition("/")[0].upper()

    @property
    def file_name(self) -> str:
        """The name of the section's file: ``1.3-restore.yaml``."""
        return self.id.partition(":")[2].replace("/", "-") + ".yaml"


class Penalty(Frozen):
    """A rung of the penalty ladder."""

    code: Code
    severity: int = Field(ge=0)
    name: Name
    readings: tuple[Label, ...] = Field(min_length=1)
    short: Name
    section: SectionId
    effect: Text
    recorded: bool | None = Field(description="whether it is written down; null where the document does not say")
    ends: Literal["nothing", "game", "match", "tournament"]
    deferred_to: Literal["next-game", "next-match"] | None = Field(default=None, description="to what it applies when there is nothing left to end")
    turns: int | None = Field(default=None, gt=0, description="how many turns it lasts")
    turns_add_up: bool = False
    cancels_if_all_get_it: bool = Field(default=False, description="recorded but not carried out when all players get the same at once")
    keeps_prizes: bool | None = Field(default=None, description="whether prizes already won stay with the player")


class RepeatRule(Frozen):
    """How a repeated infraction of the same kind is treated."""

    section: SectionId
    force: Force
    threshold: int | None = Field(description="from which occurrence on; null where the document names none")
    levels: int | None = Field(description="by how many rungs, each time anew; null where the judge decides")
    cap: Code | None = Field(description="heaviest penalty the rule can lead to; null for none")
    scope: Scope
    exempt: tuple[SectionId, ...] = ()


class Chapter(Frozen):
    """A chapter of the document."""

    number: Annotated[str, Field(pattern=r"^[0-9]+$|^[A-Z]$")]
    name: Name
    section: SectionId | None = Field(default=None, description="the section with the chapter's introduction")
    page: str | None = Field(default=None, description="its page in the document's addresses")
    repeat: RepeatRule | None = None


class Edition(Frozen):
    """One language's edition of the document."""

    language: Locale
    date: Annotated[date | None, Field(description="date of the text; null where it bears none")]
    text: Text
    url: str | None = None


class Choice(Frozen):
    """One value of a fact."""

    code: Code
    name: Name


class Fact(Frozen):
    """Something about a case that can be counted or chosen."""

    kind: Literal["number", "choice"]
    unit: Name | None = None
    ask: Text
    choices: tuple[Choice, ...] = ()


class OtherSection(Frozen):
    """A section of another document that this one points to."""

    number: str
    name: Name
    page: str | None = None


class OtherDocument(Frozen):
    """Another document that this one points to."""

    code: Code
    name: Name
    short: str
    url: Links = Links()
    sections: tuple[OtherSection, ...] = ()


class Confirmation(Frozen):
    """From which penalty on the Head Judge is asked first."""

    section: SectionId
    at_least: Code
    exempt: tuple[SectionId, ...] = ()


class RelatedInfractions(Frozen):
    """How several infractions from one mistake are treated."""

    section: SectionId
    penalty: Literal["heaviest-only"]
    procedures: Literal["each"]


class TimeExtension(Frozen):
    """When a ruling gives the table more time."""

    section: SectionId
    over_minutes: int
    rounding: Literal["up"]


class Handling(Frozen):
    """Rules on every ruling, whichever the infraction."""

    confirmation: Confirmation | None = None
    related: RelatedInfractions | None = None
    time_extension: TimeExtension | None = None


class PackHeader(Frozen):
    """pack.yaml: everything about the document but its sections."""

    id: Annotated[str, Field(pattern=r"^[a-z]+$")]
    game: Name
    name: Name
    short: Name
    aliases: Aliases = Aliases()
    publisher: str
    editions: tuple[Edition, ...] = Field(min_length=1)
    site: str = Field(default="", description="the publisher's site; fills {site} in the addresses of this file")
    section_url: Links = Field(default=Links(), description="address of a section; {site}, {page} and {number} are filled in")
    disclaimer: Text
    ladder: tuple[Penalty, ...] = Field(min_length=1, description="lightest first")
    chapters: tuple[Chapter, ...] = Field(min_length=1)
    repeat: RepeatRule | None = Field(default=None, description="the repeat rule of every chapter without its own")
    handling: Handling = Handling()
    facts: dict[Code, Fact] = {}
    documents: tuple[OtherDocument, ...] = ()
    known_gaps: tuple[Text, ...] = ()
    sections: tuple[SectionId, ...] = Field(min_length=1, description="every section, in the order of the document")


class Situations(Frozen):
    """How people at the table describe a section's case; feeds the search only."""

    section: SectionId
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

    def pack(self, pack_id: str) -> Pack:
        """Return the pack with this id. Raises KeyError."""
        for pack in self.packs:
            if pack.header.id == pack_id:
                return pack
        raise KeyError(pack_id)

    def section(self, section_id: str) -> Section:
        """Return the section with this id from whichever pack has it. Raises KeyError."""
        return self.pack(section_id.partition(":")[0]).section(section_id)


def parent_id(section_id: str) -> str:
    """Return the id one level up: of ``fab:3.6.1``, ``fab:3.6``; it need not be a section's."""
    separator = "/" if "/" in section_id else "."
    return section_id.rpartition(separator)[0]
