"""Gemini requests: what `parameters` may say. docs/contract/gemini.md, GEM-Q-007 to GEM-Q-009."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.schema import type_name
from conformance.dialects.gemini.wire import at, camel, declarations, generation, get
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING, join

_PARAMETERS = "/0/request/body/tools/0/functionDeclarations/0/parameters"
_AT = "0 request /tools/0/functionDeclarations/0/parameters"
_TYPES = "google-genai 2.34 google/genai/types.py"
_FIELDS = frozenset(
    {
        "additionalProperties",
        "defs",
        "$defs",
        "ref",
        "$ref",
        "anyOf",
        "default",
        "description",
        "enum",
        "example",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "nullable",
        "pattern",
        "properties",
        "propertyOrdering",
        "required",
        "title",
        "type",
    }
)
_LATE = frozenset({"additionalProperties", "defs", "$defs", "ref", "$ref"})
"""Fields that models before 2.5 were served without."""
_DEEPEST = 64


def _schemas(schema: Any, pointer: str, depth: int = 0) -> Iterator[tuple[dict[str, Any], str]]:
    """A schema and all schemas inside it that are objects, each with its pointer."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    yield schema, pointer
    for key, value in schema.items():
        name, where = camel(key), join(pointer, key)
        if name in ("properties", "defs", "$defs") and isinstance(value, dict):
            for each_name, each_schema in value.items():
                yield from _schemas(each_schema, join(where, each_name), depth + 1)
        elif name in ("items", "additionalProperties"):
            yield from _schemas(value, where, depth + 1)
        elif name == "anyOf" and isinstance(value, list):
            for number, each_schema in enumerate(value):
                yield from _schemas(each_schema, join(where, number), depth + 1)


def _declared(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """Every schema object in the `parameters` of the request; `parametersJsonSchema` is free of these limits."""
    for declaration, pointer in declarations(view.request):
        yield from _schemas(get(declaration, "parameters"), at(declaration, "parameters", pointer))


@rule(
    "gemini-schema-field-unknown",
    scope="request",
    basis="observed",
    cites=["GEM-Q-007 zed-industries/zed#44875", "GEM-Q-007 nanbingxyz/5ire#42", f"GEM-Q-007 {_TYPES} Schema"],
    bugs=[
        "promptfoo/promptfoo#6902",
        "aoci-code#61",
        "DEEIX#546",
        "google_workspace_mcp#1099",
        "promptfoo/promptfoo#5960",
    ],
    conforming=[
        example("gemini/call"),
        example("gemini/call", put(f"{_PARAMETERS}/additionalProperties", False)),
        example("gemini/call", put(f"{_PARAMETERS}/properties/latitude/any_of", [{"type": "NUMBER"}])),
        example(
            "gemini/call",
            drop(_PARAMETERS),
            put(
                "/0/request/body/tools/0/functionDeclarations/0/parametersJsonSchema", {"type": "object", "oneOf": [{}]}
            ),
        ),
    ],
    violating=[
        example("gemini/call", put(f"{_PARAMETERS}/properties/latitude/const", 1)),
        example("gemini/call", put(f"{_PARAMETERS}/$schema", "x")),
        example("gemini/legacy-run", put(f"{_PARAMETERS}/additionalProperties", False)),
    ],
)
def schema_field_unknown(view: View) -> Iterator[Hit]:
    """`parameters` must have only fields of Gemini's `Schema`; full JSON Schema belongs in `parametersJsonSchema`.

    The server refuses the request with a 400: unknown name, "Cannot find field". MCP tools often bring such fields.
    """
    version = generation(view.model)
    for schema, pointer in _declared(view):
        for key in schema:
            name = camel(key)
            if name not in _FIELDS:
                yield Hit(join(pointer, key), f"Schema has no field {key}", "a field of Schema", key)
            elif name in _LATE and version is not None and version < 2.5:
                text = f"models before 2.5 refused {key}"
                yield Hit(join(pointer, key), text, "no such field", key, severity=Severity.WARNING)


@rule(
    "gemini-schema-type-unknown",
    scope="request",
    basis="observed",
    cites=[f"GEM-Q-007 {_TYPES} Type"],
    bugs=["google_workspace_mcp#1099"],
    conforming=[
        example("gemini/call", put(f"{_PARAMETERS}/type", "object")),
        example("gemini/call", put(f"{_PARAMETERS}/type", 6)),
    ],
    violating=[
        example("gemini/call", put(f"{_PARAMETERS}/type", "dict")),
        example("gemini/call", put(f"{_PARAMETERS}/properties/latitude/type", ["number", "null"])),
    ],
)
def schema_type_unknown(view: View) -> Iterator[Hit]:
    """A type in `parameters` must be exactly one of STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT, NULL.

    It is an enum: the server refuses a list of types as in JSON Schema ("cannot start list"). Use `nullable` for null.
    """
    for schema, pointer in _declared(view):
        value = schema.get("type", MISSING)
        if value not in (MISSING, None, 0, "TYPE_UNSPECIFIED") and type_name(value) is None:
            yield Hit(join(pointer, "type"), f"unknown type {brief(value)}", "the name of one type", brief(value))


@rule(
    "gemini-schema-object-empty",
    severity=Severity.INFO,
    scope="request",
    basis="observed",
    cites=["GEM-Q-008 pipecat-ai/pipecat-flows#110", "MAP-007 pipecat-ai/pipecat-flows#110"],
    conforming=[example("gemini/call"), example("gemini/call", drop(_PARAMETERS))],
    violating=[
        example("gemini/answer", put(_PARAMETERS, {"type": "OBJECT", "properties": {}})),
        example("gemini/answer", put(_PARAMETERS, {"type": "object"})),
    ],
)
def schema_object_empty(view: View) -> Iterator[Hit]:
    """An OBJECT schema should have at least one property; a function without arguments should omit `parameters`.

    Some models and dates refused it ("should be non-empty for OBJECT type"); most recordings show it accepted.
    """
    for schema, pointer in _declared(view):
        free = any(get(schema, name) not in (MISSING, None, False) for name in ("additionalProperties", "anyOf", "ref"))
        if type_name(schema.get("type")) == "object" and not schema.get("properties") and not free:
            yield Hit(pointer, "the OBJECT schema has no properties", "at least one property", "none")


@rule(
    "gemini-schema-enum-wrong-type",
    severity=Severity.WARNING,
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-009 {_TYPES} Schema.enum"],
    conforming=[example("gemini/call", put(f"{_PARAMETERS}/properties/unit", {"type": "STRING", "enum": ["C", "F"]}))],
    violating=[
        example(
            "gemini/call",
            put(f"{_PARAMETERS}/properties/days", {"type": "INTEGER", "enum": ["1", 2]}),
            at=f"{_AT}/properties/days/enum/1",
        )
    ],
)
def schema_enum_wrong_type(view: View) -> Iterator[Hit]:
    """The values of an `enum` in `parameters` must be strings.

    The field is a list of strings; a number in it makes the server refuse the request.
    """
    for schema, pointer in _declared(view):
        values = schema.get("enum")
        for number, value in enumerate(values if isinstance(values, list) else ()):
            if not isinstance(value, str):
                yield Hit(join(pointer, "enum", number), "the enum value is not a string", "a string", brief(value))
