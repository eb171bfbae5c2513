"""Chat streams: the chunks of each choice, assembled into the turn of the same reply without streaming."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, Literal

from conformance.dialects.chat_content import thought_of
from conformance.dialects.openai_chat.message import legacy_call
from conformance.dialects.openai_chat.reply import STOPS
from conformance.dialects.wire_readers import arguments_of, stop_of
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, Turn
from conformance.model.values import get, objects_in, text_of


@dataclass
class _Call:
    pointer: str
    id: str | None = None
    name: str | None = None
    arguments: list[str] = field(default_factory=list)


@dataclass
class _Choice:
    """The parts of one choice so far; a part's pointer is that of the first event with a piece of it."""

    pointer: str
    text: list[str] = field(default_factory=list)
    text_at: str = ""
    reasoning: list[str] = field(default_factory=list)
    reasoning_at: str = ""
    calls: dict[Any, _Call] = field(default_factory=dict)
    kinds: dict[Any, str] = field(default_factory=dict)
    finish: Any = None
    finish_at: str = ""


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """One turn for each choice index, in the order of their first chunk."""
    choices: dict[int, _Choice] = {}
    failed = ""
    for event in events:
        if not failed and error_of(event) is not None:
            failed = join(event.pointer, "error")
        for entry, pointer in choice_entries(event):
            index = index_of(entry)
            choice = choices.get(index)
            if choice is None:
                choice = choices[index] = _Choice(pointer)
            if isinstance(entry.get("delta"), dict):
                _add(choice, entry["delta"], f"{pointer}/delta")
            if entry.get("finish_reason") is not None:
                choice.finish, choice.finish_at = entry["finish_reason"], join(pointer, "finish_reason")
    return tuple(_turn(choice, failed) for choice in choices.values())


def error_of(event: Event) -> Any:
    """The error that a chunk reports if the server failed in the middle of the reply; None otherwise."""
    return get(event.json, "error")


def choice_entries(event: Event) -> Iterator[tuple[dict[str, Any], str]]:
    """The choices of one chunk, each with its pointer."""
    return objects_in(event.json, "choices", event.pointer)


def index_of(entry: dict[str, Any]) -> int:
    """The choice of a chunk's entry; an entry without an index belongs to the first."""
    index = entry.get("index", 0)
    return index if isinstance(index, int) else 0


def call_fragments(delta: dict[str, Any], pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The tool call fragments of one delta, each with its pointer."""
    return objects_in(delta, "tool_calls", pointer)


def text_pieces(delta: dict[str, Any], pointer: str) -> Iterator[tuple[Literal["text", "reasoning"], str, str]]:
    """The texts of one delta besides calls: kind, text and pointer."""
    for key in ("content", "refusal"):
        text = delta.get(key)
        if text and isinstance(text, str):
            yield "text", text, f"{pointer}/{key}"
    content = delta.get("content")
    for number, part in enumerate(content if isinstance(content, list) else ()):  # Mistral's
        at = f"{pointer}/content/{number}"
        if isinstance(part, dict) and (thought := thought_of(part)):
            yield "reasoning", thought, at
        elif get(part, "type") == "text" and isinstance(part.get("text"), str) and part["text"]:
            yield "text", part["text"], at
    for key in ("reasoning_content", "reasoning"):
        text = delta.get(key)
        if text and isinstance(text, str):
            yield "reasoning", text, f"{pointer}/{key}"
            break


def call_pieces(delta: dict[str, Any], pointer: str, known: dict[Any, str]) -> Iterator[tuple[Any, ToolCall]]:
    """The fragments of calls in one delta, each with the key of its call, and as a call that is only this piece.

    A fragment belongs to the call of its index; without an index, a new id begins a new call. `known` are the
    kinds of the calls so far by their keys, in order: the caller adds to them during the iteration.
    """
    for fragment, at in call_fragments(delta, pointer):
        key: Any = fragment.get("index")
        if not isinstance(key, (int, str)):
            key = f"id:{fragment.get('id')}" if fragment.get("id") else next(reversed(known), "first")
        yield key, _piece(fragment, at, known.get(key, "function"))
    legacy = legacy_call(delta)
    if legacy is not None and known.keys() <= {"legacy"} and not delta.get("tool_calls"):  # deprecated
        yield "legacy", _piece({"function": legacy}, join(pointer, "function_call"), "function")


def _piece(fragment: dict[str, Any], pointer: str, kind: str) -> ToolCall:
    kind = fragment["type"] if isinstance(fragment.get("type"), str) else kind
    inner = fragment.get(kind)
    inner = inner if isinstance(inner, dict) else {}
    wire = text_of(inner.get("input" if kind == "custom" else "arguments"))
    return ToolCall(text_of(fragment.get("id")), text_of(inner.get("name")), None, pointer, wire, kind)


def _add(choice: _Choice, delta: dict[str, Any], pointer: str) -> None:
    for kind, text, at in text_pieces(delta, pointer):
        if kind == "text":
            choice.text_at = choice.text_at or at
            choice.text.append(text)
        else:
            choice.reasoning_at = choice.reasoning_at or at
            choice.reasoning.append(text)
    for key, piece in call_pieces(delta, pointer, choice.kinds):
        call = choice.calls.setdefault(key, _Call(piece.pointer))
        choice.kinds[key] = piece.kind
        call.id = call.id or piece.id
        call.name = call.name or piece.name
        if piece.wire is not None:
            call.arguments.append(piece.wire)


def _turn(choice: _Choice, failed: str) -> Turn:
    """The turn; `failed` is the pointer of the error that ended the stream, if any."""
    parts: list[Part] = []
    if choice.reasoning:
        parts.append(Reasoning("".join(choice.reasoning), pointer=choice.reasoning_at))
    if choice.text:
        parts.append(Text("".join(choice.text), choice.text_at))
    for key, call in choice.calls.items():
        wire, kind = "".join(call.arguments), choice.kinds[key]
        value = wire if kind == "custom" else arguments_of(wire)
        parts.append(ToolCall(call.id, call.name, value, call.pointer, wire, kind=kind))
    if failed and choice.finish is None:
        return Turn("assistant", tuple(parts), choice.pointer, "error", None, failed)
    stop = stop_of(choice.finish, STOPS)
    return Turn("assistant", tuple(parts), choice.pointer, stop, choice.finish, choice.finish_at)
