"""Qwen3 prompts: the frames of one text, read as turns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects.qwen3.claims import HOST, START, prompt_of
from conformance.dialects.qwen3.parse import END, parse
from conformance.dialects.qwen3.prompt import (
    HEADING,
    NO_THOUGHT,
    RESULT_CLOSE,
    RESULT_OPEN,
    TOOLS_CLOSE,
    TOOLS_OPEN,
)
from conformance.dialects.text.reading import placed
from conformance.dialects.wire_readers import function_in, tool_of
from conformance.model import jsontext
from conformance.model.exchange import Request
from conformance.model.frozen import dataclass
from conformance.model.registry import all_dialects
from conformance.model.transcript import Ask, Part, Role, Text, ToolDefinition, ToolResult, Turn
from conformance.model.values import get, text_of

AT = "/prompt"
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_TOOLS = re.compile(rf"{TOOLS_OPEN}\s*\n(.*?)\n?{TOOLS_CLOSE}", re.DOTALL)
_RESULT = re.compile(rf"{RESULT_OPEN}\n?(.*?)\n?{RESULT_CLOSE}(?=\s*(?:{RESULT_OPEN}|\Z))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Frame:
    """One framed turn. `gap` is the text before it; `closed` is whether it has its end token.

    `broken_line` is whether the line end after the role is missing.
    """

    role: str
    body: str
    closed: bool
    gap: str
    broken_line: bool = False


def frames(prompt: str) -> tuple[Frame, ...]:
    """The frames of a prompt; the last one is open if the model has to continue it."""
    found: list[Frame] = []
    gap, *rest = prompt.split(START)
    for piece in rest:
        inner, end, after = piece.partition(END)
        role, line, body = inner.partition("\n")
        found.append(Frame(role, body, bool(end), gap, broken_line=not line))
        gap = after
    if gap and found and found[-1].closed:
        found.append(Frame("", "", closed=True, gap=gap))
    return tuple(found)


def tool_lines(prompt: str) -> tuple[str, ...] | None:
    """The lines between the tools tags of the system turn; None if there are no such tags."""
    for frame in frames(prompt):
        found = _TOOLS.search(frame.body) if frame.role == "system" else None
        if found:
            return tuple(line for line in found[1].split("\n") if line.strip())
    return None


def read_tools(prompt: str) -> tuple[ToolDefinition, ...]:
    """The tools that the system turn declares; empty if the prompt does not mention tools."""
    return tuple(tool_of(function_in(jsontext.parse(line)), AT) for line in tool_lines(prompt) or ())


def results_in(body: str) -> tuple[str, ...]:
    """The texts between the tags of results, unchanged."""
    return tuple(match[1] for match in _RESULT.finditer(body))


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request: the host's, with the turns that are in its prompt.

    `extra`: whether the model should think, if the prompt decides it.
    """
    ask = all_dialects()[HOST].readers.read_request(request, body)
    prompt = prompt_of(body)
    if START not in prompt:
        return ask
    opened = frames(prompt)[-1]
    thinking = opened.closed or opened.body != NO_THOUGHT
    return replace(ask, tools=read_tools(prompt), history=_turns(prompt), extra={**ask.extra, "thinking": thinking})


def _turns(prompt: str) -> tuple[Turn, ...]:
    """The frames as turns; results in consecutive frames answer one set of calls."""
    turns: list[tuple[Role, list[Part], bool]] = []
    for frame in frames(prompt):
        parts = tuple(placed(_parts(frame), AT))
        results = any(isinstance(part, ToolResult) for part in parts)
        if not frame.closed and frame.role == "assistant" and not parts:
            continue
        if results and turns and turns[-1][2]:
            turns[-1][1].extend(parts)
        elif frame.role or parts:
            turns.append(("tool" if results else _ROLES.get(frame.role, "unknown"), list(parts), results))
    return tuple(Turn(role, tuple(parts), AT) for role, parts, _ in turns)


def _parts(frame: Frame) -> Iterator[Part]:
    if frame.role == "assistant":
        yield from parse(frame.body)
        return
    if frame.role == "system":
        text = frame.body.partition(HEADING)[0].strip()
        if text:
            yield Text(text)
        return
    results = results_in(frame.body)
    text = (_RESULT.sub("", frame.body) if results else frame.body).strip()
    yield from (ToolResult(None, None, each) for each in results)
    if frame.role == "tool" and not results:
        yield ToolResult(None, None, frame.body)
    elif text:
        yield Text(text)


def is_broken(line: str) -> bool:
    """Whether a line of the tools is not a complete tool object."""
    value = jsontext.parse(line)
    return get(value, "type") != "function" or not text_of(get(value, "function", "name"))
