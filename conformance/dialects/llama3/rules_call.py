"""The forms of a call, each with its own grammar (docs/contract/llama3.md, LLA-R-002 to R-004)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from conformance.dialects.llama3.judged import replies
from conformance.dialects.llama3.reading import Fault
from conformance.dialects.llama3.tokens import TAG
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Part, Text, ToolCall

_FORMAT = "meta-llama/llama-models models/llama3_1/prompt_format.md"
_UTILS = "meta-llama/llama-models models/llama3/tool_utils.py"


def _hits(view: View, kind: Fault, wanted: str) -> Iterator[Hit]:
    for reply in replies(view):
        for _, what in reply.faults(kind):
            yield Hit(reply.pointer, what, wanted, brief(reply.text))


@rule(
    "llama-built-in-call-malformed",
    scope="reply",
    cites="LLA-R-002",
)
def built_in_call_malformed(view: View) -> Iterator[Hit]:
    """A built-in tool must be called as `name.call(query="...")` after the Python tag.

    Otherwise the parser finds no call, and reads the reply as Python code or as text.
    """
    yield from _hits(view, "built-in", f'{TAG}name.call(query="...")')
    for reply in replies(view):
        if reply.reading.form != "built-in" or TAG in reply.text:
            continue
        shown = reply.reading.end is not None  # a server that strips tokens returns neither tag nor end token
        if shown or view.request.get("skip_special_tokens") is False:
            weaker = None if shown else Severity.WARNING
            yield Hit(reply.pointer, "the call has no tag before it", TAG, brief(reply.text), severity=weaker)


@rule(
    "llama-call-whitespace-unexpected",
    scope="reply",
    cites=["LLA-R-002", "LLA-R-001"],
    severity=Severity.WARNING,
    because="the reference parser finds it: it searches the text for a built-in call, and JSON permits white space",
)
def call_whitespace_unexpected(view: View) -> Iterator[Hit]:
    """There must be no whitespace between tag, call and end token.

    Parsers that look for the tag directly before the call miss it, and the history differs from the training data.
    """
    yield from _hits(view, "spacing", "no whitespace")


@rule(
    "llama-json-call-malformed",
    scope="reply",
    cites="LLA-R-003",
)
def json_call_malformed(view: View) -> Iterator[Hit]:
    """A call in JSON must be one object with a string `name` and an object `parameters`.

    The reference parser reads anything else as text: the user sees the call, and the tool never runs.
    """
    yield from _hits(view, "json", '{"name": "…", "parameters": {…}}')
    names = [f'"{tool.name}"' for tool in view.ask.tools or () if tool.name]
    for reply in replies(view):
        for part in reply.reading.parts if not reply.cut else ():
            text = part.text if isinstance(part, Text) else part.wire if _is_code(part) else None
            shown = (text or "").lstrip()
            if shown.startswith(("{", '"', "[")) and any(name in shown for name in names):
                wanted = '{"name": "…", "parameters": {…}}'
                yield Hit(reply.pointer, "the text has a function's name but no valid call", wanted, brief(reply.text))


def _is_code(part: Part) -> TypeGuard[ToolCall]:
    return isinstance(part, ToolCall) and part.kind == "custom"


@rule(
    "llama-custom-call-malformed",
    scope="reply",
    cites="LLA-R-004",
)
def custom_call_malformed(view: View) -> Iterator[Hit]:
    """A call in tags must be `<function=NAME>`, one JSON object on one line, and `</function>`.

    The reference parser matches a single line: otherwise it finds no call, or truncates its arguments.
    """
    yield from _hits(view, "custom", "<function=NAME>{…}</function>")
