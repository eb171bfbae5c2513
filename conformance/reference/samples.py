"""Arguments and JSON replies that a request asks for and no script has: made from the schema in the request."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_DEPTH = 8


def known_values(results: Mapping[str, Sequence[Any]], unwrap: Any) -> dict[str, Any]:
    """The members of all results by their names, the latest first to count."""
    found: dict[str, Any] = {}
    for values in results.values():
        for value in values:
            for layer in unwrap(value):
                if isinstance(layer, dict):
                    found.update(layer)
    return found


def sample(schema: Any, text: str, values: Mapping[str, Any]) -> Any:
    """A value that a JSON Schema admits: known values by their names, the text for strings, else the least value."""
    return _Sampler(schema, text, values).value(schema, "", _DEPTH)


class _Sampler:
    def __init__(self, root: Any, text: str, values: Mapping[str, Any]) -> None:
        self._root = root
        self._text = text
        self._values = values

    def value(self, schema: Any, name: str, depth: int) -> Any:
        """A value for a schema; `name` is that of the member that holds it."""
        if not isinstance(schema, dict) or depth == 0:
            return self._text
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self.value(_target(self._root, reference), name, depth - 1)
        for key in ("const", "default"):
            if schema.get(key) is not None:
                return schema[key]
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return schema["enum"][0]
        for key in ("anyOf", "oneOf", "allOf"):
            branches = [each for each in schema.get(key) or () if isinstance(each, dict) and each.get("type") != "null"]
            if branches:
                return self.value(branches[0], name, depth - 1)
        kind = _kind(schema)
        if kind == "object":
            members = schema.get("properties") or {}
            wanted = schema.get("required")
            names = wanted if isinstance(wanted, list) and wanted else list(members)
            return {each: self.value(members.get(each), each, depth - 1) for each in names}
        if kind == "array":
            return [self.value(schema.get("items"), name, depth - 1)]
        return _scalar(kind, schema, self._text, self._values.get(name))


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    kind = next((each for each in kind if each != "null"), "null") if isinstance(kind, list) else kind
    if isinstance(kind, str):
        return kind.lower()
    return "object" if "properties" in schema else "string"


def _scalar(kind: str, schema: Mapping[str, Any], text: str, known: Any) -> Any:
    number = isinstance(known, (int, float)) and not isinstance(known, bool)
    if kind == "boolean":
        return known if isinstance(known, bool) else True
    if kind in ("integer", "number"):
        if number:
            return int(known) if kind == "integer" else known
        return schema.get("minimum", 1)
    if kind == "null":
        return None
    if known is None:
        return text
    return known if isinstance(known, str) else json.dumps(known, ensure_ascii=False, default=str)


def _target(root: Any, reference: str) -> Any:
    for step in reference.removeprefix("#").split("/"):
        if step:
            root = root.get(step) if isinstance(root, dict) else None
    return root


def schema_of_reply(body: Any) -> Any:
    """The schema that a request sets for the text of its reply, in any dialect's place; None if it sets none."""
    for holder in (
        "response_format",
        "text",
        "generationConfig",
        "generation_config",
        "output_config",
        "output_format",
    ):
        found = _schema_in(body.get(holder), 3) if isinstance(body, dict) else None
        if found is not None:
            return found
    return None


def _schema_in(value: Any, depth: int) -> Any:
    if not isinstance(value, dict) or depth == 0:
        return None
    for key in ("schema", "responseJsonSchema", "responseSchema", "response_json_schema", "response_schema"):
        if isinstance(value.get(key), dict):
            return value[key]
    return next((found for each in value.values() if (found := _schema_in(each, depth - 1)) is not None), None)
