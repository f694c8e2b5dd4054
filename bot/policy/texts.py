"""The pieces every record is made of: names and passages in both languages, ids and codes."""

import re
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from bot import limits
from bot.policy.condition import Frozen

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


Prose = Annotated[
    str, Field(min_length=1, max_length=limits.EMBED_FIELD_VALUE), AfterValidator(_clean)
]
"""A passage that has to fit one field of a Discord embed."""
Label = Annotated[str, Field(min_length=1, max_length=limits.CHOICE_NAME), AfterValidator(_clean)]
"""A name that has to fit one choice of a Discord menu."""


Whole = Annotated[int, Field(strict=True)]
"""A whole number, not a text that looks like one."""
YesNo = Annotated[bool, Field(strict=True)]


def _template(address: str) -> str:
    if re.sub(r"\{(?:site|page|number)\}", "", address).count("{") or not re.match(
        r"(?:https?://|\{site\})[^\s{}<>]|\{site\}$", address
    ):
        raise PydanticCustomError("bad_address", "not an address")
    return address


Address = Annotated[str, AfterValidator(_template)]
"""An http address in which only {site}, {page} and {number} are filled in."""


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

    only: Locale | None = Field(
        default=None, description="language of the one edition that has this, if not all have it"
    )


class Aliases(Frozen):
    """Other names, abbreviations and slang, per language."""

    ja: tuple[Label, ...] = ()
    en: tuple[Label, ...] = ()


class Links(Frozen):
    """Addresses of the official text, per language; absent where none is known."""

    ja: Address | None = None
    en: Address | None = None
