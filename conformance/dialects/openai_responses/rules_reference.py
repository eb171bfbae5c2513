"""Items that are referred to instead of sent, and calls with another type: OAR-Q-016 and OAR-R-013."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import input_by_type, output_of
from conformance.dialects.openai_responses.items import type_of
from conformance.judge.official import refused_here
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import join


@rule(
    "responses-item-reference-orphaned",
    scope="request",
    cites="OAR-Q-016",
)
def item_reference_orphaned(view: View) -> Iterator[Hit]:
    """An `item_reference` must not name an item of a response that was made with `store: false`.

    The server kept no such item, and refuses the request: the client has to send the item itself.
    """
    for _, (item, at) in input_by_type(view, "item_reference"):
        if item.get("id") in _unstored(view):
            yield Hit(
                join(at, "id"),
                "the response of this item was not stored",
                "the item itself",
                str(item["id"]),
                severity=refused_here(view),
            )


def _unstored(view: View) -> set[object]:
    """The ids of items in earlier responses that the server did not store."""
    unkept = (
        earlier
        for earlier in view.earlier
        if isinstance(earlier.request, dict) and earlier.request.get("store") is False
    )
    return {item.get("id") for earlier in unkept for item, _ in output_of(earlier) if isinstance(item.get("id"), str)}


@rule(
    "responses-call-type-wrong",
    scope="reply",
    cites="OAR-R-013",
)
def call_type_wrong(view: View) -> Iterator[Hit]:
    """A call must have the type `function_call`, or `custom_tool_call`.

    Clients look for calls by their type: the tool never runs, and the run ends without an answer.
    """
    for item, at in output_of(view):
        kind = type_of(item) or ""
        named = all(isinstance(item.get(key), str) for key in ("call_id", "name"))
        if named and "arguments" in item and kind not in ("", "function_call", "mcp_call"):
            yield Hit(join(at, "type"), "the call's type is not one of calls", "function_call", kind)
