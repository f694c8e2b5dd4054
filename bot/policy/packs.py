"""Reads policy_data/ into a library of packs, or says everything that is wrong with it.

The only module of the package that touches files. Each file is read and validated by itself, so one
bad file never hides the problems of another; then the pack is checked as a whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from bot import yamlsource
from bot.policy.condition import Frozen
from bot.policy.draft import Draft, Record
from bot.policy.faults import schema_problems
from bot.policy.header import PackHeader
from bot.policy.pack import Library, Pack, Situations
from bot.policy.pack_checks import pack_problems
from bot.policy.section import Section
from bot.yamlsource import Problem, SourceError

HEADER_FILE = "pack.yaml"
SITUATIONS_FOLDER = "situations"

ModelT = TypeVar("ModelT", bound=Frozen)


class PacksError(Exception):
    """The packs cannot be used; ``problems`` lists everything found, in order of file and line."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        first = problems[0]
        super().__init__(
            f"{len(problems)} problems in the rule data, first {first.file}:{first.line}: {first.key}: {first.code}"
        )
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Inspection:
    """The outcome of reading every pack: the library, or else the problems."""

    library: Library | None
    problems: tuple[Problem, ...]


def load(directory: Path) -> Library:
    """Return all packs below ``directory``. Raises PacksError when anything at all is wrong.

    Nothing is returned half loaded: a caller that has a library can keep using it when a later
    load fails.
    """
    inspection = inspect(directory)
    if inspection.library is None:
        raise PacksError(inspection.problems)
    return inspection.library


def inspect(directory: Path) -> Inspection:
    """Read all packs below ``directory`` and return them, or every problem found."""
    problems: list[Problem] = []
    packs: list[Pack] = []
    folders = sorted(folder for folder in _entries(directory, problems) if folder.is_dir())
    if not folders and not problems:
        problems.append(Problem(directory, 0, "", "no_packs"))
    for folder in folders:
        draft = _read_draft(folder, problems)
        problems.extend(pack_problems(draft))
        if not problems and draft.header is not None:
            packs.append(_assemble(draft.header.value, draft))
    if problems:
        return Inspection(
            None, tuple(sorted(problems, key=lambda p: (str(p.file), p.line, p.key, p.code)))
        )
    return Inspection(Library(packs=tuple(packs)), ())


def _assemble(header: PackHeader, draft: Draft) -> Pack:
    place = {section_id: index for index, section_id in enumerate(header.sections)}
    sections = sorted(
        (record.value for record in draft.sections), key=lambda section: place[section.id]
    )
    situations = sorted(
        (record.value for record in draft.situations), key=lambda item: place[item.section]
    )
    return Pack(header=header, sections=tuple(sections), situations=tuple(situations))


def _read_draft(folder: Path, problems: list[Problem]) -> Draft:
    header = next(_records([folder / HEADER_FILE], PackHeader, problems), None)
    files = _yaml_files(folder, problems)
    sections = _records([file for file in files if file.name != HEADER_FILE], Section, problems)
    phrases = folder / SITUATIONS_FOLDER
    phrase_files = _yaml_files(phrases, problems) if phrases.is_dir() else []
    return Draft(
        folder=folder,
        header=header,
        sections=tuple(sections),
        situations=tuple(_records(phrase_files, Situations, problems)),
    )


def _records(
    files: list[Path], model: type[ModelT], problems: list[Problem]
) -> Iterator[Record[ModelT]]:
    for file in files:
        try:
            document = yamlsource.read(file)
        except SourceError as error:
            problems.append(error.problem)
            continue
        try:
            yield Record(document, model.model_validate(document.data))
        except ValidationError as error:
            problems.extend(schema_problems(document, error))


def _yaml_files(folder: Path, problems: list[Problem]) -> list[Path]:
    entries = _entries(folder, problems)
    problems.extend(
        Problem(file, 0, "", "wrong_ending") for file in entries if file.suffix == ".yml"
    )
    return [file for file in entries if file.suffix == ".yaml"]


def _entries(folder: Path, problems: list[Problem]) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        problems.append(
            Problem(folder, 0, "", "unreadable", {"reason": error.strerror or str(error)})
        )
        return []
