"""Arguments with which a foreign tool can succeed, from the examples, defaults, formats and texts of its schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from conformance.profiles.tool_schema import NotExercisedError, misfits

_FORMATS = {
    "date": "2026-01-15",
    "date-time": "2026-01-15T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "email": "someone@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_NAMES = (("url", "uri"), ("uri", "uri"), ("email", "email"), ("host", "hostname"), ("date", "date"), ("uuid", "uuid"))
"""The format of a text without one, by a word of its name."""
_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|for example|for instance|such as|example):?,? *[`'\"“]([^`'\"”]+)[`'\"”]", re.IGNORECASE
)


def arguments_for(schema: Any, text: str, number: int = 0) -> dict[str, Any]:
    """Arguments that fit the schema of a tool, as far as any are found; others for each `number` where it can be."""
    members = schema.get("properties") if isinstance(schema, Mapping) else None
    whole = {**schema, "required": list(members)} if isinstance(members, Mapping) else schema
    tried = [plausible(each, text, number=count) for count in (number, 0) for each in (whole, schema)]
    return next((each for each in tried if isinstance(each, dict) and fits(each, schema)), {})


def fits(value: Any, schema: Any) -> bool:
    """Whether a value is valid under a schema, as far as that can be decided."""
    try:
        return next(misfits(value, schema), None) is None
    except NotExercisedError:
        return False


def plausible(schema: Any, text: str, name: str = "", *, number: int = 0) -> Any:
    """A value of a schema: `text` where nothing better is known; of an object, the members that it requires.

    Another `number` is another value, where the schema allows that.
    """
    if not isinstance(schema, Mapping):
        return text
    for key in ("const", "default"):
        if schema.get(key) is not None:
            return schema[key]
    for key in ("examples", "enum"):
        if isinstance(schema.get(key), list) and schema[key]:
            return schema[key][number % len(schema[key])]
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(schema.get(key), list) and schema[key] and isinstance(schema[key][0], dict):
            branch = {"description": schema.get("description", ""), **schema[key][0]}
            return plausible(branch, text, name, number=number)
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "object" or "properties" in schema:
        members = schema.get("properties")
        required = schema.get("required")
        members, required = members if isinstance(members, dict) else {}, required if isinstance(required, list) else []
        names = [each for each in required if isinstance(each, str)]
        return {each: plausible(members.get(each), text, each, number=number) for each in names}
    if kind == "array":
        return [plausible(schema.get("items"), text, name, number=number)]
    if kind in ("integer", "number"):
        return _number(schema, number)
    if kind in ("boolean", "null"):
        return {"boolean": bool(number % 2), "null": None}[kind]
    return _text(schema, f"{text} {number + 1}" if number else text, name)


def _number(schema: Mapping[str, Any], number: int) -> Any:
    value: Any = 1 + number
    for key, limited in (("minimum", max), ("maximum", min)):
        if isinstance(schema.get(key), (int, float)):
            value = limited(value, schema[key])
    return value


def _text(schema: Mapping[str, Any], text: str, name: str) -> str:
    found = _EXAMPLE.search(str(schema.get("description", "")))
    if found is not None:
        return found[1]
    words = re.findall("[a-z]+", name.lower())
    by_name = next((format_ for word, format_ in _NAMES if word in words), "")
    return _FORMATS.get(str(schema.get("format", by_name)), text)
