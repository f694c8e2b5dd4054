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
from bot.policy import schema
from bot.policy.condition import Frozen
from bot.policy.draft import Draft, Record, vocabulary
from bot.policy.faults import schema_problems
from bot.policy.header import PackHeader
from bot.policy.pack import Library, OffTopic, Pack, Situations
from bot.policy.pack_checks import library_problems, pack_problems
from bot.policy.section import Section
from bot.yamlsource import Document, Problem, SourceError

HEADER_FILE = "pack.yaml"
SITUATIONS_FOLDER = "situations"
OFF_TOPIC_FILE = "off-topic.yaml"
MEANING_FILE = "meaning.npz"
MAX_PROBLEMS = 50
"""Most problems shown of one file; a wrong file has thousands, all of one kind."""

ModelT = TypeVar("ModelT", bound=Frozen)


class PacksError(Exception):
    """The packs cannot be used; ``problems`` lists everything found, in order of file and line."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        first = problems[0]
        super().__init__(
            f"{len(problems)} problems in the rule data,"
            f" first {first.file}:{first.line}: {first.key}: {first.code}"
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
    folders, others = _sorted_entries(directory, problems)
    known = (schema.FILE_NAME, OFF_TOPIC_FILE, MEANING_FILE)
    problems.extend(_stray(file) for file in others if file.name not in known)
    off_topic = next(
        _records(
            _documents([file for file in others if file.name == OFF_TOPIC_FILE], problems),
            OffTopic,
            problems,
        ),
        None,
    )
    if not folders and not problems:
        problems.append(Problem(directory, 0, "", "no_packs"))
    drafts = [_read_draft(folder, problems) for folder in folders]
    for draft in drafts:
        problems.extend(pack_problems(draft))
    problems.extend(library_problems([draft.header for draft in drafts if draft.header]))
    if problems:
        return Inspection(None, _in_order(problems))
    packs = [_assemble(draft.header.value, draft) for draft in drafts if draft.header]
    library = Library(packs=tuple(packs))
    if off_topic:
        library = Library(packs=tuple(packs), off_topic=off_topic.value)
    return Inspection(library, ())


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    """Return the problems by file and line, of each file no more than people will read."""
    by_file: dict[str, list[Problem]] = {}
    for problem in sorted(problems, key=lambda p: (str(p.file), p.line)):
        by_file.setdefault(str(problem.file), []).append(problem)
    shown: list[Problem] = []
    for found in by_file.values():
        shown.extend(found[:MAX_PROBLEMS])
        if len(found) > MAX_PROBLEMS:
            rest = len(found) - MAX_PROBLEMS
            shown.append(Problem(found[0].file, 0, "", "and_more", {"count": str(rest)}))
    return tuple(shown)


def _assemble(header: PackHeader, draft: Draft) -> Pack:
    place = {section_id: index for index, section_id in enumerate(header.sections)}
    sections = [record.value for record in draft.sections]
    situations = [record.value for record in draft.situations]
    return Pack(
        header=header,
        sections=tuple(sorted(sections, key=lambda section: place[section.id])),
        situations=tuple(sorted(situations, key=lambda item: place[item.section])),
    )


def _read_draft(folder: Path, problems: list[Problem]) -> Draft:
    folders, files = _sorted_entries(folder, problems)
    problems.extend(_stray(other) for other in folders if other.name != SITUATIONS_FOLDER)
    problems.extend(_stray(file) for file in files if file.suffix != ".yaml")
    sections = [file for file in files if file.suffix == ".yaml" and file.name != HEADER_FILE]
    phrases: list[Path] = []
    if folder / SITUATIONS_FOLDER in folders:
        deeper, phrases = _sorted_entries(folder / SITUATIONS_FOLDER, problems)
        problems.extend(map(_stray, (*deeper, *(f for f in phrases if f.suffix != ".yaml"))))
    header_document = next(_documents([folder / HEADER_FILE], problems), None)
    documents = [header_document] if header_document else []
    return Draft(
        folder=folder,
        words=vocabulary(header_document) if header_document else None,
        header=next(_records(documents, PackHeader, problems), None),
        sections=tuple(_records(_documents(sections, problems), Section, problems)),
        situations=tuple(
            _records(
                _documents([file for file in phrases if file.suffix == ".yaml"], problems),
                Situations,
                problems,
            )
        ),
        files=tuple(sections),
    )


def _documents(files: list[Path], problems: list[Problem]) -> Iterator[Document]:
    for file in files:
        try:
            yield yamlsource.read(file)
        except SourceError as error:
            problems.append(error.problem)


def _records(
    documents: list[Document] | Iterator[Document], model: type[ModelT], problems: list[Problem]
) -> Iterator[Record[ModelT]]:
    for document in documents:
        try:
            yield Record(document, model.model_validate(document.data))
        except ValidationError as error:
            problems.extend(schema_problems(document, error))


def _stray(entry: Path) -> Problem:
    """Return the problem with a file or folder that would otherwise be passed over in silence."""
    code = "wrong_ending" if entry.suffix.lower() in (".yml", ".yaml") else "stray"
    return Problem(entry, 0, "", code)


def _sorted_entries(folder: Path, problems: list[Problem]) -> tuple[list[Path], list[Path]]:
    """Return the folders and the other entries of ``folder``; hidden ones count if they are data."""
    try:
        entries = sorted(
            entry
            for entry in folder.iterdir()
            if not entry.name.startswith(".") or entry.suffix == ".yaml"
        )
        folders = [entry for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
    except OSError as error:
        reason = error.strerror or str(error)
        problems.append(Problem(folder, 0, "", "unreadable", {"reason": reason}))
        return [], []
    return folders, [entry for entry in entries if entry not in folders]
