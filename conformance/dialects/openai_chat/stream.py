"""Chat streams: the chunks of each choice, put together into the turn that would have come unstreamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.dialects.openai_chat.message import read_arguments, text_of
from conformance.dialects.openai_chat.reply import read_stop
from conformance.pointer import join
from conformance.sse import Event
from conformance.transcript import Part, Reasoning, Text, ToolCall, Turn


@dataclass
class _Call:
    pointer: str
    id: str | None = None
    name: str | None = None
    kind: str = "function"
    arguments: list[str] = field(default_factory=list)


@dataclass
class _Choice:
    """What one choice has said so far; a pointer is that of the first event which said something of the kind."""

    pointer: str
    text: list[str] = field(default_factory=list)
    text_at: str = ""
    reasoning: list[str] = field(default_factory=list)
    reasoning_at: str = ""
    calls: dict[Any, _Call] = field(default_factory=dict)
    finish: Any = None
    finish_at: str = ""


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """One turn for each choice index, in the order of their first chunk."""
    choices: dict[Any, _Choice] = {}
    failed = False
    for event in events:
        failed = failed or error_of(event) is not None
        for entry, pointer in choice_entries(event):
            index = entry.get("index", 0)
            choice = choices.setdefault(index if isinstance(index, int) else 0, _Choice(pointer))
            if isinstance(entry.get("delta"), dict):
                _add(choice, entry["delta"], join(pointer, "delta"))
            if entry.get("finish_reason") is not None:
                choice.finish, choice.finish_at = entry["finish_reason"], join(pointer, "finish_reason")
    return tuple(_turn(choice, failed=failed) for choice in choices.values())


def error_of(event: Event) -> Any:
    """What a chunk says went wrong, where the server gave up in the middle of the reply; None otherwise."""
    return event.json.get("error") if isinstance(event.json, dict) else None


def choice_entries(event: Event) -> Iterator[tuple[dict[str, Any], str]]:
    """The choices of one chunk, each with its pointer."""
    choices = event.json.get("choices") if isinstance(event.json, dict) else None
    for number, entry in enumerate(choices if isinstance(choices, list) else ()):
        if isinstance(entry, dict):
            yield entry, join(event.pointer, "choices", number)


def call_fragments(delta: dict[str, Any], pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The tool call fragments of one delta, each with its pointer."""
    fragments = delta.get("tool_calls")
    for number, fragment in enumerate(fragments if isinstance(fragments, list) else ()):
        if isinstance(fragment, dict):
            yield fragment, join(pointer, "tool_calls", number)


def _add(choice: _Choice, delta: dict[str, Any], pointer: str) -> None:
    for key in ("content", "refusal"):
        if isinstance(delta.get(key), str) and delta[key]:
            choice.text_at = choice.text_at or join(pointer, key)
            choice.text.append(delta[key])
    for key in ("reasoning_content", "reasoning"):
        if isinstance(delta.get(key), str) and delta[key]:
            choice.reasoning_at = choice.reasoning_at or join(pointer, key)
            choice.reasoning.append(delta[key])
            break
    for fragment, at in call_fragments(delta, pointer):
        _add_call(choice, fragment, at)
    if isinstance(delta.get("function_call"), dict):  # the deprecated form: one call, no id and no index
        _add_call(choice, {"index": "legacy", "function": delta["function_call"]}, join(pointer, "function_call"))


def _add_call(choice: _Choice, fragment: dict[str, Any], pointer: str) -> None:
    """A fragment belongs to the call of its index; without an index, a new id begins a new call."""
    key: Any = fragment.get("index")
    if not isinstance(key, (int, str)):
        key = f"id:{fragment.get('id')}" if fragment.get("id") else next(reversed(choice.calls), "first")
    call = choice.calls.setdefault(key, _Call(pointer))
    kind = fragment.get("type")
    if isinstance(kind, str):
        call.kind = kind
    inner = fragment.get(call.kind)
    inner = inner if isinstance(inner, dict) else {}
    call.id = call.id or text_of(fragment.get("id"))
    call.name = call.name or text_of(inner.get("name"))
    piece = inner.get("input" if call.kind == "custom" else "arguments")
    if isinstance(piece, str):
        call.arguments.append(piece)


def _turn(choice: _Choice, *, failed: bool) -> Turn:
    parts: list[Part] = []
    if choice.reasoning:
        parts.append(Reasoning("".join(choice.reasoning), pointer=choice.reasoning_at))
    if choice.text:
        parts.append(Text("".join(choice.text), choice.text_at))
    for call in choice.calls.values():
        wire = "".join(call.arguments)
        value = wire if call.kind == "custom" else read_arguments(wire)
        parts.append(ToolCall(call.id, call.name, value, call.pointer, wire, kind=call.kind))
    stop = "error" if failed and choice.finish is None else read_stop(choice.finish)
    return Turn("assistant", tuple(parts), choice.pointer, stop, choice.finish, choice.finish_at)
