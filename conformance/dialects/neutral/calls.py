"""Tool calls in a reply: they name a declared tool, and the model's own markup does not leak."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed, Text, ToolCall, calls_of

_MARKUP = (
    "<tool_call>",
    "</tool_call>",
    "<tool_calls>",
    "<function_call>",
    "</function_call>",
    "<function=",
    "<invoke name=",
    "<|python_tag|>",
    "<|python_start|>",
    "<|tool_call",
    "<|channel|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_start|>",
    "<|im_end|>",
    "<｜tool",  # noqa: RUF001 - DeepSeek's tokens are spelled with a full-width bar
    "[TOOL_CALLS]",
    "[/TOOL_CALLS]",
    "[ARGS]",
    "[TOOL_REQUEST]",
)
"""The markup of calls as models write it, before a server parses it."""
_OBJECT = re.compile(r"\{\s*\"")
_DECODER = json.JSONDecoder()


@rule(
    "tool-call-undeclared",
    scope="reply",
    cites="ANY-126",
    about="calls",
)
def tool_call_undeclared(view: View) -> Iterator[Hit]:
    """Every call must name a tool that the request declares.

    No client can run another call. The name is often a declared one that a parser has doubled, cut or extended.
    """
    tools = view.ask.tools
    if isinstance(view.request, Malformed) or (tools is None and not view.complete):
        return  # the request may declare tools, but it was not recorded or cannot be read
    if any(tool.kind == "toolset" for tool in tools or ()):
        return  # it declares tools whose names are not in the request
    declared = [tool.name for tool in tools or ()]
    wanted = f"one of {brief(declared)}" if declared else "no call, as the request declares no tool"
    for call in calls_of(view.replies):
        if call.name and call.name not in declared:
            yield Hit(call.pointer, f"{call.name} is not a declared tool", wanted, call.name)


@rule(
    "call-replacement-character-unexpected",
    scope="reply",
    cites="ANY-130",
)
def call_replacement_character_unexpected(view: View) -> Iterator[Hit]:
    """A call's name and arguments must not contain U+FFFD, unless the request does.

    It replaces a character whose bytes were split between two chunks: the tool gets a broken value.
    """
    for turn in view.replies:
        for call in turn.calls:
            if _broken(call.name) or _broken(call.wire) or (_may_hide(call) and _broken(call.arguments)):
                if "\ufffd" in _asked(view):
                    return
                whole = turn.stop not in ("length", "filter")
                yield Hit(
                    call.pointer,
                    f"the call of {call.name} contains U+FFFD instead of a character",
                    "the original character",
                    jsontext.brief(call.arguments),
                    severity=None if whole else Severity.WARNING,
                )


def _may_hide(call: ToolCall) -> bool:
    """Whether the arguments can contain a character that their text does not: they have no text, or it escapes some."""
    return call.wire is None or "\\u" in call.wire


def _broken(value: Any) -> bool:
    if isinstance(value, Malformed):
        value = value.text
    if isinstance(value, str):
        return "\ufffd" in value
    return isinstance(value, (dict, list)) and "\ufffd" in _dumped(value)


def _asked(view: View) -> str:
    """The request's values as JSON text, with non-ASCII characters unescaped."""
    return view.request.text if isinstance(view.request, Malformed) else _dumped(view.request)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@rule(
    "call-markup-leaked",
    scope="reply",
    cites="ANY-132",
    about="tools",
)
def call_markup_leaked(view: View) -> Iterator[Hit]:
    """A reply to a request with tools must not have unparsed calls in its text, or markup in a tool's name.

    The server's parser missed a call: the client shows the markup to the user, and the tool never runs.
    """
    tools = view.ask.tools
    if not tools:
        return
    names = {tool.name for tool in tools}
    for turn in view.replies:
        for part in turn.parts:
            leak = _leak(part, names)
            if leak and not (leak in _MARKUP and leak in _asked(view)):
                yield Hit(part.pointer, "the reply contains an unparsed call", "a parsed tool call", leak)


def _leak(part: object, names: set[str | None]) -> str | None:
    """The markup of a call in the part."""
    text = part.text if isinstance(part, Text) else part.name if isinstance(part, ToolCall) else None
    found = next((mark for mark in _MARKUP if text and mark in text), None)
    return _spelled(part.text, names) if found is None and isinstance(part, Text) else found


def _spelled(text: str, names: set[str | None]) -> str | None:
    """The declared tool that the text calls in plain JSON, wherever the object is in the text."""
    if '"name"' not in text or not ('"arguments"' in text or '"parameters"' in text):
        return None
    for start in _OBJECT.finditer(text):
        try:
            value, _ = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        name = value.get("name")
        if isinstance(name, str) and name in names and ("arguments" in value or "parameters" in value):
            return name
    return None
