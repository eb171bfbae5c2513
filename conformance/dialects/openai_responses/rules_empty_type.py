"""Types in Responses replies that are empty, which the contract takes for types that it does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_responses.stream import field_of
from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import join

_CALL, _RUN = "openai-responses/call", "openai-responses/run"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"


Steps = tuple[str | int, ...]


def _untyped(value: Any, steps: Steps) -> Iterator[Steps]:
    """Where an object of a list, or of its content or summary, has an empty type."""
    for number, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            yield from _empty(item, (*steps, number))
            for key in ("content", "summary"):
                if item.get(key):
                    yield from _untyped(item[key], (*steps, number, key))


def _empty(value: Any, steps: Steps) -> Iterator[Steps]:
    if isinstance(value, dict) and value.get("type") == "":
        yield (*steps, "type")


def _of_body(body: Any) -> Iterator[Steps]:
    if isinstance(body, dict):
        yield from _untyped(body.get("output"), ("output",))
        yield from _untyped(body.get("tools"), ("tools",))
        yield from _empty(body.get("tool_choice"), ("tool_choice",))


@rule(
    "responses-type-empty",
    scope="reply",
    basis="schema",
    cites=[f"OAR-R-001 {_SCHEMAS}/OutputItem"],
    conforming=[example(_CALL), example(_RUN), example("openai-responses/stream-call")],
    violating=[
        example(_CALL, put("/0/response/body/output/0/type", "")),
    ],
)
def responses_type_empty(view: View) -> Iterator[Hit]:
    """The type of an item, a part or a tool in a reply must not be empty.

    Clients ignore what has no type.
    """
    for steps in () if view.streamed else _of_body(view.response):
        yield Hit(join("", *steps), "the type is empty", "a type", '""')
    for event in view.events or ():
        for key in ("part", "item"):
            for steps in _empty(field_of(event, key), (key,)):
                yield Hit(join(event.pointer, *steps), "the type is empty", "a type", '""')
