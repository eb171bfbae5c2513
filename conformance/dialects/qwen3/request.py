"""Qwen3 requests: the frames of a prompt, or the messages of a chat, read as turns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from conformance.dialects.qwen3.claims import START, is_chat, prompt_of
from conformance.dialects.qwen3.parse import END, parse
from conformance.dialects.qwen3.prompt import (
    HEADING,
    NO_THOUGHT,
    RESULT_CLOSE,
    RESULT_OPEN,
    TOOLS_CLOSE,
    TOOLS_OPEN,
)
from conformance.dialects.text.content import text_of as content_text
from conformance.dialects.text.reading import placed
from conformance.dialects.wire_readers import function_in, tool_of
from conformance.model import jsontext
from conformance.model.exchange import Request
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.registry import layers_of
from conformance.model.transcript import Ask, Part, Role, Text, ToolDefinition, ToolResult, Turn
from conformance.model.values import get, objects_in, text_of

AT = "/prompt"
_IN_CHAT = {"developer": "system"}
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_TOOLS = re.compile(rf"{TOOLS_OPEN}\s*\n(.*?)\n?{TOOLS_CLOSE}", re.DOTALL)
_INLINE = re.compile(rf"{TOOLS_OPEN}[ \t]{{0,40}}(?=[{{\[])")
"""As Hermes models have them: in one line."""
_RESULT_END = re.compile(rf"\n?{RESULT_CLOSE}(?=\s*(?:{RESULT_OPEN}|\Z))")


@dataclass(frozen=True, slots=True)
class Frame:
    """One framed turn, or a message of a chat. `at` is its place, `gap` is the text before it.

    `closed` is whether it has its end token, `broken_line` whether the line end after the role is missing.
    """

    role: str
    body: str
    closed: bool
    gap: str
    broken_line: bool = False
    at: str = AT


def frames_of(body: Any) -> tuple[Frame, ...]:
    """The frames of a request; the last one is open if the model has to continue it."""
    return _messages(body) if is_chat(body) else _frames(prompt_of(body))


def _messages(body: Any) -> tuple[Frame, ...]:
    """The messages of a chat as the server frames them."""
    found = [
        Frame(_IN_CHAT.get(role, role), text, closed=True, gap="\n" if number else "", at=at)
        for number, (text, at, role) in enumerate(
            (content_text(message.get("content")), join(at, "content"), text_of(message.get("role")) or "")
            for message, at in objects_in(body, "messages")
        )
    ]
    return (*found, Frame("assistant", "", closed=False, gap="\n"))


def _frames(prompt: str) -> tuple[Frame, ...]:
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


def tool_lines(found: Iterable[Frame]) -> tuple[str, ...] | None:
    """The lines between the tools tags of the system turn; None if there are no such tags."""
    for frame in found:
        if frame.role != "system":
            continue
        if listed := _TOOLS.search(frame.body):
            return tuple(line for line in listed[1].split("\n") if line.strip())
        if inline := _INLINE.search(frame.body):
            line = frame.body[inline.end() :].partition(TOOLS_CLOSE)[0]
            return tuple(map(json.dumps, _objects(line)))
    return None


def _objects(text: str) -> Iterator[Any]:
    """The JSON objects in a line, one after the other or in a list, as far as it is JSON."""
    decoder, place = json.JSONDecoder(), 0
    with suppress(ValueError, RecursionError):
        while place < len(text):
            value, place = decoder.raw_decode(text, place)
            yield from value if isinstance(value, list) else [value]
            place = len(text) - len(text[place:].lstrip(" \t,"))


def _tools(found: Sequence[Frame]) -> tuple[ToolDefinition, ...]:
    """The tools that the system turn declares; empty if the prompt does not mention tools."""
    at = next((frame.at for frame in found if frame.role == "system"), AT)
    return tuple(tool_of(function_in(jsontext.parse(line)), at) for line in tool_lines(found) or ())


def results_in(body: str) -> tuple[str, ...]:
    """The texts between the tags of results, unchanged."""
    return tuple(text for text, _, _ in _results(body))


def _results(body: str) -> Iterator[tuple[str, int, int]]:
    """The text of each result, with its begin and its end, tags included."""
    begin = body.find(RESULT_OPEN)
    while begin >= 0 and (end := _RESULT_END.search(body, begin + len(RESULT_OPEN))) is not None:
        yield body[begin + len(RESULT_OPEN) : end.start()].removeprefix("\n"), begin, end.end()
        begin = body.find(RESULT_OPEN, end.end())


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request: the host's, with the turns that are in its prompt.

    `extra`: whether the model should think, if the prompt decides it.
    """
    ask = layers_of("qwen3", request)[0].readers.read_request(request, body)
    found = frames_of(body)
    if not found:
        return ask
    thinking = {} if is_chat(body) else {"thinking": found[-1].closed or found[-1].body != NO_THOUGHT}
    return replace(ask, tools=_tools(found), history=_turns(found), extra={**ask.extra, **thinking})


def _turns(found: Iterable[Frame]) -> tuple[Turn, ...]:
    """The frames as turns; results in consecutive frames answer one set of calls."""
    turns: list[tuple[Role, list[Part], bool, str]] = []
    for frame in found:
        parts = tuple(placed(_parts(frame), frame.at))
        results = any(isinstance(part, ToolResult) for part in parts)
        if not frame.closed and frame.role == "assistant" and not parts:
            continue
        if results and turns and turns[-1][2]:
            turns[-1][1].extend(parts)
        elif frame.role or parts:
            turns.append(("tool" if results else _ROLES.get(frame.role, "unknown"), list(parts), results, frame.at))
    return tuple(Turn(role, tuple(parts), at) for role, parts, _, at in turns)


def _parts(frame: Frame) -> Iterator[Part]:
    if frame.role == "assistant":
        yield from parse(frame.body)
        return
    if frame.role == "system":
        text = frame.body.partition(HEADING)[0].strip()
        if text:
            yield Text(text)
        return
    results, text, place = list(_results(frame.body)), "", 0
    for _, begin, end in results:
        text, place = text + frame.body[place:begin], end
    text = (text + frame.body[place:]).strip()
    yield from (ToolResult(None, None, each) for each, _, _ in results)
    if frame.role == "tool" and not results:
        yield ToolResult(None, None, frame.body)
    elif text:
        yield Text(text)


def is_broken(line: str) -> bool:
    """Whether a line of the tools is not a complete tool object."""
    value = jsontext.parse(line)
    return get(value, "type") != "function" or not text_of(get(value, "function", "name"))
