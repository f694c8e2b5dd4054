"""Interface texts by key and locale. The locale is always an argument, never a setting in here."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

from bot import yamlsource
from bot.yamlsource import Problem, SourceError


class CatalogueError(Exception):
    """The interface texts cannot be used; the message says which file and key."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The interface texts of one locale."""

    locale: str
    entries: Mapping[str, str]

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text ``key`` with its ``{placeholders}`` filled in. Raises KeyError."""
        return self.entries[key].format(**{name: shown(value) for name, value in values.items()})


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The interface texts of every locale."""

    texts: Mapping[str, Texts]

    def __getitem__(self, locale: str) -> Texts:
        return self.texts[locale]


def load(directory: Path) -> Catalogue:
    """Read ``<locale>.yaml`` files. Raises CatalogueError when a file or key is faulty or missing."""
    texts = {
        file.stem: Texts(file.stem, _entries(file)) for file in sorted(directory.glob("*.yaml"))
    }
    if not texts:
        raise CatalogueError(f"{directory}: no interface texts (*.yaml) here")
    reference = next(iter(texts.values()))
    for other in texts.values():
        _compare(directory, reference, other)
    return Catalogue(texts)


def shown(value: object, limit: int = 200) -> str:
    """Return ``value`` as one line of printable characters, at most ``limit`` of them.

    Whatever someone typed or a file holds is echoed through here: it cannot colour a terminal,
    forge a second line or fill the screen.
    """
    text = str(value)[: 4 * limit]
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def problem_text(problem: Problem, texts: Texts) -> str:
    """Return a problem with rule data as one line: file, line, key and what to do."""
    file = shown(problem.file, 1000)
    place = f"{file}:{problem.line}" if problem.line else file
    key = f" {shown(problem.key)}:" if problem.key else ""
    message = " ".join(texts(f"check.{problem.code}", **problem.values).split())
    return f"{place}:{key} {message}"


def _entries(file: Path) -> dict[str, str]:
    try:
        data = yamlsource.read(file).data
    except SourceError as error:
        raise CatalogueError(str(error)) from error
    entries: dict[str, str] = {}
    _flatten(file, data, "", entries)
    return entries


def _flatten(file: Path, data: Mapping[str, Any], prefix: str, entries: dict[str, str]) -> None:
    for key, value in data.items():
        if isinstance(value, dict):
            _flatten(file, value, f"{prefix}{key}.", entries)
        elif isinstance(value, str):
            entries[prefix + key] = value
        else:
            raise CatalogueError(f"{file}: {prefix}{key}: a text is needed, in quotes")


def _compare(directory: Path, one: Texts, other: Texts) -> None:
    for key in sorted(one.entries.keys() ^ other.entries.keys()):
        lacking = other if key in one.entries else one
        raise CatalogueError(f"{directory / lacking.locale}.yaml: {key}: this text is missing")
    for key, text in one.entries.items():
        if placeholders(text) != placeholders(other.entries[key]):
            raise CatalogueError(
                f"{directory / other.locale}.yaml: {key}: other {{placeholders}} than in {one.locale}.yaml"
            )


def placeholders(text: str) -> set[str]:
    """Return the names of the ``{placeholders}`` in ``text``."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}
