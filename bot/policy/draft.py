"""A pack as read from disk, and the small checks that sections and headers share."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from pydantic import ValidationError

from bot.policy.condition import Frozen
from bot.policy.header import Fact, PackHeader
from bot.policy.pack import Situations
from bot.policy.section import Section, parent_id
from bot.policy.texts import Name, Text
from bot.yamlsource import Document, KeyPath, Problem

RecordT = TypeVar("RecordT", bound=Frozen)


@dataclass(frozen=True, slots=True)
class Record(Generic[RecordT]):
    """A validated file and where its keys stand."""

    document: Document
    value: RecordT


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of pack.yaml that sections use, taken from it even where the rest is faulty."""

    severities: Mapping[str, int]
    facts: Mapping[str, Fact | None]
    documents: Mapping[str, frozenset[str]]
    sections: tuple[str, ...]


def vocabulary(document: Document) -> Vocabulary:
    """Return what can be made out of pack.yaml's ladder, facts, documents and list of sections."""
    data = document.data
    severities = {
        str(item.get("code")): severity if isinstance(severity := item.get("severity"), int) else -1
        for item in _mappings(data.get("ladder"))
    }
    documents = {
        str(item.get("code")): frozenset(
            str(part.get("number")) for part in _mappings(item.get("sections"))
        )
        for item in _mappings(data.get("documents"))
    }
    facts = data.get("facts")
    sections = data.get("sections")
    return Vocabulary(
        severities=severities,
        facts={code: _fact(value) for code, value in facts.items()}
        if isinstance(facts, dict)
        else {},
        documents=documents,
        sections=tuple(map(str, sections)) if isinstance(sections, list) else (),
    )


def _mappings(value: Any) -> Iterator[dict[str, Any]]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item


def _fact(value: Any) -> Fact | None:
    try:
        return Fact.model_validate(value)
    except ValidationError:
        return None


@dataclass(frozen=True)
class Draft:
    """A pack as read, with the files that could not be read left out."""

    folder: Path
    words: Vocabulary | None
    header: Record[PackHeader] | None
    sections: tuple[Record[Section], ...]
    situations: tuple[Record[Situations], ...]
    files: tuple[Path, ...]

    @property
    def pack_id(self) -> str:
        """The id that sections begin with."""
        return self.header.value.id if self.header else self.folder.name

    @cached_property
    def known_ids(self) -> frozenset[str]:
        """Ids that may be referred to: declared, read, or of a file that could not be read."""
        named = (file.stem.replace("-", "/", 1) for file in self.files)
        return (
            frozenset(self.words.sections if self.words else ())
            | {record.value.id for record in self.sections}
            | {f"{self.pack_id}:{name}" for name in named}
        )

    @cached_property
    def parents(self) -> frozenset[str]:
        """Ids that have sections below them."""
        return frozenset(map(parent_id, self.known_ids))

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kind of every section that was read."""
        return {record.value.id: record.value.kind for record in self.sections}


KANA: Final = re.compile(r"[ぁ-ゖァ-ヺー・ゝゞヽヾ]+")
_JAPANESE: Final = re.compile(r"[ぁ-ヿ㐀-䶿一-鿿々〆]+")
_LATIN: Final = re.compile("[A-Za-z]+")
_FOLDED: Final = re.compile(r"[ぁ-ヿ㐀-䶿一-鿿々、。」』）》] +[ぁ-ヿ㐀-䶿一-鿿々、。「『（《]")
_NARROW: Final = re.compile(r"[ぁ-ヿ㐀-䶿一-鿿々][,.!?()](?![0-9A-Za-z])")
_WIDE: Final = re.compile("[０-９Ａ-Ｚａ-ｚ]")


def text_problems(record: Frozen, document: Document) -> Iterator[Problem]:
    """Yield texts in the wrong language or with the wrong width of characters."""
    for path, text in texts(record, ()):
        japanese, latin = _length(_JAPANESE, text.ja), _length(_LATIN, text.ja)
        if japanese * 5 < latin or not japanese:
            yield document.problem((*path, "ja"), "not_japanese")
        if _length(_JAPANESE, text.en) >= _length(_LATIN, text.en):
            yield document.problem((*path, "en"), "not_english")
        if _FOLDED.search(text.ja):
            yield document.problem((*path, "ja"), "space_in_japanese")
        if _NARROW.search(text.ja):
            yield document.problem((*path, "ja"), "narrow_punctuation")
        if _WIDE.search(text.ja):
            yield document.problem((*path, "ja"), "wide_letter")


def _length(run: re.Pattern[str], text: str) -> int:
    """Return how many characters of ``text`` are in runs of that kind."""
    return sum(map(len, run.findall(text)))


def name_problems(name: Name, document: Document, path: KeyPath) -> Iterator[Problem]:
    """Yield a name whose languages are swapped. A Japanese name may be an abbreviation."""
    if _JAPANESE.search(name.en) and not _LATIN.search(name.en):
        yield document.problem((*path, "en"), "not_english")
    if len(name.ja) > len("DQ/GL") and not _JAPANESE.search(name.ja):
        yield document.problem((*path, "ja"), "not_japanese")


def texts(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, Text]]:
    """Yield every text in a record, with its place."""
    if isinstance(value, Text):
        yield path, value
        return
    parts: Iterable[tuple[str | int, object]] = ()
    if isinstance(value, Frozen):
        parts = ((key, getattr(value, key)) for key in type(value).model_fields)
    elif isinstance(value, tuple):
        parts = enumerate(value)
    elif isinstance(value, dict):
        parts = value.items()
    for key, part in parts:
        yield from texts(part, (*path, key))


def dangling(
    pointers: Iterable[tuple[KeyPath, str | None]], document: Document, draft: Draft
) -> Iterator[Problem]:
    """Yield the pointers to sections that the pack does not have."""
    known = draft.known_ids
    for path, target in pointers:
        if target is not None and target not in known:
            own = target.startswith(draft.pack_id + ":")
            yield document.problem(path, "dangling" if own else "other_pack", id=target)


def unknown_codes(
    codes: Iterable[tuple[KeyPath, str | None]], document: Document, known: Iterable[str]
) -> Iterator[Problem]:
    """Yield the penalty codes that are not in ``known``."""
    known = list(known)
    for path, code in codes:
        if code is not None and code not in known:
            yield document.problem(path, "unknown_penalty", code=code, known=listing(known))


def repeated(items: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each item that stood before, with its place."""
    seen: set[str] = set()
    for place, item in enumerate(items):
        if item in seen:
            yield place, item
        seen.add(item)


def listing(words: Iterable[str]) -> str:
    """Return ``words`` in order, joined by commas."""
    return ", ".join(sorted(words))
