"""Gemini's `Schema`, the subset of OpenAPI 3.0 in `parameters`, `response` and `responseSchema`."""

from __future__ import annotations

from typing import Any

from conformance.contract.nodes import Field, Foreign, Node
from conformance.contract.notation import *
from conformance.contract.relations import Condition
from conformance.dialects.gemini.contract.common import real
from conformance.dialects.gemini.contract.places import BEFORE_2_5, GOOGLE
from conformance.dialects.gemini.schema import TYPES
from conformance.model.finding import Severity

_STRANGE = refusal("GEM-Q-007", rule="gemini-schema-field-unknown")
_LATE = cite(
    "GEM-Q-007",
    Severity.WARNING,
    because="models before 2.5 refused it, and newer ones accept it",
    rule="gemini-schema-field-unknown",
)
_TYPED = cite("GEM-Q-007", rule="gemini-schema-type-unknown", refused=400)
_ITEMS = {
    "type": cite("GEM-Q-009", rule="gemini-schema-enum-wrong-type"),
    "empty": refusal("GEM-Q-019", rule="gemini-schema-enum-empty"),
}
_PLACED = "GEM-Q-019"
_SIZE = may(quoted(integer(0)))
SCHEMA: Node = later("schema", lambda: _SCHEMA)
"""A schema within another one."""


def _is(name: str) -> Condition:
    """The condition that a schema has a type, in any of its spellings."""
    return is_("type", name, name.lower(), name.capitalize(), TYPES.index(name))


def _late(node: Node) -> Field:
    """A field with which models before 2.5 refused the request."""
    instead = Foreign("a model from 2.5 on, which accepts it")
    return first(may(instead, _LATE, only=BEFORE_2_5), may(node))


_DEFS = _late(mapping(SCHEMA))
_INNER = Foreign("the root of the schema, which alone has definitions")
_UNTYPED = is_("type", None, TYPES[0], 0)
_OF_TYPE = {
    "OBJECT": ("properties", "minProperties", "maxProperties", "propertyOrdering"),
    "ARRAY": ("items", "minItems", "maxItems"),
    "STRING": ("pattern", "minLength", "maxLength"),
}
_EMPTY = cite("GEM-Q-008", rule="gemini-schema-object-empty")
_IDLE = cite("GEM-Q-033", rule="gemini-schema-field-misplaced")
_FIELDS = snaked(
    obj(
        closed,
        {"unknown": _STRANGE},
        *(needs(filled(each), _is(name), _UNTYPED, cite=_IDLE) for name, own in _OF_TYPE.items() for each in own),
        *(needs(each, _is("INTEGER"), _is("NUMBER"), _UNTYPED, cite=_IDLE) for each in ("minimum", "maximum")),
        needs(
            filled("required"), _is("OBJECT"), cite=refusal(_PLACED, rule="gemini-schema-field-misplaced"), only=GOOGLE
        ),
        needs(filled("enum"), _is("STRING"), cite=refusal(_PLACED, rule="gemini-schema-field-misplaced"), only=GOOGLE),
        {"$defs": _DEFS, "$ref": _late(text(1))},
        type=may(folded(*TYPES) | integer(0, len(TYPES) - 1), _TYPED),
        format=may(text()),
        title=may(text()),
        description=may(text()),
        nullable=may(boolean),
        enum=may(array(text(1)), _ITEMS),
        items=may(SCHEMA),
        minItems=_SIZE,
        maxItems=_SIZE,
        properties=may(mapping(SCHEMA)),
        required=may(array(text())),
        minProperties=_SIZE,
        maxProperties=_SIZE,
        propertyOrdering=may(array(text())),
        minLength=_SIZE,
        maxLength=_SIZE,
        pattern=may(text()),
        minimum=may(real()),
        maximum=may(real()),
        anyOf=may(array(SCHEMA)),
        default=may(anything),
        example=may(anything),
        additionalProperties=_late(boolean | SCHEMA),
        defs=may(_INNER, cite("GEM-Q-034", rule="gemini-schema-field-misplaced")),
        ref=_late(text(1)),
    )
)
_STRING = obj(
    _FIELDS,
    needs(is_("format", "enum"), filled("enum"), cite=refusal(_PLACED)),
    # Vertex documents more formats than the Gemini API accepts.
    format=first(
        may(word("enum", "date-time"), refusal(_PLACED, rule="gemini-schema-format-unknown"), only=GOOGLE),
        may(text()),
    ),
)
_BESIDE = refusal("GEM-Q-019", rule="gemini-schema-field-misplaced")
_REFERENCE = obj(
    closed,
    {"unknown": _BESIDE},
    {"$defs": _DEFS, "$ref": _late(text(1))},
    ref=_late(text(1)),
    defs=_DEFS,
    description=may(text()),
    default=may(anything),
)
_FILLED = some_of(
    filled("properties"), is_("additionalProperties", True), "additionalProperties.type", "anyOf", cite=_EMPTY
)
_FORMAT = cite("GEM-Q-033", rule="gemini-schema-format-unknown")


def _schema(*more: Any, **rows: Field) -> Node:
    """A schema by its type, with more rows of its own."""
    return cases(
        ("ref", _REFERENCE),
        ("$ref", _REFERENCE),
        (_is("STRING"), obj(_STRING, **rows)),
        (_is("OBJECT"), obj(_FIELDS, _FILLED, *more, **rows)),
        (_is("INTEGER"), obj(_FIELDS, format=may(known("int32", "int64"), _FORMAT), **rows)),
        (_is("NUMBER"), obj(_FIELDS, format=may(known("float", "double"), _FORMAT), **rows)),
        otherwise=obj(_FIELDS, *more, **rows),
    )


_SCHEMA: Node = _schema()
ROOT: Node = _schema(defs=_DEFS)
"""A schema that is in no other one."""

_PARAMETER = text(pattern="[A-Za-z_][A-Za-z0-9_]{0,63}")
_NAMED = refusal("GEM-Q-022")
PARAMETERS = _schema({"properties": may(mapping(SCHEMA, _PARAMETER), pattern=_NAMED)}, defs=_DEFS)
"""The schema of a function's parameters, whose names are those of its arguments."""
