"""The fields of Chat objects and the JSON types that the contract gives them, as tables.

A field that is not in its table is not judged: providers add fields without notice (statement 0.3.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.model.finding import Hit
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join


@dataclass(frozen=True, slots=True)
class Field:
    """The JSON types a field may have; `filled` forbids an empty string."""

    kinds: tuple[str, ...]
    required: bool = False
    filled: bool = False


def must(*kinds: str, filled: bool = False) -> Field:
    """A field that has to be there."""
    return Field(kinds, required=True, filled=filled)


def may(*kinds: str) -> Field:
    """A field that may be left out."""
    return Field(kinds)


Shape = Mapping[str, Field]

FUNCTION: Shape = {"name": must("string"), "arguments": must("string")}
CUSTOM: Shape = {"name": must("string"), "input": must("string")}
CALL: Shape = {"id": must("string", filled=True), "type": must("string"), "function": may("object")}
USAGE: Shape = {
    "prompt_tokens": must("integer"),
    "completion_tokens": must("integer"),
    "total_tokens": must("integer"),
    "prompt_tokens_details": may("object", "null"),
    "completion_tokens_details": may("object", "null"),
}
COMPLETION: Shape = {
    "id": must("string", filled=True),
    "object": must("string"),
    "created": must("integer"),
    "model": must("string", filled=True),
    "choices": must("array"),
    "usage": may("object", "null"),
    "system_fingerprint": may("string", "null"),
    "service_tier": may("string", "null"),
}
CHOICE: Shape = {
    "index": must("integer"),
    "message": must("object"),
    "finish_reason": must("string"),
    "logprobs": may("object", "null"),
}
MESSAGE: Shape = {
    "role": must("string"),
    "content": must("string", "null"),
    "refusal": may("string", "null"),
    "tool_calls": may("array", "null"),
    "annotations": may("array", "null"),
    "function_call": may("object", "null"),
}
CHUNK: Shape = {**COMPLETION, "id": must("string"), "model": must("string")}
CHUNK_CHOICE: Shape = {
    "index": must("integer"),
    "delta": must("object"),
    "finish_reason": must("string", "null"),
    "logprobs": may("object", "null"),
}
DELTA: Shape = {
    "role": may("string", "null"),
    "content": may("string", "null"),
    "refusal": may("string", "null"),
    "tool_calls": may("array", "null"),
    "function_call": may("object", "null"),
}
FRAGMENT: Shape = {
    "id": may("string", "null"),
    "type": may("string", "null"),
    "function": may("object", "null"),
    "custom": may("object", "null"),
}
FRAGMENT_FUNCTION: Shape = {"name": may("string", "null"), "arguments": may("string", "null")}
REQUEST: Shape = {
    "model": must("string", filled=True),
    "messages": must("array"),
    "tools": may("array", "null"),
    "tool_choice": may("string", "object", "null"),
    "parallel_tool_calls": may("boolean", "null"),
    "stream": may("boolean", "null"),
    "stream_options": may("object", "null"),
    "temperature": may("number", "null"),
    "top_p": may("number", "null"),
    "n": may("integer", "null"),
    "max_tokens": may("integer", "null"),
    "max_completion_tokens": may("integer", "null"),
    "stop": may("string", "array", "null"),
    "response_format": may("object", "null"),
}
ERROR: Shape = {
    "message": must("string"),
    "type": must("string"),
    "param": must("string", "null"),
    "code": must("string", "null"),
}


@dataclass(frozen=True, slots=True)
class Misfit:
    """Where an object breaks its table: a required field is `missing`, or one has another type."""

    field: str
    missing: bool
    hit: Hit


def misfits(value: Any, shape: Shape, pointer: str) -> Iterator[Misfit]:
    """Where the value, an object, breaks the table."""
    if not isinstance(value, dict):
        yield Misfit("", False, Hit(pointer, f"{pointer or 'the body'} is no object", "an object", kind(value)))
        return
    for name, field in shape.items():
        if name not in value:
            if field.required:
                wanted = f"`{name}` ({_or(field)})"
                yield Misfit(name, True, Hit(pointer, f"`{name}` is missing", wanted, "no such field"))
            continue
        got = value[name]
        if not _is_one_of(got, field.kinds) or (field.filled and got == ""):
            wanted = f"{_or(field)}{' that is not empty' if field.filled else ''}"
            yield Misfit(name, False, Hit(join(pointer, name), f"`{name}` is {_is(got)}", wanted, brief(got)))


def _or(field: Field) -> str:
    return " or ".join(field.kinds)


def _is(value: Any) -> str:
    return "empty" if value == "" else f"of type {kind(value)}"


def _is_one_of(value: Any, kinds: tuple[str, ...]) -> bool:
    return kind(value) in kinds or ("integer" in kinds and isinstance(value, int) and not isinstance(value, bool))
