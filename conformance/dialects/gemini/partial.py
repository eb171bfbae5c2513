"""Arguments that Vertex streams in pieces (`streamFunctionCallArguments`): each piece names its JSON path."""

from __future__ import annotations

import re
from typing import Any

from conformance.dialects.gemini.wire import each, get
from conformance.model.pointer import MISSING

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[['\"](.+?)['\"]\]")
_VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")
_LONGEST = 10_000
"""Larger indexes are ignored, so that a broken path does not fill the memory."""


def merge_pieces(arguments: Any, call: dict[str, Any]) -> Any:
    """The arguments after the pieces of one more `functionCall` have been added."""
    for piece, _ in each(call, "partialArgs", ""):
        path = get(piece, "jsonPath")
        name = next((name for name in _VALUES if get(piece, name) is not MISSING), None)
        if isinstance(path, str) and path.startswith("$") and name is not None:
            value = None if name == "nullValue" else get(piece, name)
            arguments = _put(arguments, _steps(path), value)
    return arguments


def _steps(path: str) -> list[str | int]:
    return [int(index) if index else name or quoted for name, index, quoted in _STEP.findall(path)]


def _put(holder: Any, steps: list[str | int], value: Any) -> Any:
    """The holder with the value at the steps; text there already is continued."""
    if not steps:
        return holder + value if isinstance(holder, str) and isinstance(value, str) else value
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        items = list(holder) if isinstance(holder, list) else []
        if step <= _LONGEST:
            items.extend([None] * (step + 1 - len(items)))
            items[step] = _put(items[step], rest, value)
        return items
    fields = dict(holder) if isinstance(holder, dict) else {}
    fields[step] = _put(fields.get(step), rest, value)
    return fields
