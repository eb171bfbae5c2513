"""The JSON Schemas of the wire, `specs/wire/<dialect>/<kind>.schema.json`, and whether a body fits them.

`kind` is `request`, `response`, `event` (the data of one event of a stream) or `error`. The compiled validator
answers the hot question; `conformance.wire.explain` is imported only when something does not fit.
`python -m conformance.wire.generate` writes the files from the installed SDKs' types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import jsonschema_rs

from conformance.judge.tool_schema import refuse
from conformance.wire.schemas import schema_of


@cache
def _compiled(dialect: str, kind: str) -> Any:
    schema = schema_of(dialect, kind)
    return None if schema is None else jsonschema_rs.Draft202012Validator(schema, retriever=refuse)


def fits(dialect: str, kind: str, value: Any) -> bool:
    """Whether the value is valid under the dialect's schema; without a schema everything is."""
    validator = _compiled(dialect, kind)
    try:
        return validator is None or bool(validator.is_valid(value))
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can spell and UTF-8 cannot
        return next(_explained(dialect, kind, value), None) is None


def all_fit(dialect: str, kind: str, values: list[Any]) -> bool:
    """Whether all values are valid: one question costs much less than many.

    Where the schema goes by a value's type, each type's values are held to its own branch, and the others to the whole.
    """
    groups: dict[str | None, list[Any]] = {}
    known = _branches(dialect, kind)
    for value in values:
        named = value.get("type") if isinstance(value, dict) else None
        groups.setdefault(named if isinstance(named, str) and named in known else None, []).append(value)
    try:
        return all(_compiled_list(dialect, kind, named).is_valid(group) for named, group in groups.items())
    except UnicodeEncodeError:
        return all(fits(dialect, kind, value) for value in values)


@cache
def _branches(dialect: str, kind: str) -> Mapping[str, Any]:
    """What the schema asks of a value by its type, where that is all that it asks."""
    schema = schema_of(dialect, kind) or {}
    root = schema
    if "$ref" in root:
        root = schema["$defs"][root["$ref"].rpartition("/")[2]]
    choices = root.get("allOf", [])
    types = [each.get("if", {}).get("properties", {}).get("type", {}).get("const") for each in choices]
    if None in types or len(set(types)) < len(types) or not root.get("properties", {}).keys() <= {"type"}:
        return {}
    return {named: each["then"] for named, each in zip(types, choices, strict=True)}


@cache
def _compiled_list(dialect: str, kind: str, named: str | None) -> Any:
    """The validator of a list of values of one type, or of any."""
    schema = schema_of(dialect, kind) or {}
    one = {name: value for name, value in schema.items() if name not in ("$schema", "$id", "$defs")}
    items = one if named is None else _branches(dialect, kind)[named]
    listed = {"type": "array", "items": items, "$defs": schema.get("$defs", {})}
    return jsonschema_rs.Draft202012Validator(listed, retriever=refuse)


def misfits(dialect: str, kind: str, value: Any) -> Iterator[tuple[str, str]]:
    """Where the value breaks the schema, as (JSON pointer into the value, what is wrong in plain words)."""
    if not fits(dialect, kind, value):
        yield from _explained(dialect, kind, value)


def _explained(dialect: str, kind: str, value: Any) -> Iterator[tuple[str, str]]:
    from conformance.wire.explain import faults

    return faults(dialect, kind, value)
