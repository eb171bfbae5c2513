"""The texts of Llama that rows read: the messages of a prompt, its tools, and the replies."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects.llama3.definitions import AT
from conformance.dialects.llama3.frame import BREAK, ROLES, Frame, Message
from conformance.dialects.llama3.judged import Reply, frame_of, offered, replies
from conformance.dialects.llama3.tokens import BUILT_IN, ENDS, EOM, EOT, IMAGE, TAG
from conformance.dialects.text.rows import Passage, Span, source
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.transcript import Malformed, Text, ToolCall

_CALL = re.compile(r"\.call\(\s*query\s*=")
_LISTS = re.compile(r"llama[-_. ]*(?:3[-._][23]|4)", re.IGNORECASE)
"""Models that may list several calls."""
_LLAMA_3_2 = re.compile(r"llama[-_. ]*3[-._]2", re.IGNORECASE)
_LONGEST = 20_000
"""Longer texts are not parsed as a Python literal."""


# The prompt ----------------------------------------------------------------------------------------------------------
@source("request")
def messages(view: View) -> Iterator[Passage]:
    """The messages of the prompt, and then the text outside of them."""
    frame = frame_of(view)
    if frame is not None:
        yield Passage(AT, (*map(_message, range(len(frame.messages)), frame.messages), *_outside(frame)))


def _message(number: int, message: Message) -> Span:
    kinds = ["message", message.role if message.role in ROLES else "unknown role"]
    if message.breaks < len(BREAK):
        kinds.append("short break")
    elif message.body.startswith("\n") and message.role != "ipython":
        kinds.append("long break")
    if message.end is None:
        kinds.append("without its end")
    if message.end == EOM and message.role != "assistant":
        kinds.append("waits for a tool")
    if any(end in message.body for end in ENDS):
        kinds.append("token inside")
    return Span(tuple(kinds), message.raw, name=f"message {number} ({message.role})")


def _outside(frame: Frame) -> Iterator[Span]:
    if frame.loose:
        yield Span(("loose token",), f"{frame.loose} too many")
    gaps = [("before the first message", frame.before)]
    gaps += [(f"after message {number} ({each.role})", each.after) for number, each in enumerate(frame.messages)]
    yield from (Span(("text outside",), text, name=where) for where, text in gaps if text)


@source("request")
def prompts_of_3_2(view: View) -> Iterator[Passage]:
    """What the documents of Llama 3.2 have of a prompt: results that are not JSON, tools beside an image.

    Python and built-in tools, which an environment runs, print what they like.
    """
    frame, offer = frame_of(view), offered(view)
    if frame is None or not _LLAMA_3_2.search(view.model or ""):
        return
    spans = []
    if not offer.ipython:
        results = [(number, each.body) for number, each in enumerate(frame.messages) if each.role == "ipython"]
        plain = ((number, text) for number, text in results if isinstance(jsontext.parse(text), Malformed))
        spans = [Span(("plain result",), text, name=f"message {number} (ipython)") for number, text in plain]
    if offer.tools and any(IMAGE in each.body for each in frame.messages):
        spans.append(Span(("tools beside an image",), f"{len(offer.tools)} tools"))
    yield Passage(AT, tuple(spans))


@source("request")
def tools(view: View) -> Iterator[Passage]:
    """What is wrong with the `Tools:` line, and with the definitions of functions."""
    offer = offered(view)
    spans = [Span(("broken function",), text) for text in offer.broken]
    spans += [Span(("incomplete function",), name, name=name) for name in offer.bare]
    spans += [Span(("other tool",), name) for name in offer.built_in or () if name not in BUILT_IN]
    if offer.built_in is not None:
        spans += [] if offer.built_in else [Span(("other tool",), "nothing")]
        spans += [] if offer.ipython else [Span(("no environment",), "no such line")]
    yield Passage(offer.at, tuple(spans))


# The reply -----------------------------------------------------------------------------------------------------------
@source("reply")
def reply(view: View) -> Iterator[Passage]:
    """The replies: each fault that the reader finds, and what else the text of a call shows."""
    for each in replies(view):
        faults = [*each.reading.faults, *((kind, "") for kind in _kinds(each, view))]
        spans = tuple(Span((kind,), each.text, name=what) for kind, what in faults)
        yield Passage(each.pointer, spans, each.cut, each.text)


def _kinds(reply: Reply, view: View) -> Iterator[str]:
    text, reading, bare = reply.text, reply.reading, _bare(reply.text)
    request = view.request if isinstance(view.request, dict) else {}
    shown = reading.end is not None  # a server that strips tokens returns neither tag nor end token
    if reading.form == "built-in" and TAG not in text:
        if shown:
            yield "untagged"
        elif request.get("skip_special_tokens") is False:
            yield "untagged without its end"
    if text.endswith(EOM) and TAG not in text and "<function=" not in text:
        yield "unmarked"
    if _CALL.match(bare):
        yield "nameless"
    if _misquoted(bare):
        yield "misquoted"
    if not reply.cut and _names_a_function(reply, view):
        yield "unread call"
    asked = [request.get(key) for key in ("include_stop_str_in_output", "skip_special_tokens")]
    if asked == [True, False] and reply.turn.stop == "end" and not shown:
        yield "without its end"
    yield from _unasked(reply, view)


def _unasked(reply: Reply, view: View) -> Iterator[str]:
    """The form of a call for which the prompt does not ask."""
    offer, form = offered(view), reply.reading.form
    if form in ("built-in", "code") and not offer.ipython:
        yield "unasked Python"
    elif form == "custom" and not offer.custom:
        yield "unasked tags"
    elif form == "list" and re.search(r"3[-._]1", view.model or ""):
        yield "unasked list"


def _bare(text: str) -> str:
    for token in (TAG, EOM, EOT):
        text = text.replace(token, "")
    return text.strip()


def _misquoted(text: str) -> bool:
    """Whether the text is a call with Python's quotes, or as JSON text in JSON text."""
    value: Any = None
    if text.startswith('"{'):
        inner = jsontext.parse(text)
        value = jsontext.parse(inner) if isinstance(inner, str) else None
    elif text.startswith("{'") and len(text) < _LONGEST:
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return re.match(r"\{'name'\s*:.*'parameters'\s*:", text, re.DOTALL) is not None
    return isinstance(value, dict) and "name" in value and ("parameters" in value or "arguments" in value)


def _names_a_function(reply: Reply, view: View) -> bool:
    """Whether a text that is no call looks like JSON with the name of a function."""
    names = [f'"{tool.name}"' for tool in view.ask.tools or () if tool.name]
    for part in reply.reading.parts:
        code = part.wire if isinstance(part, ToolCall) and part.kind == "custom" else None
        shown = ((part.text if isinstance(part, Text) else code) or "").lstrip()
        if shown.startswith(("{", '"', "[")) and any(name in shown for name in names):
            return True
    return False


@source("reply")
def calls(view: View) -> Sequence[Passage]:
    """The calls of the replies of models that make one at a time."""
    made = [] if _LISTS.search(view.model or "") else list(replies(view))
    return [Passage(each.pointer, tuple(Span(("call",)) for _ in each.reading.calls)) for each in made]
