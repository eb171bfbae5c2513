"""The schemas that the server compiles: of a structured output, and of a strict tool."""

from __future__ import annotations

from conformance.contract.nodes import Flag, Node, Object
from conformance.contract.notation import *

_REFUSED = refusal("ANT-Q-027", rule="messages-output-schema-unsupported")
_TYPE = word("string", "number", "integer", "boolean", "object", "array", "null")
_SCALAR: Node = text() | number() | boolean | null
_DESCRIBED = "a sentence in `description`"

_WITHIN = later("output-schema", lambda: STRICT_SCHEMA)
STRICT_SCHEMA: Object = obj(
    _REFUSED,
    needs(is_("type", "object"), is_("additionalProperties", False)),
    foreign(
        _REFUSED,
        minimum=_DESCRIBED,
        maximum=_DESCRIBED,
        exclusiveMinimum=_DESCRIBED,
        exclusiveMaximum=_DESCRIBED,
        multipleOf=_DESCRIBED,
        minLength=_DESCRIBED,
        maxLength=_DESCRIBED,
        maxItems=_DESCRIBED,
        uniqueItems=_DESCRIBED,
        minProperties=_DESCRIBED,
        maxProperties=_DESCRIBED,
    ),
    {"$ref": may(text(1, pattern="#[\\s\\S]*")), "$defs": may(mapping(_WITHIN))},
    type=may(_TYPE | array(_TYPE, 1, unique=True)),
    properties=may(mapping(_WITHIN)),
    required=may(array(text())),
    additionalProperties=may(Flag(only=False)),
    items=may(_WITHIN),
    minItems=may(integer(0, 1)),
    enum=may(array(_SCALAR, 1)),
    const=may(anything),
    default=may(anything),
    anyOf=may(array(_WITHIN, 1)),
    allOf=may(array(_WITHIN, 1)),
    definitions=may(mapping(_WITHIN)),
    description=may(text()),
    title=may(text()),
)
"""The server refuses keywords that its grammar does not support."""
