"""A section of a rules document: one infraction, penalty, procedure or general part."""

from typing import Annotated, Literal

from pydantic import Field

from bot.policy.condition import Condition, Frozen
from bot.policy.texts import Aliases, Code, Label, Name, Passage, SectionId, Text, YesNo

Direction = Literal["upgrade", "downgrade"]
Force = Literal["must", "recommended", "may"]
Timing = Literal["now", "next-game", "next-round", "end-of-draft"]
Person = Literal["player", "opponent", "both-players", "spectator", "advised-player", "supporter"]


class Adjustment(Frozen):
    """A case in which the penalty is raised or lowered."""

    direction: Direction
    to: Code | None = Field(
        description="the resulting penalty; null where the document leaves it to the judge"
    )
    force: Force
    added: YesNo = Field(
        default=False, description="a further penalty on top, not a heavier one in its place"
    )
    condition: Condition
    head_judge: YesNo = Field(
        default=False, description="the document gives this decision to the Head Judge"
    )
    text: Text
    procedure: tuple[Passage, ...] = Field(
        default=(), description="what is done in this case on top of the procedure"
    )


Action = Literal["drop", "no-penalty"]


class Outcome(Frozen):
    """What happens to someone else, or to the player beyond the penalty."""

    who: Person
    penalty: Code | None = None
    action: Action | None = Field(default=None, description="what is done instead of a penalty")
    under: SectionId | None = Field(
        default=None, description="the infraction the penalty is given for, if another one"
    )
    timing: Timing = "now"
    instead: YesNo = Field(
        default=False,
        description="takes the place of the section's penalty rather than adding to it",
    )
    condition: Condition | None = None
    text: Text


class Reference(Frozen):
    """A pointer to another section, or to a section of another document."""

    to: SectionId | None = Field(
        default=None,
        description="section of this pack; for another document's section, the one with its penalty",
    )
    document: Code | None = Field(
        default=None, description="code of another document declared in pack.yaml"
    )
    number: str | None = Field(default=None, description="section number in that document")
    mark: str | None = Field(default=None, description="how the source writes it: [6.2]")
    why: Text


class Note(Frozen):
    """A doubt a reader should know of; ``code`` names it: R rules, X references, M wording, Y, D others."""

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
    own_name: YesNo = Field(
        default=False, description="the document gives no name; this one is ours"
    )
    readings: tuple[Label, ...] = Field(
        min_length=1,
        description="the Japanese name in kana first, then readings of aliases in kanji",
    )
    aliases: Aliases = Aliases()
    penalty: Code | None = Field(
        default=None,
        description="base penalty of an infraction; of a penalty section, the penalty it describes",
    )
    subject: Person = Field(default="player", description="who the penalty hits")
    applies_when: Condition | None = Field(
        default=None,
        description="the facts that put a case under this section, where they are countable",
    )
    definition: Text | None = None
    details: tuple[Passage, ...] = ()
    examples: tuple[Passage, ...] = ()
    procedure: tuple[Passage, ...] = Field(default=(), description="steps in order")
    judgements: dict[Code, Text] = Field(
        default={}, description="yes/no questions that conditions of this section ask"
    )
    adjustments: tuple[Adjustment, ...] = ()
    if_both: Literal["upgrade", "judge", "never"] | None = Field(
        default=None,
        description="what holds when an upgrade and a downgrade both apply: the upgrade, whatever"
        " the judge decides, or never (their conditions exclude each other)",
    )
    outcomes: tuple[Outcome, ...] = ()
    philosophy: tuple[Passage, ...] = ()
    references: tuple[Reference, ...] = ()
    differences: tuple[Text, ...] = Field(default=(), description="where the editions disagree")
    notes: tuple[Note, ...] = ()
    missing: tuple[Missing, ...] = ()
    reconstructions: tuple[Reconstruction, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    table: Literal["quick-reference"] | None = Field(
        default=None, description="a table that is computed from the other sections and shown here"
    )

    @property
    def number(self) -> str:
        """The number as the document prints it: ``3.6.1``, ``1.A``; a part of 1.3 has 1.3."""
        return self.id.partition(":")[2].partition("/")[0].upper()

    @property
    def file_name(self) -> str:
        """The name of the section's file: ``1.3-restore.yaml``."""
        return self.id.partition(":")[2].replace("/", "-") + ".yaml"


def parent_id(section_id: str) -> str:
    """Return the id one level up: of ``fab:3.6.1``, ``fab:3.6``; it need not be a section's."""
    separator = "/" if "/" in section_id else "."
    return section_id.rpartition(separator)[0]
