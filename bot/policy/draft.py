"""A pack as read from disk, and the small checks that sections and headers share."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from bot.policy.condition import Frozen
from bot.policy.header import PackHeader
from bot.policy.pack import Situations
from bot.policy.section import Section
from bot.policy.texts import Text
from bot.yamlsource import Document, KeyPath, Problem

RecordT = TypeVar("RecordT", bound=Frozen)


@dataclass(frozen=True, slots=True)
class Record(Generic[RecordT]):
    """A validated file and where its keys stand."""

    document: Document
    value: RecordT


@dataclass(frozen=True, slots=True)
class Draft:
    """A pack as read, with the files that could not be read left out."""

    folder: Path
    header: Record[PackHeader] | None
    sections: tuple[Record[Section], ...]
    situations: tuple[Record[Situations], ...] = ()

    @property
    def known_ids(self) -> frozenset[str]:
        """Ids that may be referred to: declared, or of a file that was read."""
        declared = self.header.value.sections if self.header else ()
        return frozenset(declared) | {record.value.id for record in self.sections}


KANA: Final = re.compile(r"[ぁ-ゖァ-ヺー・ゝゞヽヾ]+")
_JAPANESE: Final = re.compile(r"[ぁ-ヿ㐀-鿿々〆]")
_FOLDED: Final = re.compile(r"[ぁ-ヿ㐀-鿿々、。」』）》] +[ぁ-ヿ㐀-鿿々、。「『（《]")


def text_problems(record: Frozen, document: Document) -> Iterator[Problem]:
    """Yield texts in the wrong language, and Japanese with a space that a folded line left in it."""
    for path, text in _texts(record, ()):
        if not _JAPANESE.search(text.ja):
            yield document.problem((*path, "ja"), "not_japanese")
        if _FOLDED.search(text.ja):
            yield document.problem((*path, "ja"), "space_in_japanese")
        if not re.search("[A-Za-z]", text.en):
            yield document.problem((*path, "en"), "not_english")


def _texts(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, Text]]:
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
        yield from _texts(part, (*path, key))


def dangling(
    pointers: Iterable[tuple[KeyPath, str | None]], document: Document, draft: Draft
) -> Iterator[Problem]:
    """Yield the pointers to sections that the pack does not have."""
    known = draft.known_ids
    for path, target in pointers:
        if target is not None and target not in known:
            yield document.problem(path, "dangling", id=target)


def unknown_codes(
    codes: Iterable[tuple[KeyPath, str | None]], document: Document, known: Iterable[str]
) -> Iterator[Problem]:
    """Yield the penalty codes that are not in ``known``."""
    known = list(known)
    for path, code in codes:
        if code is not None and code not in known:
            yield document.problem(path, "unknown_penalty", code=code, known=listing(known))


def listing(words: Iterable[str]) -> str:
    """Return ``words`` in order, joined by commas."""
    return ", ".join(sorted(words))
