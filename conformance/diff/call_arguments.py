"""The arguments of one call in two recordings, by their JSON types and by the schema of the tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.diff.notes import Notes, kind_of
from conformance.diff.places import Differing, differing
from conformance.model.jsontext import brief, brief_pair, kind, same
from conformance.model.pointer import MISSING, split
from conformance.model.stream_events import argument_text
from conformance.model.transcript import Malformed, ToolCall, ToolDefinition

TOLERANCE = 0.01
"""Relative tolerance of numbers with decimals. Whole numbers must be equal."""


def compare_arguments(notes: Notes, old: ToolCall, new: ToolCall, tool: ToolDefinition | None) -> None:
    """Notes the differences in the arguments of two calls of the same tool."""
    at = old.pointer, new.pointer
    if isinstance(old.arguments, Malformed) or isinstance(new.arguments, Malformed):
        if argument_text(old) != argument_text(new):
            shown = {"old": _parsed(old.arguments), "new": _parsed(new.arguments), "what": new.name}
            notes.fact("arguments-broken", "response", *at, **shown)
        return
    found = list(differing(old.arguments, new.arguments))
    for each in found:
        _compare(notes, each, at, tool)
    forms = list(_forms(old.arguments, new.arguments, ()))
    for path, one, other in forms:
        decimals = _schema_of(tool, path).get("type") != "integer"
        row = "number-form" if decimals else "integer-form"
        notes.fact(row, "response", *at, what="/".join(map(str, path)), old=brief(one), new=brief(other))
    if not found and not forms and (old.wire is not None or new.wire is not None) and old.wire != new.wire:
        notes.fact("argument-spelling", "response", *at, what=new.name)


def _compare(notes: Notes, found: Differing, at: tuple[str, str], tool: ToolDefinition | None) -> None:
    path = split(found.pointer)
    old, new = (None if value is MISSING else value for value in (found.old, found.new))
    one, other = brief_pair(old, new)
    words: dict[str, Any] = {"what": "/".join(path) or "text", "old": one, "new": other}
    if found.how in ("gone", "new"):
        row = f"argument-{found.how}"
    elif kind(found.old) != kind(found.new):
        row = "argument-type"
        words |= {"old_kind": kind_of(found.old), "new_kind": kind_of(found.new)}
    elif "enum" in _schema_of(tool, path) or "const" in _schema_of(tool, path):
        row = "argument-enum"
    elif isinstance(found.old, str):
        row = "argument-folded" if _folded(found.old) == _folded(found.new) else "argument-text"
    else:
        row = "argument-nudged" if _close(found.old, found.new) else "argument-value"
    notes.fact(row, "response", *at, **words)


def _parsed(arguments: Any) -> str:
    return "text that is not JSON" if isinstance(arguments, Malformed) else brief(arguments)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _close(old: Any, new: Any) -> bool:
    """Whether two numbers are near enough: one of them has to have decimals."""
    numbers = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in (old, new))
    if not numbers or not any(isinstance(each, float) and not each.is_integer() for each in (old, new)):
        return False
    return bool(abs(old - new) <= TOLERANCE * max(abs(old), abs(new)))


def _forms(old: Any, new: Any, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], Any, Any]]:
    """The equal numbers that are written with decimals on one side only."""
    if isinstance(old, dict) and isinstance(new, dict):
        pairs: list[tuple[str | int, Any, Any]] = [(key, old[key], new[key]) for key in old if key in new]
    elif isinstance(old, list) and isinstance(new, list):
        pairs = [(number, one, other) for number, (one, other) in enumerate(zip(old, new, strict=False))]
    else:
        written_otherwise = {type(old), type(new)} == {int, float} and same(old, new)
        return [(path, old, new)] if written_otherwise else []
    return [each for key, one, other in pairs for each in _forms(one, other, (*path, key))]


def _schema_of(tool: ToolDefinition | None, path: Sequence[str | int]) -> dict[str, Any]:
    """The part of the tool's schema for the argument at the path; empty if the path cannot be followed."""
    schema = tool.parameters if tool is not None else None
    for step in path:
        if not isinstance(schema, dict):
            return {}
        properties = schema.get("properties")
        key = str(step)
        if isinstance(properties, dict) and key in properties:
            schema = properties[key]
        else:
            schema = schema.get("items", MISSING) if key.isdecimal() else None
    return schema if isinstance(schema, dict) else {}
