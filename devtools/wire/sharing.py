"""Writes parts that occur several times in a schema once, under `$defs`."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

_SMALL = 160
"""A part shorter than this stays where it is: a reference would not be easier to read."""


def shared(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with its larger repeated parts as definitions, named after the property that they are for."""
    counts: Counter[str] = Counter()
    _count(schema, counts)
    sharing = _Sharing({text for text, count in counts.items() if count > 1}, frozenset(schema.get("$defs", {})))
    root = {key: sharing.of(value, key) for key, value in schema.items() if key != "$defs"}
    given = {name: sharing.of(value, name) for name, value in schema.get("$defs", {}).items()}
    defs = {**given, **sharing.defs}
    return {**root, "$defs": dict(sorted(defs.items()))} if defs else root


def _count(value: Any, counts: Counter[str]) -> None:
    if isinstance(value, dict) and _is_part(value):
        text = json.dumps(value)
        counts[text] += len(text) > _SMALL
        if counts[text] > 1:
            return  # its own parts are shared with it
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _count(each, counts)


def _is_part(value: dict[str, Any]) -> bool:
    """Whether the value is a schema, and not a map of names to schemas."""
    return isinstance(value.get("type"), (str, list)) or "anyOf" in value or "allOf" in value


class _Sharing:
    def __init__(self, parts: set[str], taken: frozenset[str]) -> None:
        self.defs: dict[str, Any] = {}
        self._parts = parts
        self._taken = taken
        self._names: dict[str, str] = {}

    def of(self, value: Any, name: str) -> Any:
        """The value with references in place of the shared parts; `name` is the nearest property above it."""
        if isinstance(value, list):
            return [self.of(each, name) for each in value]
        if not isinstance(value, dict):
            return value
        text = json.dumps(value)
        if text in self._parts and _is_part(value):
            if text not in self._names:
                self._names[text] = self._free(name)
                self.defs[self._names[text]] = self._within(value, name)
            return {"$ref": f"#/$defs/{self._names[text]}"}
        return self._within(value, name)

    def _within(self, value: dict[str, Any], name: str) -> dict[str, Any]:
        return {
            key: {inner: self.of(each, inner) for inner, each in found.items()}
            if key in ("properties", "patternProperties") and isinstance(found, dict)
            else self.of(found, name)
            for key, found in value.items()
        }

    def _free(self, name: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
        taken = {*self._names.values(), *self._taken}
        return next(each for each in (plain, *(f"{plain}_{n}" for n in range(2, 1000))) if each not in taken)
