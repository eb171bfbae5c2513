"""Streams: the steps, put together from their pieces into those of the same interaction without streaming."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import groupby
from typing import Any

from conformance.dialects.gemini_interactions.reply import turn_of
from conformance.dialects.gemini_interactions.steps import kind_of, read_step, role_of
from conformance.model import jsontext
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import Grown, grown, stopped
from conformance.model.transcript import Happening, Part, Reasoning, StreamEvent, Text, ToolCall, Turn
from conformance.model.values import get, list_of

_TEXTS = {
    "text": ("text",),
    "thought_summary": ("content", "text"),
    "thought_signature": ("signature",),
    "arguments_delta": ("arguments",),
}
"""Where a delta has its piece of a text."""
_SHOWN: Mapping[str, Happening] = {"thought": "reasoning", "model_output": "text"}
"""Steps of text, and what they add to a turn."""
_ASIDE = ("", "thought_signature", "arguments_delta", "text_annotation_delta")
"""Deltas that add no content."""
_CONTENT = {"thought": "summary", "model_output": "content", "user_input": "content"}
"""The member that deltas with content add to."""
_BEGUN = {"text": "model_output", "thought_summary": "thought", "thought_signature": "thought"}
"""The type of a step that did not begin, by its first delta; that of a call is unknown: it has no id and no name."""


@dataclass
class Step:
    """A step so far: how it began, its deltas with their pointers, and the pointer of the event that ended it."""

    pointer: str
    begun: dict[str, Any]
    deltas: list[tuple[str, Any]] = field(default_factory=list)
    stop: str | None = None

    def texts(self, *kinds: str) -> Iterator[tuple[str, str]]:
        """The pieces of text in deltas of some kinds, each with its pointer."""
        for at, delta in self.deltas:
            path = _TEXTS.get(kind_of(delta), ())
            text = get(delta, *path)
            if kind_of(delta) in kinds and isinstance(text, str) and text:
                yield text, join(at, *path)

    def text(self, kind: str) -> str:
        """All pieces of a kind as one text."""
        return "".join(text for text, _ in self.texts(kind))

    @property
    def whole(self) -> dict[str, Any]:
        """The finished step, as a reply without streaming has it."""
        step, kind = dict(self.begun), kind_of(self.begun)
        if arguments := self.text("arguments_delta"):
            step["arguments"] = jsontext.parse(arguments)
        if signature := self.text("thought_signature"):
            step["signature"] = signature
        if kind in _CONTENT:
            step[_CONTENT[kind]] = [*list_of(step.get(_CONTENT[kind])), *self._content()]
        for _, delta in self.deltas:
            if kind_of(delta) == kind:  # of a tool that Google runs: what the step has beside its id
                step.update(delta)
        return step

    def _content(self) -> Iterator[Any]:
        added = (delta for _, delta in self.deltas if kind_of(delta) not in _ASIDE)
        shown = (get(each, "content") if kind_of(each) == "thought_summary" else each for each in added)
        for is_text, group in groupby(filter(None, shown), lambda each: isinstance(get(each, "text"), str)):
            if is_text:
                yield {"type": "text", "text": "".join(each["text"] for each in group)}
            else:
                yield from group

    @property
    def parts(self) -> list[Part]:
        """The parts of the finished step, all at the place where it began."""
        return list(read_step(self.whole, self.pointer, self.text("arguments_delta") or None))

    @property
    def grown(self) -> Iterator[Grown]:
        """The parts of the step with the pieces that a client sees; a text that it began with is a piece, too."""
        shown = _SHOWN.get(kind_of(self.begun))
        if shown is not None:
            texts = (part for part in read_step(self.begun, self.pointer) if isinstance(part, (Text, Reasoning)))
            begun = [(shown, part.text or "", part.pointer) for part in texts]
            yield Grown(Text(""), [*begun, *((shown, text, at) for text, at in self.texts("text", "thought_summary"))])
            return
        pieces: list[tuple[Happening, str, str]] = [
            ("tool_call_chunk", text, at) for text, at in self.texts("arguments_delta")
        ]
        yield from (Grown(part, pieces, self.stop) for part in self.parts if isinstance(part, ToolCall))


def gather(events: Sequence[Event]) -> list[Step]:
    """The steps of a stream, in the order in which they begin."""
    steps: list[Step] = []
    current: dict[int, Step] = {}
    for event in events:
        index, kind = get(event.json, "index"), get(event.json, "event_type")
        if not isinstance(index, int) or kind not in ("step.start", "step.delta", "step.stop"):
            continue
        if kind == "step.start" or index not in current:
            begun, delta = get(event.json, "step"), kind_of(get(event.json, "delta"))
            start = begun if isinstance(begun, dict) else {"type": _BEGUN.get(delta, delta)}
            current[index] = Step(join(event.pointer, "step") if "step" in event.json else event.pointer, start)
            steps.append(current[index])
        if kind == "step.delta":
            current[index].deltas.append((join(event.pointer, "delta"), get(event.json, "delta")))
        elif kind == "step.stop":
            current[index].stop = event.pointer
    return steps


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
    steps = (step for step in gather(events) if role_of(step.begun) == "assistant")
    yield from grown(each for step in steps for each in step.grown)
    for turn in read_stream(events):
        yield from stopped(turn)
