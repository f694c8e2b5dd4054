"""Turns what pydantic found wrong with a file into problems with file, line and key."""

from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.policy.texts import LOCALES
from bot.yamlsource import Document, KeyPath, Problem

MESSAGES: Final[dict[str, tuple[str, str]]] = {
    "extra_forbidden": ("unknown_key", ""),
    "literal_error": ("not_one_of", "expected"),
    "string_too_short": ("empty", ""),
    "too_short": ("too_few", "min_length"),
    "string_type": ("not_text", ""),
    "bool_type": ("not_yes_no", ""),
    "bool_parsing": ("not_yes_no", ""),
    "int_type": ("not_number", ""),
    "int_parsing": ("not_number", ""),
    "int_from_float": ("not_number", ""),
    "string_pattern_mismatch": ("bad_form", "pattern"),
    "greater_than_equal": ("too_small", "ge"),
    "greater_than": ("too_small", "gt"),
    "not_date": ("not_date", ""),
    "bad_address": ("bad_address", ""),
    "half_rule": ("half_rule", ""),
    "condition_kind": ("condition_kind", ""),
    "outer_space": ("outer_space", ""),
    "tuple_type": ("not_list", ""),
    "dict_type": ("not_mapping", ""),
    "model_type": ("not_mapping", ""),
    "model_attributes_type": ("not_mapping", ""),
}
"""pydantic's error types -> our message, and the part of the error's context it shows."""


def schema_problems(document: Document, error: ValidationError) -> list[Problem]:
    """Return one problem for each key that ``error`` complains about."""
    found: dict[KeyPath, Problem] = {}
    for detail in error.errors(include_url=False):
        path = _path_in_file(document, detail)
        if path in found and "value" in path[-1:]:
            found[path] = document.problem(path, "not_value")
        elif path not in found:
            found[path] = _problem(document, path, detail)
    inner = {path[:length] for path in found for length in range(len(path))}
    # A list that lost an item to another problem only seems too short.
    return [p for path, p in found.items() if p.code != "too_few" or path not in inner]


def _problem(document: Document, path: KeyPath, detail: ErrorDetails) -> Problem:
    context = detail.get("ctx", {})
    kind = detail["type"]
    if kind == "missing":
        last = path[-1] if path else ""
        return document.problem(path, "missing_language" if last in LOCALES else "missing_key")
    if kind == "string_too_long":
        return document.problem(
            path,
            "too_long",
            limit=str(context.get("max_length")),
            length=str(len(str(detail["input"]))),
        )
    if kind in MESSAGES:
        code, part = MESSAGES[kind]
        return document.problem(path, code, **({part: str(context.get(part, ""))} if part else {}))
    return document.problem(path, "invalid", reason=detail["msg"])


def _path_in_file(document: Document, detail: ErrorDetails) -> KeyPath:
    """Return where ``detail`` points, without the tags that pydantic puts in for a union's branches."""
    path: KeyPath = ()
    for part in detail["loc"]:
        if (*path, part) in document.lines:
            path = (*path, part)
    return (*path, detail["loc"][-1]) if detail["type"] == "missing" else path
