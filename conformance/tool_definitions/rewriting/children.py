"""The subschemas of a schema, for code that puts others in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.model.pointer import join

CHILD = frozenset(
    {
        *("items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"),
        *("propertyNames", "not", "if", "then", "else"),
    }
)
"""The keywords whose value is a schema."""
CHILDREN = frozenset({"anyOf", "oneOf", "allOf", "prefixItems", "items"})
"""The keywords whose value is a list of schemas; `items` is one in older drafts."""
NAMED_CHILDREN = frozenset({"properties", "patternProperties", "dependentSchemas"})
"""The keywords whose value has a schema under each name."""

Replace = Callable[[Any, str], Any]
"""Makes another schema of a subschema and its pointer."""


def with_children(node: dict[str, Any], replace: Replace, at: str = "") -> dict[str, Any]:
    """The schema with each subschema replaced; `at` is its own pointer."""
    found: dict[str, Any] = {}
    for key, value in node.items():
        place = join(at, key)
        if key in CHILDREN and isinstance(value, list):
            found[key] = [replace(each, join(place, number)) for number, each in enumerate(value)]
        elif key in NAMED_CHILDREN and isinstance(value, dict):
            found[key] = {name: replace(each, join(place, name)) for name, each in value.items()}
        elif key in CHILD and isinstance(value, (dict, bool)):
            found[key] = replace(value, place) if isinstance(value, dict) else value
        else:
            found[key] = value
    return found
