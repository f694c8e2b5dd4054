"""Checks of a pack as a whole: its header, its list of sections, ids and names used twice.

Pure: takes what was read, returns problems. Everything that can be checked is checked even when
another file of the pack could not be read.
"""

import unicodedata
from collections.abc import Iterator
from pathlib import Path

from bot.policy.draft import KANA, Draft, Record, dangling, listing, text_problems, unknown_codes
from bot.policy.header import PackHeader, RepeatRule
from bot.policy.section import Section
from bot.policy.section_checks import section_problems
from bot.yamlsource import KeyPath, Problem


def pack_problems(draft: Draft) -> Iterator[Problem]:
    """Yield every problem of a pack that its schema alone cannot show."""
    for record in draft.sections:
        yield from section_problems(record, draft)
    yield from _duplicates(draft)
    yield from _situation_problems(draft)
    if draft.header:
        yield from _header_problems(draft.header, draft)
        yield from _declaration_problems(draft.header, draft)


def _duplicates(draft: Draft) -> Iterator[Problem]:
    seen_ids: dict[str, Path] = {}
    owners: dict[str, str] = {}
    for record in draft.sections:
        other = seen_ids.setdefault(record.value.id, record.document.file)
        if other != record.document.file:
            yield record.document.problem(("id",), "duplicate_id", other=other.name)
    for names in (_official_names, _aliases):  # an alias gives way to a name, wherever each stands
        for record in draft.sections:
            own: set[tuple[str | int, str]] = set()
            for path, name in names(record.value):
                owner = owners.setdefault(fold(name), record.value.id)
                place = (path[1], fold(name))  # an abbreviation may serve both languages
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


def fold(text: str) -> str:
    """Return ``text`` without the differences of width, case and spacing that nobody reads."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _situation_problems(draft: Draft) -> Iterator[Problem]:
    for record in draft.situations:
        yield from dangling([(("section",), record.value.section)], record.document, draft)


def _header_problems(record: Record[PackHeader], draft: Draft) -> Iterator[Problem]:
    header, document = record.value, record.document
    if header.id != draft.folder.name:
        yield document.problem(("id",), "folder_name", expected=draft.folder.name)
    yield from text_problems(header, document)
    handling = header.handling
    pointers: list[tuple[KeyPath, str | None]] = [
        *((("ladder", i, "section"), item.section) for i, item in enumerate(header.ladder)),
        *((("chapters", i, "section"), item.section) for i, item in enumerate(header.chapters)),
    ]
    codes: list[tuple[KeyPath, str | None]] = []
    for path, rule in _repeat_rules(header):
        pointers.append(((*path, "section"), rule.section))
        pointers.extend(((*path, "exempt", i), item) for i, item in enumerate(rule.exempt))
        codes.append(((*path, "cap"), rule.cap))
    for name in ("confirmation", "related", "time_extension"):
        part = getattr(handling, name)
        if part is not None:
            pointers.append((("handling", name, "section"), part.section))
    if handling.confirmation:
        place: KeyPath = ("handling", "confirmation")
        codes.append(((*place, "at_least"), handling.confirmation.at_least))
        pointers.extend(
            ((*place, "exempt", i), item) for i, item in enumerate(handling.confirmation.exempt)
        )
    yield from dangling(pointers, document, draft)
    yield from unknown_codes(codes, document, [penalty.code for penalty in header.ladder])
    yield from _ladder_problems(record, draft)


def _repeat_rules(header: PackHeader) -> Iterator[tuple[KeyPath, RepeatRule]]:
    if header.repeat:
        yield ("repeat",), header.repeat
    for index, chapter in enumerate(header.chapters):
        if chapter.repeat:
            yield ("chapters", index, "repeat"), chapter.repeat


def _ladder_problems(record: Record[PackHeader], draft: Draft) -> Iterator[Problem]:
    header, document = record.value, record.document
    described = {
        item.value.id: item.value.penalty for item in draft.sections if item.value.kind == "penalty"
    }
    codes = set()
    for index, penalty in enumerate(header.ladder):
        path: KeyPath = ("ladder", index)
        if index and penalty.severity <= header.ladder[index - 1].severity:
            yield document.problem((*path, "severity"), "severity_order")
        if penalty.code in codes:
            yield document.problem((*path, "code"), "duplicate_code", code=penalty.code)
        codes.add(penalty.code)
        if described.get(penalty.section, penalty.code) != penalty.code:
            yield document.problem((*path, "section"), "other_penalty", section=penalty.section)
        for place, reading in enumerate(penalty.readings):
            if not KANA.fullmatch(reading):
                yield document.problem((*path, "readings", place), "not_kana")


def _declaration_problems(record: Record[PackHeader], draft: Draft) -> Iterator[Problem]:
    header, document = record.value, record.document
    on_disk = {file.name for file in draft.folder.glob("*.yaml")}
    chapters = {chapter.number for chapter in header.chapters}
    seen: set[str] = set()
    for index, section_id in enumerate(header.sections):
        file_name = section_id.partition(":")[2].replace("/", "-") + ".yaml"
        if section_id in seen:
            yield document.problem(("sections", index), "declared_twice", id=section_id)
        elif file_name not in on_disk:
            yield document.problem(("sections", index), "no_file", id=section_id, file=file_name)
        seen.add(section_id)
    for item in draft.sections:
        if item.value.id not in seen:
            yield item.document.problem(("id",), "undeclared", id=item.value.id)
        if item.value.number.partition(".")[0] not in chapters:
            yield item.document.problem(("id",), "no_chapter", known=listing(chapters))
