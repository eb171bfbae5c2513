"""Tool results, read from a transcript."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.judge.pairing import pair
from conformance.model import jsontext
from conformance.model.transcript import Malformed, ToolResult, Turn


def returned(history: Sequence[Turn]) -> dict[str, list[Any]]:
    """The JSON values that each tool returned in a history, oldest first."""
    found: dict[str, list[Any]] = {}
    for number, turn in enumerate(history):
        calls = history[number - 1].calls if number and turn.results else ()
        for call, result in pair(calls, turn.results).pairs:
            if call.name:
                found.setdefault(call.name, []).append(value_of(result))
    return found


def value_of(result: ToolResult) -> Any:
    """The JSON value inside a result, whatever a dialect wraps around it.

    Text is parsed if it is JSON; text blocks are joined first; an object whose one key is `output`, `result`
    or `error` is Gemini's envelope.
    """
    content = result.content
    if isinstance(content, list) and all(isinstance(block, dict) and "text" in block for block in content):
        content = "".join(str(block["text"]) for block in content)
    if isinstance(content, dict) and len(content) == 1 and next(iter(content)) in ("output", "result", "error"):
        content = next(iter(content.values()))
    if isinstance(content, str):
        value = jsontext.parse(content)
        return content if isinstance(value, Malformed) else value
    return content
