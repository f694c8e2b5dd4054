"""Checks of one section against its pack: references, codes, conditions, sides of adjustments."""

from collections.abc import Iterator

from bot import text
from bot.policy.condition import All, AnyOf, Condition, FactTest, JudgementTest, single_tests
from bot.policy.draft import (
    KANA,
    Draft,
    Record,
    Vocabulary,
    dangling,
    listing,
    name_problems,
    repeated,
    text_problems,
    unknown_codes,
)
from bot.policy.section import Section
from bot.yamlsource import Document, KeyPath, Problem


def section_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong with one section, seen with the rest of its pack."""
    section, document = record.value, record.document
    if section.file_name != document.file.name:
        yield document.problem(("id",), "file_name", expected=section.file_name)
    if not section.id.startswith(draft.pack_id + ":"):
        yield document.problem(("id",), "foreign_id", prefix=draft.pack_id + ":")
    for index, reading in enumerate(section.readings):
        if not KANA.fullmatch(reading):
            yield document.problem(("readings", index), "not_kana")
    yield from text_problems(section, document)
    yield from name_problems(section.name, document, ("name",))
    yield from _shape_problems(record, draft)
    yield from _reference_problems(record, draft)
    yield from _condition_problems(record, draft)
    if draft.words:
        yield from _penalty_problems(record, draft.words)


def _shape_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    section, document = record.value, record.document
    lost = {gap.what for gap in section.missing}
    if section.kind == "infraction" and section.penalty is None and "penalty" not in lost:
        yield document.problem(("penalty",), "no_penalty")
    if section.penalty is not None and "penalty" in lost:
        yield document.problem(("penalty",), "lost_penalty")
    if section.kind in ("general", "group", "procedure") and section.penalty is not None:
        yield document.problem(("penalty",), "stray_penalty", kind=section.kind)
    if section.definition is None and not lost & {"definition", "body", "effect"}:
        yield document.problem(("definition",), "no_definition")
    if section.kind == "group" and section.id not in draft.parents:
        yield document.problem(("kind",), "no_parts")


def _reference_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    section, document = record.value, record.document
    pointers: list[tuple[KeyPath, str | None]] = [
        *((("references", i, "to"), item.to) for i, item in enumerate(section.references)),
        *((("outcomes", i, "under"), item.under) for i, item in enumerate(section.outcomes)),
        *((("conflicts", i, "section"), item.section) for i, item in enumerate(section.conflicts)),
    ]
    yield from dangling(pointers, document, draft)
    yield from _outcome_problems(record, draft)
    documents = draft.words.documents if draft.words else None
    for index, item in enumerate(section.references):
        path: KeyPath = ("references", index)
        if item.to == section.id and item.document is None:
            yield document.problem((*path, "to"), "points_to_itself")
        if item.to is None and item.document is None:
            yield document.problem(path, "points_nowhere")
        if item.document is None:
            if item.number is not None:
                yield document.problem((*path, "number"), "number_of_nothing")
        elif documents is not None and item.document not in documents:
            known = listing(documents)
            yield document.problem((*path, "document"), "unknown_document", known=known)
        elif documents is not None and item.number and item.number not in documents[item.document]:
            yield document.problem((*path, "number"), "unknown_number", document=item.document)


def _outcome_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    section, document = record.value, record.document
    for index, outcome in enumerate(section.outcomes):
        if outcome.under and draft.kinds.get(outcome.under, "infraction") != "infraction":
            yield document.problem(("outcomes", index, "under"), "no_infraction", id=outcome.under)
        if (outcome.penalty is None) == (outcome.action is None):
            yield document.problem(("outcomes", index), "penalty_or_action")
        if outcome.instead and outcome.penalty is None:
            yield document.problem(("outcomes", index, "instead"), "instead_of_nothing")


def _condition_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    section, document = record.value, record.document
    places: list[tuple[KeyPath, Condition | None]] = [
        *(
            (("adjustments", i, "condition"), x.condition)
            for i, x in enumerate(section.adjustments)
        ),
        *((("outcomes", i, "condition"), x.condition) for i, x in enumerate(section.outcomes)),
        (("applies_when",), section.applies_when),
    ]
    asked = set()
    for path, condition in places:
        if isinstance(condition, All | AnyOf):
            for _, same in repeated(map(str, single_tests(condition))):
                yield document.problem(path, "repeated_test", test=same)
        for test in single_tests(condition) if condition else ():
            if isinstance(test, JudgementTest):
                asked.add(test.judgement)
                if test.judgement not in section.judgements:
                    known = listing(section.judgements)
                    yield document.problem(
                        path, "unknown_judgement", code=test.judgement, known=known
                    )
            elif draft.words:
                yield from _fact_problems(test, draft.words, document, path)
    unknown = asked - section.judgements.keys()
    for code in section.judgements:
        # With a misspelt name about, the unused one is most likely meant by it.
        if code not in asked and not unknown:
            yield document.problem(("judgements", code), "unused_judgement")


def _fact_problems(
    test: FactTest, words: Vocabulary, document: Document, path: KeyPath
) -> Iterator[Problem]:
    if test.fact not in words.facts:
        known = listing(words.facts)
        yield document.problem(path, "unknown_fact", code=test.fact, known=known)
        return
    fact = words.facts[test.fact]
    if fact is None:
        return
    if fact.kind == "number" and (isinstance(test.value, bool) or not isinstance(test.value, int)):
        yield document.problem(path, "fact_not_number", code=test.fact)
    elif fact.kind == "choice" and test.value not in {choice.code for choice in fact.choices}:
        known = listing(choice.code for choice in fact.choices)
        yield document.problem(path, "fact_not_choice", code=test.fact, known=known)
    elif fact.kind == "choice" and test.op not in ("==", "!="):
        yield document.problem(path, "fact_not_ordered", code=test.fact)


def _penalty_problems(record: Record[Section], words: Vocabulary) -> Iterator[Problem]:
    section, document = record.value, record.document
    codes: list[tuple[KeyPath, str | None]] = [
        (("penalty",), section.penalty),
        *((("adjustments", i, "to"), item.to) for i, item in enumerate(section.adjustments)),
        *((("outcomes", i, "penalty"), item.penalty) for i, item in enumerate(section.outcomes)),
        *((("conflicts", i, "penalty"), item.penalty) for i, item in enumerate(section.conflicts)),
    ]
    yield from unknown_codes(codes, document, words.severities)
    base = words.severities.get(section.penalty, -1) if section.penalty else -1
    for index, item in enumerate(section.adjustments):
        path: KeyPath = ("adjustments", index, "to")
        target = words.severities.get(item.to, -1) if item.to else -1
        if section.penalty is None:
            yield document.problem(path, "adjusts_nothing")
        elif item.to is None and item.force != "may":
            yield document.problem(path, "no_target")
        elif target >= 0 and base >= 0:
            if target == base:
                yield document.problem(path, "no_change", penalty=str(item.to))
            elif (target > base) != (item.direction == "upgrade"):
                yield document.problem(
                    path,
                    "wrong_side",
                    direction=item.direction,
                    penalty=str(item.to),
                    base=str(section.penalty),
                )
    both = {item.direction for item in section.adjustments} == {"upgrade", "downgrade"}
    if both != (section.if_both is not None):
        yield document.problem(("if_both",), "if_both" if both else "idle_if_both")
    conditions = (str(item.condition) for item in section.adjustments)
    for index, _ in repeated(conditions):
        yield document.problem(("adjustments", index, "condition"), "same_condition")


def searchable(name: str) -> bool:
    """Return whether a search can find ``name`` at all."""
    return bool(text.key(name))
