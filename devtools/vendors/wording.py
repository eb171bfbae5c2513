"""What a row of a profile or a document has, in a few words of Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from conformance.profiles.profiles import Profile

_SHOWN = 8
_DEEPEST = 2


def shown(schema: Mapping[str, Any], depth: int = 0) -> str:
    """A JSON Schema in a few words."""
    if "anyOf" in schema:
        choices = dict.fromkeys(shown(each, depth) for each in schema["anyOf"])
        return " or ".join(choices)
    if "const" in schema or "enum" in schema:
        return _listed([schema["const"]] if "const" in schema else schema["enum"])
    if schema.get("examples"):
        return f"a string such as {_listed(schema['examples'])}"
    kind = schema.get("type", "object" if "properties" in schema else "")
    if kind == "array":
        items = shown(schema["items"], depth) if schema.get("items") and depth < _DEEPEST else "anything"
        return f"a list{_bounds(schema, 'minItems', 'maxItems')} of: {items}"
    if kind == "object":
        return _object(schema, depth)
    named = {"string": "a string", "integer": "an integer", "number": "a number", "boolean": "a boolean"}.get(
        kind, kind or "anything"
    )
    pattern = f" of the form `{schema['pattern']}`" if "pattern" in schema else ""
    length = _bounds(schema, "minLength", "maxLength", " characters")
    beyond = f"{_strictly(schema, 'exclusiveMinimum', 'above')}{_strictly(schema, 'exclusiveMaximum', 'below')}"
    return f"{named}{beyond}{_bounds(schema, 'minimum', 'maximum')}{length}{pattern}"


def _strictly(schema: Mapping[str, Any], key: str, word: str) -> str:
    return f" {word} {schema[key]}" if key in schema else ""


def _object(schema: Mapping[str, Any], depth: int) -> str:
    if "additionalProperties" in schema:
        return f"a map to: {shown(schema['additionalProperties'], depth + 1)}" if depth < _DEEPEST else "a map"
    names = list(schema.get("properties") or ())
    return f"an object with {_several([f'`{each}`' for each in names])}" if names else "an object"


def _listed(words: list[Any]) -> str:
    return _several([code(each) for each in words])


def _several(words: list[str]) -> str:
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return f"{', '.join(words[:_SHOWN])}{more}"


def _bounds(schema: Mapping[str, Any], low: str, high: str, what: str = "") -> str:
    least, most = schema.get(low), schema.get(high)
    if least is None and most is None:
        return ""
    if least is None or most is None:
        return f" (at most {most}{what})" if least is None else f" (at least {least}{what})"
    return f" ({least}{what})" if least == most else f" ({least} to {most}{what})"


def code(value: Any) -> str:
    """A place, a name or a JSON value as code."""
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def escaped(cell: str) -> str:
    """The text of a cell of a table."""
    return cell.replace("|", "\\|").replace("\n", " ")


def period(row: Mapping[str, Any]) -> str:
    """The models, versions and days for which a row holds."""
    words = {"model": "models", "path": "paths", "api_version": "version", "since": "since", "until": "until"}
    return ", ".join(
        f"{name} {code(row[key]) if key in ('model', 'path', 'api_version') else row[key]}"
        for key, name in words.items()
        if row.get(key)
    )


def upstreams(profile: Profile) -> str:
    """Whose models a gateway passes requests on to."""
    names = ", ".join(f"[{each.profile}]({each.profile}.md)" for each in profile.upstreams)
    return f"Its upstreams: {names}." if names else ""
