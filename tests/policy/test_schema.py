"""The schema file that editors use is the one the code has."""

import json

from bot import resources
from bot.policy import schema


def test_the_exported_schema_is_current() -> None:
    file = resources.folder("policy_data") / schema.FILE_NAME
    assert file.read_text(encoding="utf-8") == schema.schema_text(), "run: gunbai schema --write"


def test_unknown_keys_are_errors_in_every_record() -> None:
    definitions = json.loads(schema.schema_text())["$defs"]
    records = {name: d for name, d in definitions.items() if d.get("type") == "object"}
    assert {"PackHeader", "Section", "Situations", "Adjustment"} <= records.keys()
    assert all(record["additionalProperties"] is False for record in records.values())
