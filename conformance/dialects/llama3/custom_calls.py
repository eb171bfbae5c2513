"""Calls in tags: `<function=NAME>{...}</function>`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.llama3.reading import CLOSE, OPEN, Reading, next_call, split_end
from conformance.dialects.text.scan import value_end
from conformance.model import jsontext
from conformance.model.transcript import Malformed, ToolCall, Unknown

_CUSTOM = re.compile(r"<function=([^<>\n]*)>")


def read_custom(text: str, found: Reading, *, cut: bool) -> str:
    """Reads the calls, and returns the text after them."""
    found.form = "custom"
    while True:
        opened = _CUSTOM.match(text)
        if opened is None:
            body, end, tail = split_end(text)
            if not cut:
                found.fault("custom", "the opening tag is not `<function=NAME>`")
            found.parts.append(Unknown("half a tag", body))
            return (end or "") + tail
        text = text[opened.end() :]
        stop, wire, closed = _tagged(text)
        call = ToolCall(None, opened[1], jsontext.parse(wire), wire=wire)
        found.parts.append(call)
        if not (cut and not closed):
            for what in _custom_faults(call, closed=closed):
                found.fault("custom", what)
        following = next_call(text[stop:], (OPEN,))
        if following is None:
            return text[stop:]
        text = following


def _tagged(text: str) -> tuple[int, str, bool]:
    """The call after an opening tag: its end, the text inside, and whether it has a closing tag.

    A closing tag inside a string of the JSON does not count.
    """
    begin = len(text) - len(text.lstrip())
    end = value_end(text, begin) if text.startswith("{", begin) else None
    close = text.find(CLOSE, end if end is not None else 0)
    body, _, _ = split_end(text)
    if close < 0 or (end is not None and text[end:close].strip()):
        if end is not None:
            return end, text[:end], False
        return len(body), body, False
    return close + len(CLOSE), text[:close], True


def _custom_faults(call: ToolCall, *, closed: bool) -> Iterator[str]:
    if not call.name:
        yield "the opening tag has no function name"
    if not closed:
        yield f"`{CLOSE}` is missing"
    if isinstance(call.arguments, Malformed):
        yield f"the text between the tags is not JSON: {call.arguments.reason}"
    elif not isinstance(call.arguments, dict):
        yield f"the text between the tags is of type {jsontext.kind(call.arguments)}"
    if "\n" in (call.wire or ""):
        yield "the call has more than one line"
