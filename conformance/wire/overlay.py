"""What the wire says and the SDK's types do not: `specs/wire/<dialect>/overlay.yaml`, each entry with its evidence.

An entry names definitions (`types`; `root` is the whole body) and their `fields`, and what is to be said of them:

- `also`: JSON types that are legal there too; `schema`: what holds there instead; `narrow`: what holds there as well;
- `required: true` or `false`; `known: false` takes the field out;
- `in`: the files it is about (`request`, `response`, `event`, `error`), by default all.

Without `fields`, `schema` is the whole definition, which need not have been there before. An entry that finds nothing
to change is out of date, and an error.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

Schema = dict[str, Any]


class Overlay:
    """The overlay of one dialect."""

    def __init__(self, entries: Iterable[Mapping[str, Any]]) -> None:
        self._entries = tuple(entries)
        self._used: set[tuple[int, str, str]] = set()

    def apply(self, kind: str, defs: dict[str, Schema]) -> None:
        """Changes the definitions of one file."""
        for number, entry in enumerate(self._entries):
            if kind not in entry.get("in", (kind,)):
                continue
            for name in entry["types"]:
                if "fields" not in entry:
                    defs[name] = copy.deepcopy(entry["schema"])
                    self._used.add((number, name, ""))
                for field in entry.get("fields", ()):
                    if name in defs and _amend(defs[name], field, entry):
                        self._used.add((number, name, field))

    def stale(self) -> list[str]:
        """What the entries name and no file had a use for."""
        return [
            f"{name}.{field}"
            for number, entry in enumerate(self._entries)
            for name in entry["types"]
            for field in entry.get("fields", ("",))
            if (number, name, field) not in self._used
        ]


def _amend(definition: Schema, field: str, entry: Mapping[str, Any]) -> bool:
    """Makes one entry's changes to one field; false where there was nothing to change."""
    properties = definition.setdefault("properties", {})
    if field not in properties and "schema" not in entry:
        return False
    if entry.get("known") is False:
        del properties[field]
        return True
    before = repr((definition.get("required"), properties.get(field)))
    if "schema" in entry:
        properties[field] = entry["schema"]
    if "narrow" in entry:
        properties[field] = {**properties[field], **entry["narrow"]}
    if "also" in entry:
        properties[field] = widened(properties[field], entry["also"])
    if "required" in entry:
        required = [each for each in definition.get("required", ()) if each != field]
        definition["required"] = [*required, field] if entry["required"] else required
        if not definition["required"]:
            del definition["required"]
    return repr((definition.get("required"), properties[field])) != before


def widened(schema: Schema, types: Iterable[str]) -> Schema:
    """The schema with more JSON types admitted; what is open already stays as it is."""
    added = list(types)
    if not schema:
        return schema
    if isinstance(schema.get("type"), (str, list)) and not schema.keys() & {"properties", "items", "allOf"}:
        known = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        return {**schema, "type": [*known, *(each for each in added if each not in known)]}
    choices = schema["anyOf"] if set(schema) == {"anyOf"} else [schema]
    if set(choices[0]) == {"type"}:
        return {"anyOf": [widened(choices[0], added), *choices[1:]]}
    return {"anyOf": [{"type": added[0] if len(added) == 1 else added}, *choices]}
