"""Tool results as clients and frameworks send them, and the texts that the model makes of them.

Frameworks wrap what a tool returned: `{"return_value": ...}`, `{"output": [{"text": ...}]}`, `{"name", "content"}`,
JSON as text, or the text of a Python object. A text is filled from any layer; what cannot be found is reported.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.judge.pairing import pair
from conformance.model import jsontext
from conformance.model.pointer import MISSING, get, join
from conformance.model.transcript import Malformed, Text, ToolResult, Turn, Unknown
from conformance.scenario.templates import Placeholder, fill, placeholders

_ENVELOPES = (
    "output", "result", "return_value", "returnValue", "content", "response", "structuredContent", "structured_content",
    "data", "value", "json", "text", "error",
)  # fmt: skip
"""The members in which a wrapped result lies; the first that leads to the wanted value counts."""
_FAILURES = (
    "error", "invalid", "fail", "exception", "malformed", "not valid", "not run", "could not", "cannot", "skipped",
)  # fmt: skip
"""Words of a result that states a failure."""
_DEPTH = 6


def returned(history: Sequence[Turn], names: Mapping[str, str]) -> dict[str, list[Any]]:
    """What each tool returned, as it was sent, oldest first; `names` are the scenario's names of declared tools."""
    found: dict[str, list[Any]] = {}
    for number, turn in enumerate(history):
        calls = history[number - 1].calls if number and turn.results else ()
        for call, result in pair(calls, turn.results).pairs:
            if call.name:
                found.setdefault(names.get(call.name, call.name), []).append(result.content)
    return found


def results_in_text(history: Sequence[Turn]) -> list[Any]:
    """JSON objects in texts after the model's turns: some clients send results as a user message."""
    found: list[Any] = []
    for turn in history[1:]:
        texts = [part.text for part in turn.parts if isinstance(part, Text)] if turn.role in ("user", "tool") else []
        texts += [str(part.value) for part in turn.parts if isinstance(part, Unknown)]
        for text in texts:
            found.extend(_objects_in(text))
    return found


def _objects_in(text: str) -> Iterator[Any]:
    start = text.find("{")
    while start >= 0:
        end = text.find("}", start)
        value: Any = MISSING
        while end >= 0 and value is MISSING:
            value = _parsed(text[start : end + 1])
            if value is MISSING:
                end = text.find("}", end + 1)
        if value is not MISSING:
            yield value
        start = text.find("{", end + 1 if value is not MISSING else start + 1)


def layers(value: Any, depth: int = _DEPTH) -> Iterator[Any]:
    """The value, then what is wrapped in it, the outermost first."""
    yield value
    if depth == 0:
        return
    if isinstance(value, str):
        inner = _parsed(value)
        if inner is not MISSING:
            yield from layers(inner, depth - 1)
    elif isinstance(value, dict):
        for name in _ENVELOPES:
            if name in value:
                yield from layers(value[name], depth - 1)
    elif isinstance(value, list) and value:
        if all(isinstance(each, dict) and isinstance(each.get("text"), str) for each in value):
            yield from layers("".join(each["text"] for each in value), depth - 1)
        elif len(value) == 1:
            yield from layers(value[0], depth - 1)


def _parsed(text: str) -> Any:
    """The value of JSON text, or of the text of a Python object; `MISSING` for any other text."""
    shown = text.strip()
    value = jsontext.parse(shown)
    if not isinstance(value, Malformed):
        return value
    if shown[:1] in ("{", "[", "'", '"') and len(shown) < 100_000:
        try:
            return ast.literal_eval(shown)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            pass
    return MISSING


def filled(text: str, history: Sequence[Turn], names: Mapping[str, str]) -> tuple[str, list[str]]:
    """The text with its placeholders filled, and what was not found.

    If a value is not found, the whole text is replaced by what the tool returned.
    """
    sent = returned(history, names)
    plain: list[Any] | None = None
    unwrapped: dict[str, list[Any]] = {tool: list(values) for tool, values in sent.items()}
    for each in placeholders(text):
        values = unwrapped.get(each.tool)
        if values is None:
            plain = results_in_text(history) if plain is None else plain
            values = unwrapped[each.tool] = plain
        at = each.number if each.number is not None else len(values) - 1
        found = _layer(each, values[at]) if 0 <= at < len(values) else MISSING
        if found is MISSING:
            return _unfilled(each, values[at] if 0 <= at < len(values) else MISSING)
        values[at] = found
    return fill(text, unwrapped), []


def _layer(wanted: Placeholder, value: Any) -> Any:
    """The layer of a result that has the wanted member."""
    pointer = join("", *wanted.steps)
    return next((each for each in layers(value) if get(each, pointer) is not MISSING), MISSING)


def _unfilled(wanted: Placeholder, value: Any) -> tuple[str, list[str]]:
    what = ".".join(wanted.steps)
    if value is MISSING:
        number = "" if wanted.number is None else f" number {wanted.number + 1}"
        return (
            f"The request has no result{number} of {wanted.tool}.",
            [f"no result{number} of {wanted.tool} was found in the request"],
        )
    shown = next((each for each in reversed(list(layers(value))) if isinstance(each, str)), None)
    shown = shown if shown is not None else json.dumps(value, ensure_ascii=False, default=str)
    return (
        f"{wanted.tool} returned: {shown}",
        [f"the result of {wanted.tool} has no member {what}; the answer repeats the result: {jsontext.brief(shown)}"],
    )


def is_failure(result: ToolResult) -> bool:
    """Whether a result states that the call failed or was not run, by its flag or in its words."""
    if result.is_error:
        return True
    text = json.dumps(result.content, ensure_ascii=False, default=str).lower()
    return any(word in text for word in _FAILURES)
