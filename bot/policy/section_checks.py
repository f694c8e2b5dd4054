"""Checks of one section against its pack: references, codes, conditions, sides of adjustments."""

from collections.abc import Iterator

from bot.policy.condition import Condition, FactTest, JudgementTest, single_tests
from bot.policy.draft import KANA, Draft, Record, dangling, listing, text_problems, unknown_codes
from bot.policy.header import Fact, PackHeader
from bot.policy.section import Section, parent_id
from bot.yamlsource import Document, KeyPath, Problem


def section_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong with one section, seen with the rest of its pack."""
    section, document = record.value, record.document
    if section.file_name != document.file.name:
        yield document.problem(("id",), "file_name", expected=section.file_name)
    if not section.id.startswith(draft.folder.name + ":"):
        yield document.problem(("id",), "foreign_id", prefix=draft.folder.name + ":")
    for index, reading in enumerate(section.readings):
        if not KANA.fullmatch(reading):
            yield document.problem(("readings", index), "not_kana")
    yield from text_problems(section, document)
    yield from _shape_problems(record, draft)
    yield from _reference_problems(record, draft)
    yield from _condition_problems(record, draft)
    if draft.header:
        yield from _penalty_problems(record, draft.header.value)


def _shape_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    section, document = record.value, record.document
    lost = {gap.what for gap in section.missing}
    if section.kind == "infraction" and section.penalty is None and "penalty" not in lost:
        yield document.problem(("penalty",), "no_penalty")
    if section.kind in ("general", "group", "procedure") and section.penalty is not None:
        yield document.problem(("penalty",), "stray_penalty", kind=section.kind)
    if section.definition is None and not lost & {"definition", "body", "effect"}:
        yield document.problem(("definition",), "no_definition")
    if section.kind == "group" and not any(
        parent_id(part) == section.id for part in draft.known_ids
    ):
        yield document.problem(("kind",), "no_parts")


def _reference_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    section, document = record.value, record.document
    pointers: list[tuple[KeyPath, str | None]] = [
        *((("references", i, "to"), item.to) for i, item in enumerate(section.references)),
        *((("outcomes", i, "under"), item.under) for i, item in enumerate(section.outcomes)),
        *((("conflicts", i, "section"), item.section) for i, item in enumerate(section.conflicts)),
    ]
    yield from dangling(pointers, document, draft)
    others = {other.code: other for other in draft.header.value.documents} if draft.header else None
    for index, item in enumerate(section.references):
        path: KeyPath = ("references", index)
        if item.to == section.id and item.document is None:
            yield document.problem((*path, "to"), "points_to_itself")
        if item.to is None and item.document is None:
            yield document.problem(path, "points_nowhere")
        if item.document is None or others is None:
            continue
        if item.document not in others:
            yield document.problem((*path, "document"), "unknown_document", known=listing(others))
        elif item.number and item.number not in {s.number for s in others[item.document].sections}:
            yield document.problem((*path, "number"), "unknown_number", document=item.document)


def _condition_problems(record: Record[Section], draft: Draft) -> Iterator[Problem]:
    section, document = record.value, record.document
    places: list[tuple[KeyPath, Condition | None]] = [
        *(
            (("adjustments", i, "condition"), item.condition)
            for i, item in enumerate(section.adjustments)
        ),
        *(
            (("outcomes", i, "condition"), item.condition)
            for i, item in enumerate(section.outcomes)
        ),
        (("applies_when",), section.applies_when),
    ]
    asked = set()
    for path, condition in places:
        for test in single_tests(condition) if condition else ():
            if isinstance(test, JudgementTest):
                asked.add(test.judgement)
                if test.judgement not in section.judgements:
                    yield document.problem(path, "unknown_judgement", code=test.judgement)
            elif draft.header:
                yield from _fact_problems(test, draft.header.value.facts, document, path)
    for code in section.judgements:
        if code not in asked:
            yield document.problem(("judgements", code), "unused_judgement")


def _fact_problems(
    test: FactTest, facts: dict[str, Fact], document: Document, path: KeyPath
) -> Iterator[Problem]:
    fact = facts.get(test.fact)
    if fact is None:
        yield document.problem(path, "unknown_fact", code=test.fact, known=listing(facts))
    elif fact.kind == "number" and (
        isinstance(test.value, bool) or not isinstance(test.value, int)
    ):
        yield document.problem(path, "fact_not_number", code=test.fact)
    elif fact.kind == "choice" and test.value not in {choice.code for choice in fact.choices}:
        known = listing(choice.code for choice in fact.choices)
        yield document.problem(path, "fact_not_choice", code=test.fact, known=known)
    elif fact.kind == "choice" and test.op not in ("==", "!="):
        yield document.problem(path, "fact_not_ordered", code=test.fact)


def _penalty_problems(record: Record[Section], header: PackHeader) -> Iterator[Problem]:
    section, document = record.value, record.document
    severity = {penalty.code: penalty.severity for penalty in header.ladder}
    codes: list[tuple[KeyPath, str | None]] = [
        (("penalty",), section.penalty),
        *((("adjustments", i, "to"), item.to) for i, item in enumerate(section.adjustments)),
        *((("outcomes", i, "penalty"), item.penalty) for i, item in enumerate(section.outcomes)),
        *((("conflicts", i, "penalty"), item.penalty) for i, item in enumerate(section.conflicts)),
    ]
    yield from unknown_codes(codes, document, severity)
    base = severity.get(section.penalty) if section.penalty else None
    for index, item in enumerate(section.adjustments):
        path: KeyPath = ("adjustments", index, "to")
        if section.penalty is None:
            yield document.problem(path, "adjusts_nothing")
        elif item.to is None and item.force != "may":
            yield document.problem(path, "no_target")
        elif item.to in severity and base is not None:
            change = severity[item.to] - base
            if change == 0:
                yield document.problem(path, "no_change", penalty=item.to)
            elif (change > 0) != (item.direction == "upgrade"):
                yield document.problem(
                    path,
                    "wrong_side",
                    direction=item.direction,
                    penalty=item.to,
                    base=str(section.penalty),
                )
