"""Discord's own description of its API, which every request body is held against."""

import functools
import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

_NAME = "urn:discord"


class Schema:
    """The request bodies the description allows."""

    def __init__(self, file: Path) -> None:
        contents = json.loads(file.read_text(encoding="utf-8"))
        # Discord takes snowflakes as numbers too, and libraries send them so.
        contents["components"]["schemas"]["SnowflakeType"] = {"type": ["string", "integer"]}
        self._paths: dict[str, Any] = contents["paths"]
        resource = DRAFT202012.create_resource(contents)
        self._registry: Registry[Any] = Registry().with_resource(_NAME, resource)
        self._validators: dict[tuple[str, str], Draft202012Validator | None] = {}

    def fault(self, method: str, path: str, body: Any) -> tuple[tuple[str | int, ...], str] | None:
        """Return what is wrong with a body, and where. ``path`` is written as in the description."""
        key = (method.lower(), path)
        if key not in self._validators:
            self._validators[key] = self._validator(*key)
        validator = self._validators[key]
        error = None if validator is None else best_match(validator.iter_errors(body))
        return None if error is None else (tuple(error.absolute_path), error.message)

    def _validator(self, method: str, path: str) -> Draft202012Validator | None:
        operation = self._paths.get(path, {}).get(method, {})
        if "requestBody" not in operation:
            return None
        steps = ("paths", path, method, "requestBody", "content", "application/json", "schema")
        pointer = "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)
        reference = {"$ref": f"{_NAME}#/{pointer.replace('{', '%7B').replace('}', '%7D')}"}
        return Draft202012Validator(reference, registry=self._registry)


@functools.cache
def load(file: Path) -> Schema | None:
    """Read the description; None where the file is not there."""
    return Schema(file) if file.is_file() else None
