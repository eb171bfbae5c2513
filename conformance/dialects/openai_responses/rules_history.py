"""Items of earlier responses that a Responses request sends back, docs/contract/openai-responses.md, OAR-C."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import input_by_type, input_of, made_by
from conformance.dialects.openai_responses.items import CALLS, OUTPUTS, type_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import join

_PREFIXES = {"function_call": "fc", "custom_tool_call": "ctc", "reasoning": "rs", "message": "msg"}


@rule(
    "responses-item-id-invalid",
    scope="request",
    cites="OAR-Q-009",
)
def item_id_invalid(view: View) -> Iterator[Hit]:
    """The `id` of an item that is sent back must have the prefix of the item's type.

    Clients send the call's id, or another provider's, instead, and get a 400.
    """
    for _, (item, at) in input_by_type(view, *_PREFIXES):
        prefix, item_id = _PREFIXES[type_of(item) or ""], item.get("id")
        if not isinstance(item_id, str) or not item_id:
            continue
        if not item_id.startswith(prefix) and not made_by(view, item_id):
            yield Hit(join(at, "id"), f"not an id of an item of type {type_of(item)}", f"{prefix}_…", item_id)


@rule(
    "responses-result-misplaced",
    scope="request",
    cites="OAR-C-006",
)
def result_misplaced(view: View) -> Iterator[Hit]:
    """There must be no message between a call and its result.

    OpenAI matches them by id at any place; compatible servers refuse the request.
    """
    messages, calls = input_by_type(view, "message"), input_by_type(view, *CALLS)
    if not calls or not messages or messages[-1][0] < calls[0][0]:
        return
    last_message, reported = -1, -1
    asked: dict[str, int] = {}
    for number, (item, at) in enumerate(input_of(view)):
        kind, call_id = type_of(item), item.get("call_id")
        if kind == "message":
            last_message = number
        elif kind in CALLS and isinstance(call_id, str) and item.get("async") is not True:
            asked[call_id] = number
        elif kind in OUTPUTS and isinstance(call_id, str) and asked.get(call_id, number) < last_message != reported:
            reported = last_message
            yield Hit(at, "there is a message between this result and its call", "the result after its call", call_id)
