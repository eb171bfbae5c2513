"""Streams: the steps, put together from their pieces into those of the same interaction without streaming."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.gemini_interactions.reply import turn_of
from conformance.dialects.gemini_interactions.steps import get, kind_of, list_of, read_step, role_of, text_of
from conformance.model import jsontext
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import argument_text, chunk, closed, ended, started, stopped, whole_parts
from conformance.model.transcript import Part, Reasoning, StreamEvent, Text, ToolCall, Turn

_THOUGHTS = ("thought_summary", "thought_signature")


@dataclass
class Step:
    """A step so far: how it began, where, the pieces of its texts with their places, and where it stopped."""

    pointer: str
    begun: dict[str, Any]
    content: list[Any] = field(default_factory=list)
    signature: str = ""
    arguments: str = ""
    pieces: list[tuple[str, str]] = field(default_factory=list)
    stop: str | None = None

    @property
    def whole(self) -> dict[str, Any]:
        """The finished step, as a reply without streaming has it."""
        step, kind = dict(self.begun), kind_of(self.begun)
        if self.arguments:
            step["arguments"] = jsontext.parse(self.arguments)
        if self.signature:
            step["signature"] = self.signature
        if kind == "thought":
            step["summary"] = [*list_of(step.get("summary")), *self.content]
        elif kind in ("model_output", "user_input"):
            step["content"] = [*list_of(step.get("content")), *self.content]
        return step

    @property
    def parts(self) -> list[Part]:
        """The parts of the finished step, all at the place where it began."""
        return list(read_step(self.whole, self.pointer, self.arguments or None))

    def add(self, delta: Any, at: str) -> None:
        """Adds a piece."""
        kind = kind_of(delta)
        if kind == "text" and isinstance(get(delta, "text"), str):
            self._add_text(delta["text"], join(at, "text"))
        elif kind == "thought_summary":
            content = delta.get("content")
            if kind_of(content) == "text" and isinstance(content.get("text"), str):
                self._add_text(content["text"], join(at, "content", "text"))
            elif content is not None:
                self.content.append(content)
        elif kind == "thought_signature":
            self.signature += text_of(delta.get("signature")) or ""
        elif kind == "arguments_delta":
            piece = text_of(delta.get("arguments")) or ""
            self.arguments += piece
            self.pieces.append((piece, join(at, "arguments")))
        elif kind == kind_of(self.begun):  # of a tool that Google runs: what the step has beside its id
            self.begun = {**self.begun, **delta}
        elif kind and kind != "text_annotation_delta":
            self.content.append(delta)

    def _add_text(self, text: str, at: str) -> None:
        self.pieces.append((text, at))
        if self.content and isinstance(before := get(self.content[-1], "text"), str):
            self.content.pop()
            text = before + text
        self.content.append({"type": "text", "text": text})


def gather(events: Sequence[Event]) -> list[Step]:
    """The steps of a stream, in the order in which they begin; a piece without a step begins one that is unknown."""
    steps: dict[int, Step] = {}
    for event in events:
        index, kind = get(event.json, "index"), get(event.json, "event_type")
        if not isinstance(index, int) or kind not in ("step.start", "step.delta", "step.stop"):
            continue
        if kind == "step.start":
            begun = get(event.json, "step")
            steps[index] = Step(join(event.pointer, "step"), begun if isinstance(begun, dict) else {})
            continue
        delta = get(event.json, "delta")
        step = steps.setdefault(index, Step(event.pointer, _begun_by(delta)))
        if kind == "step.delta":
            step.add(delta, join(event.pointer, "delta"))
        else:
            step.stop = event.pointer
    return list(steps.values())


def _begun_by(delta: Any) -> dict[str, Any]:
    kind = kind_of(delta)
    kinds = {"text": "model_output", "arguments_delta": "function_call", **dict.fromkeys(_THOUGHTS, "thought")}
    return {"type": kinds.get(kind, kind)}


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The one turn; none where nothing of an interaction came."""
    steps = [step for step in gather(events) if role_of(step.begun) == "assistant"]
    begun, interaction, at = bool(steps), None, ""
    for event in events:
        found = get(event.json, "interaction")
        if isinstance(found, dict):
            begun, interaction, at = True, {**(interaction or {}), **found}, join(event.pointer, "interaction")
        if get(event.json, "event_type") == "error":
            interaction, at = {**(interaction or {}), "status": "failed"}, event.pointer
    return (turn_of([part for step in steps for part in step.parts], interaction, at),) if begun else ()


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """What each event adds to the one turn, and at the end its stop reason."""
    found = list(closed(_unclosed(events)))
    yield from sorted(found, key=lambda each: int(each.pointer.split("/")[1]))
    for turn in read_stream(events):
        yield from stopped(turn)


def _unclosed(events: Sequence[Event]) -> Iterator[StreamEvent]:
    calls = 0
    for step in gather(events):
        if role_of(step.begun) != "assistant":
            continue
        for part in step.parts:
            if isinstance(part, ToolCall):
                start = started(part, calls)
                calls += 1
                yield start
                pieces = [each for each in step.pieces if each[0]]
                for text, at in pieces or [(argument_text(part), part.pointer)]:
                    yield chunk(start, text, at)
                if step.stop is not None:
                    yield ended(start, step.stop)
            elif not step.pieces:
                yield from whole_parts([part])
        if kind_of(step.begun) in ("model_output", "thought"):
            for text, at in step.pieces:
                thought = kind_of(step.begun) == "thought"
                yield from whole_parts([Reasoning(text, None, at) if thought else Text(text, at)])
