"""pack.yaml: the document, its penalty ladder, its chapters and the rules on every ruling."""

import re
from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from bot.policy.condition import Frozen, Scope
from bot.policy.section import Force
from bot.policy.texts import (
    Address,
    Aliases,
    Code,
    Label,
    Links,
    Locale,
    Name,
    SectionId,
    Text,
    Whole,
    YesNo,
)


class Penalty(Frozen):
    """A rung of the penalty ladder."""

    code: Code
    severity: Whole = Field(ge=0)
    name: Name
    readings: tuple[Label, ...] = Field(min_length=1)
    short: Name
    section: SectionId
    effect: Text
    recorded: YesNo | None = Field(
        description="whether it is written down; null where the document does not say"
    )
    ends: Literal["nothing", "game", "match", "tournament"]
    deferred_to: Literal["next-game", "next-match"] | None = Field(
        default=None, description="to what it applies when there is nothing left to end"
    )
    turns: Whole | None = Field(default=None, gt=0, description="how many turns it lasts")
    turns_add_up: YesNo = False
    cancels_if_all_get_it: YesNo = Field(
        default=False,
        description="recorded but not carried out when all players get the same at once",
    )
    keeps_prizes: YesNo | None = Field(
        default=None, description="whether prizes already won stay with the player"
    )


class RepeatRule(Frozen):
    """How a repeated infraction of the same kind is treated."""

    section: SectionId
    force: Force
    threshold: Whole | None = Field(
        ge=2, description="from which occurrence on; null where the document names none"
    )
    levels: Whole | None = Field(
        ge=1, description="by how many rungs, each time anew; null where the judge decides"
    )
    cap: Code | None = Field(description="heaviest penalty the rule can lead to; null for none")
    scope: Scope
    exempt: tuple[SectionId, ...] = ()

    @model_validator(mode="after")
    def _is_whole(self) -> "RepeatRule":
        if (self.threshold is None) != (self.levels is None) or (
            self.threshold is None and self.force == "must"
        ):
            raise PydanticCustomError("half_rule", "threshold and levels go together")
        return self


class Chapter(Frozen):
    """A chapter of the document."""

    number: Annotated[str, Field(pattern=r"^[0-9]+$|^[A-Z]$")]
    name: Name
    section: SectionId | None = Field(
        default=None, description="the section with the chapter's introduction"
    )
    page: str | None = Field(default=None, description="its page in the document's addresses")
    often_asked: tuple[SectionId, ...] = Field(
        default=(), description="its sections that people ask about most, the first most of all"
    )
    repeat: RepeatRule | None = None


def _iso_date(value: object) -> object:
    if value is not None and not (
        isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value)
    ):
        raise PydanticCustomError("not_date", "not a date")
    return value


class Edition(Frozen):
    """One language's edition of the document."""

    language: Locale
    date: Annotated[
        date | None,
        BeforeValidator(_iso_date),
        Field(description="date of the text; null where it bears none"),
    ]
    text: Text
    url: Address | None = None


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
    over_minutes: Whole = Field(ge=0)
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
    site: Annotated[str, Field(pattern=r"^(https?://[^\s{}<>]+)?$")] = Field(
        default="", description="the publisher's site; fills {site} in the addresses of this file"
    )
    section_url: Links = Field(
        default=Links(),
        description="address of a section; {site}, {page} and {number} are filled in",
    )
    disclaimer: Text
    ladder: tuple[Penalty, ...] = Field(min_length=1, description="lightest first")
    chapters: tuple[Chapter, ...] = Field(min_length=1)
    repeat: RepeatRule | None = Field(
        default=None, description="the repeat rule of every chapter without its own"
    )
    handling: Handling = Handling()
    facts: dict[Code, Fact] = Field(default={})
    documents: tuple[OtherDocument, ...] = ()
    known_gaps: tuple[Text, ...] = ()
    sections: tuple[SectionId, ...] = Field(
        min_length=1, description="every section, in the order of the document"
    )
