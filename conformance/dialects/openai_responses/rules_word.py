"""Small words of the Responses API: no type is empty, and something is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.example import example, put
from conformance.finding import Hit, Severity
from conformance.pointer import join
from conformance.rule import rule
from conformance.view import View

_HERE = ("openai-responses",)
_CALL, _RUN = "openai-responses/call", "openai-responses/run"
_INPUT = "/0/request/body/input"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"


def _typed(value: Any, pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects of a list that say of what type they are, and those in their content and summary."""
    for number, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            at = join(pointer, number)
            yield item, at
            yield from _typed(item.get("content"), join(at, "content"))
            yield from _typed(item.get("summary"), join(at, "summary"))


def _sides(view: View) -> Iterator[tuple[dict[str, Any], str, bool]]:
    request = view.request if isinstance(view.request, dict) else {}
    for key in ("input", "tools"):
        yield from ((*each, True) for each in _typed(request.get(key), join("", key)))
    if isinstance(request.get("tool_choice"), dict):
        yield request["tool_choice"], "/tool_choice", True
    response = view.response if not view.streamed and isinstance(view.response, dict) else {}
    for key in ("output", "tools"):
        yield from ((*each, False) for each in _typed(response.get(key), join("", key)))
    if isinstance(response.get("tool_choice"), dict):
        yield response["tool_choice"], "/tool_choice", False
    for event in view.events or ():
        for key in ("part", "item"):
            if isinstance(event.json, dict) and isinstance(event.json.get(key), dict):
                yield event.json[key], join(event.pointer, key), False


@rule(
    "responses-type-empty",
    severity=Severity.ERROR,
    scope="exchange",
    basis="schema",
    dialects=_HERE,
    cites=[f"OAR-Q-006 {_SCHEMAS}/InputItem", f"OAR-R-001 {_SCHEMAS}/OutputItem"],
    conforming=[example(_CALL), example(_RUN), example("openai-responses/stream-call")],
    violating=[
        example(_CALL, put("/0/response/body/output/0/type", ""), at="0 response /output/0/type"),
        example(_CALL, put("/0/request/body/tools/0/type", ""), at="0 request /tools/0/type"),
    ],
)
def responses_type_empty(view: View) -> Iterator[Hit]:
    """The type of an item, a part or a tool is a word.

    Everybody chooses by it what to read; with none, the server refuses the item and a client passes over it.
    """
    for value, pointer, asked in _sides(view):
        if value.get("type") == "":
            at = join(pointer, "type")
            yield Hit(at, "the type is empty", "a word", '""', side="request" if asked else "response")


@rule(
    "responses-input-empty",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    dialects=_HERE,
    cites=[f"OAR-Q-006 {_SCHEMAS}/CreateResponse"],
    conforming=[example(_CALL), example(_RUN), example("openai-responses/run-previous")],
    violating=[example(_CALL, put(_INPUT, []), at="0 request /input")],
)
def responses_input_empty(view: View) -> Iterator[Hit]:
    """A request that refers to nothing the server keeps has an input that is not empty.

    It asks for nothing, and is refused: a client that trims its history can drop the question with it.
    """
    body = view.request if isinstance(view.request, dict) else {}
    kept = any(body.get(key) for key in ("previous_response_id", "conversation", "prompt"))
    if body.get("input") in ([], "") and not kept:
        yield Hit("/input", "there is no input", "at least one item", "nothing")
