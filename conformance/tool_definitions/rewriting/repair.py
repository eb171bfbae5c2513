"""A repair: what a subschema becomes, and what that does to the values that are valid."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from conformance.tool_definitions.rewriting.change import Effect

Node = dict[str, Any]
_NOTED = frozenset(
    {
        *("pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "default"),
        *("minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "enum"),
        *("const", "dependentRequired"),
    }
)
"""The keywords that a description can express in a few words."""
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Repair:
    """What to write instead. `note` is added to the description, so that the model still reads it."""

    node: Node
    text: str
    effect: Effect = Effect.SAME
    note: str | None = None


def without(node: Node, *keywords: str) -> Node:
    """The subschema without some keywords."""
    return {key: value for key, value in node.items() if key not in keywords}


def noted(repair: Repair, keyword: str, value: Any) -> Repair:
    """The repair with a note about the keyword that it leaves out, if that is short."""
    if keyword not in _NOTED or value is None:
        return repair
    text = f"{keyword}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)}"
    return Repair(repair.node, repair.text, repair.effect, text if len(text) <= _LONGEST else None)
