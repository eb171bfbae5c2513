"""Repairs of arrays: tuples as lists of alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.tool_definitions.rewriting.change import Effect
from conformance.tool_definitions.rewriting.repair import Node, Repair, without


def prefix_items(node: Node) -> Iterator[Repair]:
    """A tuple as a list whose items are any of the tuple's, with its length if it is closed."""
    first, rest = node["prefixItems"], node.get("items", True)
    if not isinstance(first, list) or not first or not isinstance(rest, (dict, bool)):
        return
    choices: list[Any] = []
    for each in [*first, *([rest] if isinstance(rest, dict) else [])]:
        if each not in choices:
            choices.append(each)
    exact = len(choices) == 1
    found = without(node, "prefixItems", "items")
    if rest is not True or exact:
        found["items"] = choices[0] if exact else {"anyOf": choices}
    if rest is False:
        found["maxItems"] = min(len(first), node.get("maxItems", len(first)))
    if rest is True:
        exact = False
    yield Repair(found, "written as `items`", Effect.SAME if exact else Effect.WIDER)


def items(node: Node) -> Iterator[Repair]:
    """The older form of a tuple, and boolean schemas."""
    value = node["items"]
    if "prefixItems" in node:
        yield from prefix_items(node)
        return
    if isinstance(value, list):
        found = {**without(node, "items", "additionalItems"), "prefixItems": value}
        if "additionalItems" in node:
            found["items"] = node["additionalItems"]
        yield Repair(found, "written as `prefixItems`")
        yield from prefix_items(found)
    if value is True:
        yield Repair({**node, "items": {}}, "written as an empty schema")
    if value is False:
        yield Repair({**without(node, "items"), "maxItems": 0}, "written as `maxItems`")


def additional_items(node: Node) -> Iterator[Repair]:
    """`additionalItems` means something only beside a list of `items`."""
    if not isinstance(node.get("items"), list):
        yield Repair(without(node, "additionalItems"), "left out: it forbids nothing")
    else:
        yield from items(node)
