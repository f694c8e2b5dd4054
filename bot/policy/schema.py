"""The JSON schema of the data files, for editors that check a file while it is written."""

import json
from typing import Any

from pydantic import TypeAdapter

from bot.policy.header import PackHeader
from bot.policy.pack import OffTopic, Situations
from bot.policy.section import Section

FILE_NAME = "schema.json"


def schema_text() -> str:
    """Return the text of policy_data/schema.json.

    One schema serves all four kinds of file: it tells them apart by a key that only one kind has.
    """
    models: dict[str, Any] = {}
    definitions: dict[str, Any] = {}
    for model in (PackHeader, Section, Situations, OffTopic):
        schema = TypeAdapter(model).json_schema(ref_template="#/$defs/{model}", by_alias=True)
        definitions |= schema.pop("$defs", {})
        models[model.__name__] = schema
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Gunbai rule data",
        "if": {"required": ["ladder"]},
        "then": {"$ref": "#/$defs/PackHeader"},
        "else": {
            "if": {"required": ["section"]},
            "then": {"$ref": "#/$defs/Situations"},
            "else": {
                "if": {"required": ["id"]},
                "then": {"$ref": "#/$defs/Section"},
                "else": {"$ref": "#/$defs/OffTopic"},
            },
        },
        "$defs": dict(sorted((definitions | models).items())),
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
