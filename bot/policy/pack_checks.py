"""Checks of a pack as a whole: its header, its list of sections, ids and names used twice.

Pure: takes what was read, returns problems. Everything that can be checked is checked even when
another file of the pack could not be read.
"""

from collections.abc import Iterator
from pathlib import Path

from bot import text
from bot.policy.draft import (
    KANA,
    Draft,
    Record,
    dangling,
    listing,
    name_problems,
    repeated,
    text_problems,
    unknown_codes,
)
from bot.policy.header import PackHeader, RepeatRule
from bot.policy.section import Section
from bot.policy.section_checks import searchable, section_problems
from bot.yamlsource import KeyPath, Problem


def pack_problems(draft: Draft) -> Iterator[Problem]:
    """Yield every problem of a pack that its schema alone cannot show."""
    for record in draft.sections:
        yield from section_problems(record, draft)
    yield from _duplicates(draft)
    yield from _situation_problems(draft)
    if draft.header:
        yield from _header_problems(draft.header, draft)
        yield from _ladder_problems(draft.header, draft)
        yield from _repetitions(draft.header)
        yield from _declaration_problems(draft.header, draft)


def library_problems(headers: list[Record[PackHeader]]) -> Iterator[Problem]:
    """Yield the words for a game that two packs claim."""
    owners: dict[str, str] = {}
    for record in headers:
        header = record.value
        words: list[tuple[KeyPath, str]] = [
            *((("game", locale), getattr(header.game, locale)) for locale in ("ja", "en")),
            *((("aliases", "ja", i), word) for i, word in enumerate(header.aliases.ja)),
            *((("aliases", "en", i), word) for i, word in enumerate(header.aliases.en)),
        ]
        for path, word in words:
            owner = owners.setdefault(text.key(word), header.id)
            if owner != header.id:
                yield record.document.problem(path, "duplicate_game", name=word, other=owner)


def _duplicates(draft: Draft) -> Iterator[Problem]:
    seen_ids: dict[str, Path] = {}
    owners: dict[str, str] = {}
    for record in draft.sections:
        other = seen_ids.setdefault(record.value.id.lower(), record.document.file)
        if other != record.document.file:
            yield record.document.problem(("id",), "duplicate_id", other=other.name)
    for names in (_official_names, _aliases):  # an alias gives way to a name, wherever each stands
        for record in draft.sections:
            own: set[tuple[str | int, str]] = set()
            for path, name in names(record.value):
                if not searchable(name):
                    yield record.document.problem(path, "not_searchable")
                    continue
                owner = owners.setdefault(text.key(name), record.value.id)
                place = (path[1], text.key(name))  # an abbreviation may serve both languages
                if owner != record.value.id or place in own:
                    yield record.document.problem(path, "duplicate_alias", name=name, other=owner)
                own.add(place)


def _official_names(section: Section) -> Iterator[tuple[KeyPath, str]]:
    yield ("name", "ja"), section.name.ja
    yield ("name", "en"), section.name.en


def _aliases(section: Section) -> Iterator[tuple[KeyPath, str]]:
    for index, alias in enumerate(section.aliases.ja):
        yield ("aliases", "ja", index), alias
    for index, alias in enumerate(section.aliases.en):
        yield ("aliases", "en", index), alias


def _situation_problems(draft: Draft) -> Iterator[Problem]:
    seen: set[str] = set()
    for record in draft.situations:
        value, document = record.value, record.document
        yield from dangling([(("section",), value.section)], document, draft)
        if value.section in seen:
            yield document.problem(("section",), "declared_twice", id=value.section)
        seen.add(value.section)
        for locale in ("ja", "en", "kana"):
            phrases = getattr(value, locale)
            for place, _ in repeated(map(text.key, phrases)):
                yield document.problem((locale, place), "repeated_phrase")


def _header_problems(record: Record[PackHeader], draft: Draft) -> Iterator[Problem]:
    header, document = record.value, record.document
    if header.id != draft.folder.name:
        yield document.problem(("id",), "folder_name", expected=draft.folder.name)
    yield from text_problems(header, document)
    yield from name_problems(header.game, document, ("game",))
    yield from name_problems(header.name, document, ("name",))
    pointers: list[tuple[KeyPath, str | None]] = [
        *((("ladder", i, "section"), item.section) for i, item in enumerate(header.ladder)),
        *((("chapters", i, "section"), item.section) for i, item in enumerate(header.chapters)),
    ]
    codes: list[tuple[KeyPath, str | None]] = []
    groups = {item.value.id for item in draft.sections if item.value.kind == "group"}
    for path, rule in _repeat_rules(header):
        pointers.append(((*path, "section"), rule.section))
        codes.append(((*path, "cap"), rule.cap))
        for place, exempt in enumerate(rule.exempt):
            pointers.append(((*path, "exempt", place), exempt))
            if exempt in groups:
                yield document.problem((*path, "exempt", place), "exempt_group", id=exempt)
    for path, often in _often_asked(header):
        pointers.append((path, often))
    for name in ("confirmation", "related", "time_extension"):
        part = getattr(header.handling, name)
        if part is not None:
            pointers.append((("handling", name, "section"), part.section))
    confirmation = header.handling.confirmation
    if confirmation:
        place_of_rule: KeyPath = ("handling", "confirmation")
        codes.append(((*place_of_rule, "at_least"), confirmation.at_least))
        pointers.extend(
            ((*place_of_rule, "exempt", i), item) for i, item in enumerate(confirmation.exempt)
        )
    yield from dangling(pointers, document, draft)
    yield from unknown_codes(codes, document, [penalty.code for penalty in header.ladder])


def _often_asked(header: PackHeader) -> Iterator[tuple[KeyPath, str]]:
    for index, chapter in enumerate(header.chapters):
        for place, section_id in enumerate(chapter.often_asked):
            yield ("chapters", index, "often_asked", place), section_id


def _repeat_rules(header: PackHeader) -> Iterator[tuple[KeyPath, RepeatRule]]:
    if header.repeat:
        yield ("repeat",), header.repeat
    for index, chapter in enumerate(header.chapters):
        if chapter.repeat:
            yield ("chapters", index, "repeat"), chapter.repeat


def _ladder_problems(record: Record[PackHeader], draft: Draft) -> Iterator[Problem]:
    header, document = record.value, record.document
    described = {item.value.id: item.value for item in draft.sections}
    for index, penalty in enumerate(header.ladder):
        path: KeyPath = ("ladder", index)
        if index and penalty.severity <= header.ladder[index - 1].severity:
            yield document.problem((*path, "severity"), "severity_order")
        section = described.get(penalty.section)
        if section and (section.kind != "penalty" or section.penalty != penalty.code):
            yield document.problem((*path, "section"), "other_penalty", section=penalty.section)
        for place, reading in enumerate(penalty.readings):
            if not KANA.fullmatch(reading):
                yield document.problem((*path, "readings", place), "not_kana")


def _repetitions(record: Record[PackHeader]) -> Iterator[Problem]:
    """Yield whatever pack.yaml names twice."""
    header, document = record.value, record.document
    lists: list[tuple[KeyPath, str, list[str]]] = [
        (("ladder",), "code", [item.code for item in header.ladder]),
        (("chapters",), "number", [item.number for item in header.chapters]),
        (("editions",), "language", [item.language for item in header.editions]),
        (("documents",), "code", [item.code for item in header.documents]),
        *(
            (("chapters", i, "often_asked"), "", list(item.often_asked))
            for i, item in enumerate(header.chapters)
        ),
        *(
            (("documents", i, "sections"), "number", [part.number for part in item.sections])
            for i, item in enumerate(header.documents)
        ),
        *(
            (("facts", code, "choices"), "code", [choice.code for choice in fact.choices])
            for code, fact in header.facts.items()
        ),
    ]
    for path, key, values in lists:
        for place, value in repeated(values):
            where: KeyPath = (*path, place, key) if key else (*path, place)
            yield document.problem(where, "duplicate_code", code=value)
    for code, fact in header.facts.items():
        if (fact.kind == "choice") != bool(fact.choices):
            yield document.problem(("facts", code), "choices_wanted")


def _declaration_problems(record: Record[PackHeader], draft: Draft) -> Iterator[Problem]:
    header, document = record.value, record.document
    on_disk = {file.name for file in draft.files}
    chapters = {chapter.number for chapter in header.chapters}
    declared = set(header.sections)
    for place, section_id in repeated(header.sections):
        yield document.problem(("sections", place), "declared_twice", id=section_id)
    for path, section_id in _often_asked(header):
        chapter = header.chapters[int(path[1])].number
        if section_id in declared and section_id.partition(":")[2].partition(".")[0] != chapter:
            yield document.problem(path, "other_chapter", id=section_id, chapter=chapter)
    for index, section_id in enumerate(header.sections):
        file_name = section_id.partition(":")[2].replace("/", "-") + ".yaml"
        if file_name not in on_disk:
            yield document.problem(("sections", index), "no_file", id=section_id, file=file_name)
    for item in draft.sections:
        if item.value.id not in declared:
            yield item.document.problem(("id",), "undeclared", id=item.value.id)
        if item.value.number.partition(".")[0] not in chapters:
            yield item.document.problem(("id",), "no_chapter", known=listing(chapters))
