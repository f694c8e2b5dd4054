"""When an adjustment applies: known facts and yes/no judgements, joined by all, any and not.

A condition is data. A person reads the text beside it; a program evaluates it.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
)

Scope = Literal["day", "tournament", "unstated"]
Operator = Literal["<", "<=", "==", "!=", ">=", ">"]


class Frozen(BaseModel):
    """A record of a data file: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class FactTest(Frozen):
    """A fact of the case compared with a value: ``minutes_late > 10``."""

    fact: str = Field(description="code of a fact declared in pack.yaml")
    op: Operator
    value: StrictBool | StrictInt | StrictStr
    scope: Scope | None = Field(
        default=None, description="over which time a count runs, when it is not the chapter's rule"
    )

    def __str__(self) -> str:
        scope = f" in {self.scope}" if self.scope else ""
        return f"{self.fact} {self.op} {self.value}{scope}"


class JudgementTest(Frozen):
    """A yes/no judgement by the judge, answered yes."""

    judgement: str = Field(description="code of a judgement declared in this section")

    def __str__(self) -> str:
        return self.judgement


class All(Frozen):
    """Every part holds."""

    all: tuple["Condition", ...] = Field(min_length=2)

    def __str__(self) -> str:
        return f"all({', '.join(map(str, self.all))})"


class AnyOf(Frozen):
    """At least one part holds."""

    any: tuple["Condition", ...] = Field(min_length=2)

    def __str__(self) -> str:
        return f"any({', '.join(map(str, self.any))})"


class Not(Frozen):
    """The part does not hold."""

    negated: "Condition" = Field(alias="not")

    def __str__(self) -> str:
        return f"not({self.negated})"


_KINDS = {"fact": FactTest, "judgement": JudgementTest, "all": All, "any": AnyOf, "not": Not}


def _kind(value: Any) -> str | None:
    if isinstance(value, dict):
        return next((key for key in _KINDS if key in value), None)
    return next((key for key, model in _KINDS.items() if isinstance(value, model)), None)


Condition = Annotated[
    Annotated[FactTest, Tag("fact")]
    | Annotated[JudgementTest, Tag("judgement")]
    | Annotated[All, Tag("all")]
    | Annotated[AnyOf, Tag("any")]
    | Annotated[Not, Tag("not")],
    Discriminator(
        _kind,
        custom_error_type="condition_kind",
        custom_error_message="a condition needs one of fact, judgement, all, any, not",
    ),
]
"""A test, or tests joined by all, any and not. ``str()`` writes it in one line."""


def single_tests(condition: Condition) -> Iterator[FactTest | JudgementTest]:
    """Yield every single test in ``condition``, in order."""
    match condition:
        case All(all=parts) | AnyOf(any=parts):
            for part in parts:
                yield from single_tests(part)
        case Not(negated=part):
            yield from single_tests(part)
        case FactTest() | JudgementTest():
            yield condition


for _model in (All, AnyOf, Not):
    _model.model_rebuild()
