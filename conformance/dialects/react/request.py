"""ReAct requests: plain chat whose text announces the labels.

Three layouts are read: Qwen-Agent's, where one user turn has the prompt and all steps so far, that of clients that keep
the chat's turns, with the prompt in the system turn and each observation in a user turn, and CrewAI's, which writes the
observation below the action, in the model's turn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from conformance.dialects.react.claims import BEGIN, prompts
from conformance.dialects.react.parse import OBSERVATION, Segment, parse, scan
from conformance.dialects.react.prompt import QUESTION
from conformance.dialects.text.reading import placed, reread
from conformance.model.exchange import Request
from conformance.model.registry import layers_of
from conformance.model.transcript import Ask, Part, Text, ToolDefinition, ToolResult, Turn

_NAMES = re.compile(r"\bone of \[([^\]\n]*)\]")
_NAME = re.compile(r"^(\S+): ", re.MULTILINE)
_PARAMETERS = re.compile(r"(?:Parameters: |输入参数\uff1a)(?=[{\[])")
_DECODER = json.JSONDecoder()


def names_in(text: str) -> tuple[str, ...]:
    """The tool names in the form: `should be one of [a,b]`."""
    found = _NAMES.search(text)
    return tuple(name.strip() for name in found[1].split(",") if name.strip()) if found else ()


def described_in(text: str) -> dict[str, tuple[str, Any]]:
    """The tools with a schema: name to description and schema.

    `NAME: DESCRIPTION Parameters: SCHEMA` begins a line, and has no empty line before its parameters.
    """
    found: dict[str, tuple[str, Any]] = {}
    begin = 0
    for match in _PARAMETERS.finditer(text):
        last = len(text[begin : match.start()].rstrip()) + begin
        gap = text.rfind("\n\n", begin, last)
        name = _NAME.search(text, gap + 2 if gap >= 0 else begin, match.start())
        begin = match.end()
        if name is None:
            continue
        try:
            schema, _ = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        found[name[1]] = (text[name.end() : match.start()].rstrip(), schema)
    return found


def read_tools(body: Any) -> tuple[ToolDefinition, ...] | None:
    """The tools of the prompt: those with a schema, and those with only a name."""
    for text, pointer in prompts(body):
        described = described_in(text)
        names = dict.fromkeys([*described, *names_in(text)])
        if names:
            return tuple(_tool(name, described.get(name, (None, None)), pointer) for name in names)
    return None


def _tool(name: str, description: tuple[str | None, Any], pointer: str) -> ToolDefinition:
    return ToolDefinition(name, description[0], description[1], pointer=pointer)


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request: the host's, with the tools, actions and observations that are in its text."""
    ask = layers_of("react", request)[0].readers.read_request(request, body)
    return replace(ask, tools=read_tools(body), history=tuple(_turns(ask.history)))


def _turns(history: tuple[Turn, ...]) -> Iterator[Turn]:
    for turn in history:
        if turn.role == "assistant":
            yield from _of_model(turn)
            continue
        if turn.role != "user":
            yield turn
            continue
        for part in turn.parts:
            if isinstance(part, Text):
                yield from _steps(part)
            else:
                yield Turn("user", (part,), turn.pointer)


def _of_model(turn: Turn) -> Iterator[Turn]:
    """A turn of the model; several, if the client wrote observations into it."""
    segments = scan(turn.text) if OBSERVATION in turn.text else ()
    if not _has_observation(segments):
        yield reread(turn, parse)
        return
    pointer = next(part.pointer for part in turn.parts if isinstance(part, Text))
    yield from _observed(_without_invented(segments), pointer)


def _steps(part: Text) -> Iterator[Turn]:
    """A user's text as turns: the question, then alternating actions and observations."""
    _, begun, rest = part.text.partition(f"\n{BEGIN}")
    segments = scan(rest if begun else part.text)
    if not begun and not _has_observation(segments):
        yield Turn("user", (part,), part.pointer)
        return
    steps: Sequence[Segment] = segments
    if segments and segments[0].label is None:
        question, *steps = segments
        if text := question.body.removeprefix(QUESTION).strip():
            yield Turn("user", (Text(text, part.pointer),), part.pointer)
    yield from _observed(steps, part.pointer)


def _has_observation(segments: Sequence[Segment]) -> bool:
    return any(segment.label == OBSERVATION for segment in segments)


def _without_invented(segments: Sequence[Segment]) -> list[Segment]:
    """Segments of a model's turn without an observation that it wrote itself, where the client's follows."""
    kept = [each for each, later in pairwise(segments) if not each.label == later.label == OBSERVATION]
    return [*kept, *segments[-1:]]


def _observed(segments: Iterable[Segment], pointer: str) -> Iterator[Turn]:
    """Alternating actions and observations as turns."""
    step: list[Segment] = []
    for segment in segments:
        if segment.label == OBSERVATION:
            yield from _spoken(step, pointer)
            step = []
            yield Turn("tool", (ToolResult(None, None, segment.body, pointer=pointer),), pointer)
        else:
            step.append(segment)
    if any(segment.body for segment in step):
        yield from _spoken(step, pointer)


def _spoken(segments: list[Segment], pointer: str) -> Iterator[Turn]:
    """The model's turn between two observations; empty if it has no text."""
    text = "".join(f"\n{segment.label}:{segment.text}" if segment.label else segment.text for segment in segments)
    parts: tuple[Part, ...] = tuple(placed(parse(text), pointer))
    if segments:
        yield Turn("assistant", parts, pointer)
