"""Repairs of objects: closed, and with all properties required, as strict modes need it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.tool_definitions.rewriting.alternatives import nullable
from conformance.tool_definitions.rewriting.change import Effect
from conformance.tool_definitions.rewriting.merge import types_of
from conformance.tool_definitions.rewriting.repair import Node, Repair, without


def pattern_properties(node: Node) -> Iterator[Repair]:
    """Properties by pattern as any properties."""
    patterns = node["patternProperties"]
    if not isinstance(patterns, dict):
        return
    rest = node.get("additionalProperties", True)
    own = [each for each in patterns.values() if isinstance(each, (dict, bool)) and each is not False]
    found = without(node, "patternProperties")
    if rest is True or any(each is True for each in own):
        found.pop("additionalProperties", None)
    else:
        choices = [each for number, each in enumerate(own) if each not in own[:number]]
        choices += [rest] if isinstance(rest, dict) and rest not in choices else []
        if choices:
            found["additionalProperties"] = choices[0] if len(choices) == 1 else {"anyOf": choices}
    yield Repair(found, "names are not checked", Effect.WIDER)


def additional_properties(node: Node) -> Iterator[Repair]:
    """An object that is open is closed, or left open altogether."""
    if node["additionalProperties"] is True:
        yield Repair(without(node, "additionalProperties"), "left out: it forbids nothing")
    if node["additionalProperties"] is not False:
        yield Repair(
            _closed(node),
            "closed: the model can send only declared properties",
            Effect.NARROWER,
        )


def unevaluated_properties(node: Node) -> Iterator[Repair]:
    """The same as `additionalProperties` where nothing else declares properties."""
    apart = {"anyOf", "oneOf", "allOf", "if", "$ref", "dependentSchemas", "additionalProperties", "not"}
    if not node.keys() & apart:
        found = {**without(node, "unevaluatedProperties"), "additionalProperties": node["unevaluatedProperties"]}
        yield Repair(found, "written as `additionalProperties`")


def is_object(node: Node) -> bool:
    """Whether a schema is that of an object."""
    return "object" in types_of(node.get("type", [])) or isinstance(node.get("properties"), dict)


def structure(node: Node) -> Iterator[Repair]:
    """What a provider may ask of every object: a type, `properties`, that it is closed, that all is required."""
    if isinstance(node.get("properties"), dict) and "type" not in node:
        yield Repair({"type": "object", **node}, "type object added", Effect.NARROWER)
    if isinstance(node.get("required"), list) and "type" not in node and "properties" not in node:
        yield Repair({"type": "object", **node}, "type object added", Effect.NARROWER)
    if not is_object(node):
        return
    if "properties" not in node:
        yield Repair({**node, "properties": {}}, "`properties` added")
    if node.get("additionalProperties") is not False:
        rest = node.get("additionalProperties", True)
        narrows = rest is not True or "patternProperties" in node or not node.get("properties")
        yield Repair(
            _closed(node),
            "closed: the model can send only declared properties",
            Effect.NARROWER if narrows else Effect.SAME,
        )
    every = _all_required(node)
    if every != node:
        wider = every["properties"] != node["properties"]
        text = "all properties are required; null stands for one that was optional"
        yield Repair(every, text, Effect.WIDER if wider else Effect.SAME)


def _closed(node: Node) -> Node:
    """The object with declared properties alone; what was required without a declaration is declared."""
    declared = node.get("properties")
    rest = node.get("additionalProperties")
    required = node.get("required")
    undeclared = [name for name in (required if isinstance(required, list) else ()) if name not in (declared or {})]
    found = {**without(node, "patternProperties"), "additionalProperties": False}
    if undeclared:
        more = {name: rest if isinstance(rest, dict) else {} for name in undeclared}
        found["properties"] = {**(declared if isinstance(declared, dict) else {}), **more}
    return found


def _all_required(node: Node) -> Node:
    properties = node.get("properties")
    if not isinstance(properties, dict):
        return node
    required = node.get("required")
    named: list[Any] = required if isinstance(required, list) else []
    found = {
        name: each if name in named or not isinstance(each, dict) else nullable(each)
        for name, each in properties.items()
    }
    missing = [name for name in properties if name not in named]
    return {**node, "properties": found, "required": [*named, *missing]} if missing else node
