"""Misuses of the schema of a tool's parameters: what JSON Schema itself forbids, and a tool that is declared twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.model.pointer import join
from devtools.documents.planting import Fault

_TOOLS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "openai-chat": (("tools", "*", "function", "parameters"),),
    "openai-responses": (("tools", "*", "parameters"),),
    "anthropic-messages": (("tools", "*", "input_schema"),),
    "gemini": (
        ("tools", "*", "functionDeclarations", "*", "parameters"),
        ("tools", "*", "functionDeclarations", "*", "parametersJsonSchema"),
    ),
    "mcp": (("result", "tools", "*", "inputSchema"),),
}
"""Where the schemas stand in a body."""
_OF_ROOT: tuple[tuple[str, Any], ...] = (
    ("is no object", "string"),
    ("is an array", []),
    ("type is a number", 7),
    ("type is unknown", "objekt"),
    ("type is an array's", "array"),
    ("properties is an array", []),
    ("properties is a string", "city"),
    ("required is a string", "city"),
    ("required is a boolean", True),
    ("required has a number", [1]),
)
_OF_PROPERTY: tuple[tuple[str, Any], ...] = (
    ("property is a string", "string"),
    ("property is an array", []),
    ("property's type is unknown", {"type": "text"}),
    ("property's type is a number", {"type": 7}),
    ("property's enum is a string", {"type": "string", "enum": "celsius"}),
    ("property's enum is an object", {"type": "string", "enum": {"a": 1}}),
    ("property's items is a string", {"type": "array", "items": "string"}),
    ("property's minimum is a string", {"type": "integer", "minimum": "0"}),
    ("property's minItems is negative", {"type": "array", "items": {"type": "string"}, "minItems": -1}),
    ("property's maxLength is a string", {"type": "string", "maxLength": "9"}),
    ("property's pattern is a number", {"type": "string", "pattern": 7}),
    ("property's anyOf is an object", {"anyOf": {"type": "string"}}),
    ("property's anyOf is empty", {"anyOf": []}),
    ("property's description is a number", {"type": "string", "description": 7}),
    ("property's required is a boolean", {"type": "string", "required": True}),
)
_WITHOUT_ITEMS = ("openai-chat", "openai-responses", "gemini")
"""Dialects whose providers refuse an array of nothing; JSON Schema allows it."""


def misuses(dialect: str, body: Any) -> Iterator[Fault]:
    """Every misuse in the first schema of a body."""
    for path in _TOOLS.get(dialect, ()):
        found = next(_found(body, path, ""), None)
        if found is None or not isinstance(found[1], dict):
            continue
        at, schema = found
        for kind, value in _OF_ROOT:
            field = kind.split()[0]
            yield Fault(f"schema {kind}", at if field == "is" else join(at, field), value)
        if isinstance(schema.get("properties"), dict):
            for kind, value in (*_OF_PROPERTY, *_of_arrays(dialect)):
                yield Fault(f"schema {kind}", join(at, "properties"), {**schema["properties"], "planted": value})
        yield from _twice(body, path)


def _of_arrays(dialect: str) -> Iterator[tuple[str, Any]]:
    if dialect in _WITHOUT_ITEMS:
        yield "property is an array without items", {"type": "array"}


def _twice(body: Any, path: tuple[str, ...]) -> Iterator[Fault]:
    """The last of the tools declared once more."""
    listed = path[: len(path) - 1 - path[::-1].index("*")]
    found = next(_found(body, listed, ""), None)
    if found is not None and found[1]:
        yield Fault("tool declared twice", found[0], [*found[1], found[1][-1]])


def _found(value: Any, path: tuple[str, ...], at: str) -> Iterator[tuple[str, Any]]:
    """The places that a path leads to, with `*` for any item."""
    if not path:
        yield at, value
    elif path[0] == "*" and isinstance(value, list):
        for number, each in enumerate(value):
            yield from _found(each, path[1:], join(at, number))
    elif isinstance(value, dict) and path[0] in value:
        yield from _found(value[path[0]], path[1:], join(at, path[0]))
