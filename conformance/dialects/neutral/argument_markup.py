"""Arguments of calls that a server's parser has cut at the wrong place, or did not recognise as a call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, parse
from conformance.model.transcript import Malformed, Text, ToolDefinition, calls_of

_MARKUP = re.compile(
    r"</?(?:arg_key|arg_value|tool_calls?|function_calls?)\b|<(?:parameter|function)=|</(?:parameter|function|invoke)>"
    r"|<(?:invoke|parameter) name="
)
"""The markup in which models write the pieces of a call: that of Qwen, GLM and Anthropic."""


@rule(
    "argument-markup-leaked",
    scope="reply",
    cites="ANY-004",
    opt_in=True,
    about="calls",
)
def argument_markup_leaked(view: View) -> Iterator[Hit]:
    """The arguments of a call must not contain the markup in which the model wrote it, unless the request does.

    The server's parser split the call at the wrong place: one argument has swallowed the next. In a key this is
    certain; a value may be text about such markup, which is a warning.
    """
    for call in calls_of(view.replies):
        if call.kind != "function":
            continue
        found = sorted(_marks(call.arguments), key=lambda each: not each[0])
        if found and found[0][1] not in _asked(view):
            in_key, mark = found[0]
            yield Hit(
                call.pointer,
                f"{'a key' if in_key else 'a value'} in the arguments of {call.name} contains call markup",
                "arguments without markup",
                mark,
                severity=None if in_key else Severity.WARNING,
            )


def _marks(value: Any) -> Iterator[tuple[bool, str]]:
    """The markup in keys and in values: whether it is in a key, and its text."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from ((True, mark[0]) for mark in [_MARKUP.search(key)] if mark)
            yield from _marks(each)
    elif isinstance(value, list):
        for each in value:
            yield from _marks(each)
    elif isinstance(value, str):
        yield from ((False, mark[0]) for mark in [_MARKUP.search(value)] if mark)


def _asked(view: View) -> str:
    """The request's values as JSON text, with non-ASCII characters unescaped."""
    return view.request.text if isinstance(view.request, Malformed) else json.dumps(view.request, ensure_ascii=False)


@rule(
    "call-arguments-leaked",
    scope="reply",
    cites="ANY-005",
    opt_in=True,
    about="tools",
)
def call_arguments_leaked(view: View) -> Iterator[Hit]:
    """The text of a reply without calls must not be the arguments of exactly one declared tool.

    The server did not recognise the call: the client shows its arguments to the user, and the tool never runs. A
    request for JSON, or one that forbids calls, gets JSON.
    """
    if view.ask.json_reply or (view.ask.choice is not None and view.ask.choice.mode == "none"):
        return
    for turn in view.replies:
        text = turn.text.strip()
        if turn.calls or not (text.startswith("{") and text.endswith("}")):
            continue
        value = parse(text)
        fitting = [tool for tool in view.ask.tools or () if _fits(value, tool)]
        if len(fitting) == 1:
            yield Hit(
                next(part.pointer for part in turn.parts if isinstance(part, Text)),
                f"the text is the arguments of {fitting[0].name}, without a call",
                f"a call of {fitting[0].name}",
                brief(text),
            )


def _fits(value: Any, tool: ToolDefinition) -> bool:
    """Whether the value has all properties that the tool requires, and only properties that it declares."""
    schema = tool.parameters
    if not (isinstance(value, dict) and isinstance(schema, dict) and isinstance(schema.get("properties"), dict)):
        return False
    required = schema.get("required")
    return (
        isinstance(required, list)
        and bool(required)
        and {*map(str, required)} <= value.keys() <= {*schema["properties"]}
    )
