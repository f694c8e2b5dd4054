"""Reads one YAML file into plain data and remembers the line of every key.

YAML has traps for people who keep rule data: ``4.10`` becomes the number 4.1, ``no`` becomes false,
a later key silently replaces an earlier one, and a few nested aliases fill the memory. So only whole
numbers, ``true``, ``false`` and ``null`` are more than text here, a repeated key is an error, and
anchors, aliases and tags are refused. libyaml does the parsing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

MAX_BYTES: Final = 1_000_000
"""Largest file that is read. The longest section is about 30 kB."""
MAX_KEYS: Final = 20_000
"""Most keys, items and texts in one file; a section has about 300."""
MAX_KEY_LENGTH: Final = 100
MAX_DEPTH: Final = 24
"""Deepest nesting; a condition inside a section needs about ten levels."""

KeyPath: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one file: where it is and which message explains it.

    ``code`` and ``values`` name a text ``check.<code>`` of the interface catalogues, so that the
    message can be shown in the reader's language. ``line`` counts from 1; 0 means the whole file.
    """

    file: Path
    line: int
    key: str
    code: str
    values: dict[str, str] = field(default_factory=dict, hash=False)


class SourceError(Exception):
    """A file could not be read; ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.file}:{problem.line}: {problem.code} {problem.values}")
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file: plain data, and the line of every key and list item."""

    file: Path
    data: Any
    lines: dict[KeyPath, int]

    def line(self, path: KeyPath) -> int:
        """Return the line of ``path``, or of the nearest part of it that is in the file."""
        known: KeyPath = ()
        for part in path:
            if (*known, part) in self.lines:
                known = (*known, part)
        return self.lines.get(known, 1)

    def problem(self, path: KeyPath, code: str, /, **values: str) -> Problem:
        """Return a problem with the key at ``path``."""
        return Problem(self.file, self.line(path), key_text(path), code, values)


def key_text(path: KeyPath) -> str:
    """Return a path as people write it: ``examples[2].ja``, list items counted from 1."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def read(file: Path) -> Document:
    """Read ``file`` as UTF-8, with or without byte order mark, with LF or CRLF.

    Raises SourceError when the file is missing, too large, not UTF-8, not YAML, or uses a YAML
    feature that rule data does without.
    """
    try:
        if not file.is_file():  # a pipe or device would wait for ever
            reason = "not a file" if file.exists() else "there is no such file"
            raise SourceError(Problem(file, 0, "", "unreadable", {"reason": reason}))
        with file.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise SourceError(
            Problem(file, 0, "", "unreadable", {"reason": error.strerror or str(error)})
        ) from error
    if len(content) > MAX_BYTES:
        raise SourceError(Problem(file, 0, "", "too_large", {"limit": f"{MAX_BYTES:,}"}))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise SourceError(Problem(file, line, "", "not_utf8")) from error
    return parse(file, text)


def parse(file: Path, text: str) -> Document:
    """Parse ``text`` as the content of ``file``. Raises SourceError as ``read`` does."""
    builder = _Builder(file)
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        reason = error.problem or error.context or str(error)
        code = "tab" if _tab_at(text, line) else "not_yaml"
        values = {} if code == "tab" else {"reason": reason}
        raise SourceError(Problem(file, line, "", code, values)) from error
    except yaml.YAMLError as error:
        raise SourceError(
            Problem(
                file,
                _bad_character_line(text),
                "",
                "not_yaml",
                {"reason": str(error).splitlines()[0]},
            )
        ) from error
    return builder.document()


def _tab_at(text: str, line: int) -> bool:
    """Return whether ``line`` is indented with a tab, which YAML forbids."""
    lines = text.splitlines()
    return (
        0 < line <= len(lines) and "\t" in lines[line - 1][: -len(lines[line - 1].lstrip()) or None]
    )


_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _bad_character_line(text: str) -> int:
    """Return the line of the first character that YAML forbids, 0 if there is none."""
    found = _UNPRINTABLE.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else 0


_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that show nothing and can turn a terminal's or a reader's line around."""
_WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_WORDS: Final[dict[str, bool | None]] = {
    "true": True,
    "false": False,
    "null": None,
    "~": None,
    "": None,
}


def _scalar(event: yaml.ScalarEvent) -> str | int | bool | None:
    value: str = event.value
    if event.style:
        return value
    if value in _WORDS:
        return _WORDS[value]
    return int(value) if _WHOLE_NUMBER.fullmatch(value) else value


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not come yet."""

    value: dict[str, Any] | list[Any]
    path: KeyPath
    key: str | None = None


class _Builder:
    """Builds plain data from parser events, one event at a time and without recursion."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._open: list[_Open] = []
        self._roots: list[Any] = []
        self._lines: dict[KeyPath, int] = {}
        self._count = 0
        self._steps: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._mapping,
            yaml.SequenceStartEvent: self._sequence,
            yaml.AliasEvent: self._alias,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceEndEvent: self._end,
            yaml.DocumentStartEvent: self._document_start,
        }

    def take(self, event: yaml.Event) -> None:
        self._count += 1
        if self._count > MAX_KEYS:
            self._refuse(event, "too_many", limit=f"{MAX_KEYS:,}")
        step = self._steps.get(type(event))
        if step:
            step(event)

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        self._check_node(event)
        self._take_scalar(event)

    def _mapping(self, event: yaml.MappingStartEvent) -> None:
        self._check_node(event)
        self._begin({}, event)

    def _sequence(self, event: yaml.SequenceStartEvent) -> None:
        self._check_node(event)
        self._begin([], event)

    def _alias(self, event: yaml.AliasEvent) -> None:
        self._refuse(event, "alias")

    def _end(self, _: yaml.Event) -> None:
        self._open.pop()

    def _document_start(self, event: yaml.DocumentStartEvent) -> None:
        if self._roots:
            self._refuse(event, "two_documents")

    def _check_node(
        self, event: yaml.ScalarEvent | yaml.MappingStartEvent | yaml.SequenceStartEvent
    ) -> None:
        if event.anchor:
            self._refuse(event, "alias")
        if event.tag not in (None, "!"):
            self._refuse(event, "tag")

    def document(self) -> Document:
        if len(self._roots) != 1 or not isinstance(self._roots[0], dict):
            raise SourceError(Problem(self._file, 1, "", "not_a_mapping"))
        return Document(self._file, self._roots[0], self._lines)

    def _take_scalar(self, event: yaml.ScalarEvent) -> None:
        if _HIDDEN.search(event.value):
            self._refuse(event, "hidden_character")
        top = self._open[-1] if self._open else None
        if top and isinstance(top.value, dict) and top.key is None:
            if len(event.value) > MAX_KEY_LENGTH:
                self._refuse(event, "long_key", limit=str(MAX_KEY_LENGTH))
            if event.value in top.value:
                self._refuse(event, "duplicate_key", key=event.value)
            top.key = event.value
            self._lines[(*top.path, event.value)] = _line(event)
        else:
            self._add(_scalar(event), event)

    def _begin(self, value: dict[str, Any] | list[Any], event: yaml.Event) -> None:
        if len(self._open) >= MAX_DEPTH:
            self._refuse(event, "too_deep", limit=str(MAX_DEPTH))
        top = self._open[-1] if self._open else None
        if top and isinstance(top.value, dict) and top.key is None:
            self._refuse(event, "key_not_text")
        self._open.append(_Open(value, self._add(value, event)))

    def _add(self, value: object, event: yaml.Event) -> KeyPath:
        """Put ``value`` where the parser stands and return its path."""
        if not self._open:
            self._roots.append(value)
            return ()
        top = self._open[-1]
        if isinstance(top.value, list):
            path: KeyPath = (*top.path, len(top.value))
            self._lines[path] = _line(event)
            top.value.append(value)
            return path
        key = top.key or ""
        top.value[key] = value
        top.key = None
        return (*top.path, key)

    def _refuse(self, event: yaml.Event, code: str, **values: str) -> None:
        top = self._open[-1] if self._open else None
        path: KeyPath = ()
        if top:
            path = top.path if top.key is None else (*top.path, top.key)
        raise SourceError(Problem(self._file, _line(event), key_text(path), code, values))
