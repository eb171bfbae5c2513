"""Malformed calls that parse as text, and the place of the system message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.llama3.definitions import AT
from conformance.dialects.llama3.judged import frame_of, replies
from conformance.dialects.llama3.tokens import EOM, EOT, TAG
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_FORMAT = "meta-llama/llama-models models/llama3_1/prompt_format.md"
_TOOLS = "meta-llama/llama-models models/llama3/tool_utils.py"
_CALL = re.compile(r"(\w*)\.call\(\s*query\s*=")
_LONGEST = 20_000
"""Longer texts are not parsed as a Python literal."""


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


@rule(
    "llama-call-quoting-invalid",
    scope="reply",
    cites="LLA-R-003",
)
def call_quoting_invalid(view: View) -> Iterator[Hit]:
    """A call in JSON must be valid JSON: in double quotes, and not inside a string.

    Otherwise no parser reads it as a call, and the user sees it.
    """
    for reply in replies(view):
        text = _bare(reply.text)
        if _misquoted(text):
            yield Hit(reply.pointer, "a call has the wrong quotes", "a JSON object", brief(text))


@rule(
    "llama-call-tag-missing",
    scope="reply",
    cites=["LLA-R-008", "LLA-R-002"],
    because="the reference parser finds a built-in call (LLA-R-002) without the tag",
)
def call_tag_missing(view: View) -> Iterator[Hit]:
    """The call of a turn that ends in `<|eom_id|>` must begin with `<|python_tag|>` or `<function=`.

    Servers find the call by the tag; without it, they return the call as text.
    """
    for reply in replies(view):
        if reply.text.endswith(EOM) and TAG not in reply.text and "<function=" not in reply.text:
            yield Hit(reply.pointer, "the call has no python tag", f"{TAG} before the call", brief(reply.text))


@rule(
    "llama-call-name-missing",
    scope="reply",
    cites="LLA-R-002",
)
def call_name_missing(view: View) -> Iterator[Hit]:
    """A built-in call must have the tool's name before `.call`.

    Without it, there is no tool to run, and the text is not valid Python either.
    """
    for reply in replies(view):
        found = _CALL.match(_bare(reply.text))
        if found and not found[1]:
            yield Hit(
                reply.pointer, "a built-in call has no tool name", "name.call(query=...)", brief(_bare(reply.text))
            )


@rule(
    "llama-system-misplaced",
    scope="request",
    cites="LLA-Q-002",
    severity=Severity.WARNING,
    because="the statement is about each message by itself; the documents show one system message and forbid no second",
)
def system_misplaced(view: View) -> Iterator[Hit]:
    """There must be only one system message, at the beginning.

    The model was trained on this order, and follows tools and rules less well if they are elsewhere.
    """
    frame = frame_of(view)
    roles = [message.role for message in frame.messages] if frame else []
    if "system" in roles[1:]:
        place = roles.index("system", 1)
        yield Hit(AT, "a system message follows another message", "one, at the beginning", f"message {place}")
