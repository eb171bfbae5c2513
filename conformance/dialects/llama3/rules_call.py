"""The forms of a call, each with its own grammar (docs/contract/llama3.md, LLA-R-002 to R-004)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from conformance.dialects.llama3.judged import replies
from conformance.dialects.llama3.reading import Fault
from conformance.dialects.llama3.tokens import TAG
from conformance.judge.example import Edit, change, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Part, Text, ToolCall

_TEXT = "/0/response/body/choices/0/text"
_FORMAT = "meta-llama/llama-models models/llama3_1/prompt_format.md"
_UTILS = "meta-llama/llama-models models/llama3/tool_utils.py"
_JSON, _BUILT_IN, _CUSTOM, _SEARCH = (
    "llama3-json/call",
    "llama3-builtin/call",
    "llama3-custom/call",
    "llama3-builtin/search",
)


def _in_text(old: str, new: str) -> Edit:
    return change(_TEXT, old, new)


def _hits(view: View, kind: Fault, wanted: str) -> Iterator[Hit]:
    for said in replies(view):
        for _, what in said.faults(kind):
            yield Hit(said.pointer, what, wanted, brief(said.text))


@rule(
    "llama-built-in-call-malformed",
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-002 {_UTILS}"],
    conforming=[example(_SEARCH), example("llama3-builtin/code")],
    violating=[
        example(_SEARCH, _in_text(".call(", ".run(")),
        example(_SEARCH, _in_text("query=", "")),
        example(_SEARCH, _in_text(TAG, "")),
    ],
)
def built_in_call_malformed(view: View) -> Iterator[Hit]:
    """A built-in tool must be called as `name.call(query="...")` after the Python tag.

    Otherwise the parser finds no call, and reads the reply as Python code or as text.
    """
    yield from _hits(view, "built-in", f'{TAG}name.call(query="...")')
    for said in replies(view):
        if said.reading.form != "built-in" or TAG in said.text:
            continue
        shown = said.reading.end is not None  # a server that strips tokens returns neither tag nor end token
        if shown or view.request.get("skip_special_tokens") is False:
            weaker = None if shown else Severity.WARNING
            yield Hit(said.pointer, "the call has no tag before it", TAG, brief(said.text), severity=weaker)


@rule(
    "llama-call-whitespace-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-002 {_FORMAT}", f"LLA-R-001 {_FORMAT}"],
    violating=[example(_SEARCH, _in_text(TAG, f"{TAG}\n")), example(_JSON, _in_text("}<|eot_id|>", "}\n<|eot_id|>"))],
)
def call_whitespace_unexpected(view: View) -> Iterator[Hit]:
    """There must be no whitespace between tag, call and end token.

    Parsers that look for the tag directly before the call miss it, and the history differs from the training data.
    """
    yield from _hits(view, "spacing", "no whitespace")


@rule(
    "llama-json-call-malformed",
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-003 {_UTILS}"],
    bugs=["vllm-project/vllm#16214", "kekzl/imp#1038"],
    conforming=[
        example(_JSON),
        example(_BUILT_IN),
        example(_JSON, _in_text('{"name"', '{"type": "function", "name"')),
        example("llama3-json/plain", _in_text("It is 14.2 °C in Seoul.", '{"name": "Seoul", "celsius": 14.2}')),
        example(
            _JSON,
            put(_TEXT, '{"name": "get_weather", "parameters": {"lat'),
            put(_TEXT[:-4] + "finish_reason", "length"),
        ),
    ],
    violating=[
        example(_JSON, _in_text('{"latitude": 37.57, "longitude": 126.98}', '"{}"')),
        example(_JSON, _in_text('"parameters"', '"arguments"')),
        example(_JSON, _in_text('"parameters"', '"params"')),
        example(_JSON, _in_text('"name"', '"nme"')),
        example(_JSON, _in_text('{"name"', '{{"name"')),
        example(_BUILT_IN, _in_text('{"name"', '"name"')),
        example(_BUILT_IN, _in_text("126.98}}", "126.98}")),
    ],
)
def json_call_malformed(view: View) -> Iterator[Hit]:
    """A call in JSON must be one object with a string `name` and an object `parameters`.

    The reference parser reads anything else as text: the user sees the call, and the tool never runs.
    """
    yield from _hits(view, "json", '{"name": "…", "parameters": {…}}')
    names = [f'"{tool.name}"' for tool in view.ask.tools or () if tool.name]
    for said in replies(view):
        for part in said.reading.parts if not said.cut else ():
            text = part.text if isinstance(part, Text) else part.wire if _is_code(part) else None
            shown = (text or "").lstrip()
            if shown.startswith(("{", '"', "[")) and any(name in shown for name in names):
                wanted = '{"name": "…", "parameters": {…}}'
                yield Hit(said.pointer, "the text has a function's name but no valid call", wanted, brief(said.text))


def _is_code(part: Part) -> TypeGuard[ToolCall]:
    return isinstance(part, ToolCall) and part.kind == "custom"


@rule(
    "llama-custom-call-malformed",
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-004 {_FORMAT}"],
    conforming=[
        example(_CUSTOM),
        example(_CUSTOM, _in_text('"longitude": 126.98', '"longitude": 126.98, "note": "</function>"')),
    ],
    violating=[
        example(_CUSTOM, _in_text("</function>", "")),
        example(_CUSTOM, _in_text("126.98}", "126.98")),
        example(_CUSTOM, _in_text(", ", ",\n")),
        example(_CUSTOM, _in_text("=get_weather>", ">")),
        example(_CUSTOM, _in_text('{"latitude": 37.57, "longitude": 126.98}', "[37.57, 126.98]")),
    ],
)
def custom_call_malformed(view: View) -> Iterator[Hit]:
    """A call in tags must be `<function=NAME>`, one JSON object on one line, and `</function>`.

    The reference parser matches a single line: otherwise it finds no call, or truncates its arguments.
    """
    yield from _hits(view, "custom", "<function=NAME>{…}</function>")
