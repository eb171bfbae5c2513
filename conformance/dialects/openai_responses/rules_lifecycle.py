"""Output items in Responses streams, docs/contract/openai-responses.md, OAR-S: added one after another, and done."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.items import CALLS, ITEM_UNFINISHED
from conformance.dialects.openai_responses.lifecycle import lives, pieces
from conformance.dialects.openai_responses.stream import DONE, final_response, kind_of
from conformance.judge.example import drop, example, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL, _ANSWER = "openai-responses/stream-call", "openai-responses/stream-answer"
_REASONING = "openai-responses/stream-reasoning"
_EVENTS = "/0/response/events"
_RECORDED = "recorded traffic"
_LISTING = "mcp_list_tools"
"""Several servers are asked for their tools at once, and not every listing is said to be done (recorded traffic)."""


@rule(
    "responses-output-index-wrong",
    scope="stream",
    basis="observed",
    cites=[f"OAR-S-005 {_RECORDED} 61/61"],
    bugs=["BerriAI/litellm#36356"],
    conforming=[example(_CALL), example(_REASONING)],
    violating=[
        example(
            _CALL,
            *(put(f"{_EVENTS}/{number}/data/output_index", 2) for number in range(7, 12)),
            at="0 response event/7/output_index",
        ),
        example(
            _CALL,
            *(put(f"{_EVENTS}/{number}/data/output_index", 0) for number in range(7, 12)),
            at="0 response event/7/output_index",
        ),
    ],
)
def output_index_wrong(view: View) -> Iterator[Hit]:
    """Items must be added with `output_index` 0, 1, 2 and so on.

    It is the item's place in the output; clients that assemble the reply by it overwrite or lose an item.
    """
    for wanted, life in enumerate(lives(view).items):
        if isinstance(life.index, int) and life.index != wanted:
            at = join(life.added.pointer, "output_index")
            yield Hit(at, "the item does not have the next output_index", str(wanted), str(life.index))
            return


@rule(
    "responses-item-done-missing",
    scope="stream",
    basis="observed",
    cites=[f"OAR-S-005 {_RECORDED} 61/61"],
    violating=[example(_CALL, drop(f"{_EVENTS}/6"), at="0 response event/2")],
)
def item_done_missing(view: View) -> Iterator[Hit]:
    """Every added item must be done before the response is completed.

    Clients process an item when it is done; they wait for this one, or drop it.
    """
    final = final_response(view.events or ())
    if final is None or final[0].get("status") != "completed":
        return
    for life in lives(view).items:
        if life.done is None and life.kind != _LISTING:
            yield Hit(
                life.added.pointer, "this item is never done", "response.output_item.done", "the end of the stream"
            )


@rule(
    "responses-items-out-of-order",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=[f"OAR-S-006 {_RECORDED} 61/61"],
    bugs=["BerriAI/litellm#36356"],
    violating=[example(_CALL, swap(f"{_EVENTS}/6", f"{_EVENTS}/7"))],
)
def items_out_of_order(view: View) -> Iterator[Hit]:
    """An item must be done before the next one is added.

    Clients that track one current item write the second item's deltas into the first.
    """
    for life in lives(view).items:
        if life.overlaps:
            yield Hit(life.added.pointer, "an item is added while another is open", "one item at a time", "two")


@rule(
    "responses-event-item-unknown",
    scope="stream",
    basis="observed",
    cites=[f"OAR-S-007 {_RECORDED} 478/478"],
    conforming=[example(_CALL), example(_ANSWER), example(_REASONING)],
    violating=[
        example(_CALL, put(f"{_EVENTS}/3/data/item_id", "fc_other")),
        example(_CALL, put(f"{_EVENTS}/3/data/output_index", 1)),
        example(_ANSWER, swap(f"{_EVENTS}/7", f"{_EVENTS}/8"), at="0 response event/8/output_index"),
    ],
)
def event_item_unknown(view: View) -> Iterator[Hit]:
    """An event about an item must refer to an open item by `item_id` and `output_index`.

    Clients drop a delta of an item that was not added or is done, or append it to the wrong item.
    """
    for stray in lives(view).strays:
        if kind_of(stray.event) != DONE and not {"item_id", "output_index"} <= stray.event.json.keys():
            continue  # the contract reports missing fields
        yield Hit(stray.pointer, stray.why, stray.expected, kind_of(stray.event))


@rule(
    "responses-added-item-content-unexpected",
    scope="stream",
    basis="observed",
    cites=[f"OAR-S-008 {_RECORDED} 17/17"],
    bugs=["ggml-org/llama.cpp#24882"],
    conforming=[example(_CALL), example(_ANSWER), example(_REASONING)],
    violating=[example(_CALL, put(f"{_EVENTS}/2/data/item/arguments", '{"latitude":37.57,"longitude":126.98}'))],
)
def added_item_content_unexpected(view: View) -> Iterator[Hit]:
    """An added call must have empty arguments if deltas bring them.

    Clients append the deltas to the arguments of the added call, and get them twice.
    """
    for life in lives(view).items:
        key = CALLS.get(life.kind or "")
        if key and isinstance(life.item.get(key), str) and life.item[key] and any(pieces(life)):
            at = join(life.added.pointer, "item", key)
            yield Hit(at, "the added item already has content that its deltas repeat", '""', brief(life.item[key]))


@rule(
    "responses-done-item-incomplete",
    scope="stream",
    basis="observed",
    cites=[f"OAR-R-003 {_RECORDED} 73/73"],
    conforming=[example(_CALL), example(_ANSWER), example(_REASONING)],
    violating=[example(_CALL, put(f"{_EVENTS}/6/data/item/status", "in_progress"))],
)
def done_item_incomplete(view: View) -> Iterator[Hit]:
    """In a completed response, a done call or message must have the status `completed`.

    A client that reads the status waits for an event that never comes.
    """
    if not any(kind_of(event) == "response.completed" for event in view.events or ()):
        return
    for life in lives(view).items:
        if life.done is None or not (life.kind in CALLS or life.kind == "message"):
            continue
        status = life.done_item.get("status")
        if status in ITEM_UNFINISHED:
            at = join(life.done.pointer, "item", "status")
            yield Hit(at, "the item is done, but its status is not completed", "completed", status)


@rule(
    "responses-item-changed",
    scope="stream",
    basis="observed",
    cites=[f"OAR-S-010 {_RECORDED} 82/82"],
    bugs=["ggml-org/llama.cpp#24882"],
    violating=[
        example(_CALL, put(f"{_EVENTS}/6/data/item/call_id", "call_other")),
        example(_CALL, put(f"{_EVENTS}/2/data/item/name", "get_time"), at="0 response event/6/item/name"),
        example(_ANSWER, put(f"{_EVENTS}/8/data/item/id", "msg_other")),
    ],
)
def item_changed(view: View) -> Iterator[Hit]:
    """An item must keep its id, type, call_id and name from `added` to `done`.

    A client may answer the first call_id that it saw, but the server may know only the last.
    """
    for life in lives(view).items:
        if life.done is None:
            continue
        for key in ("id", "type", "call_id", "name"):
            before, after = life.item.get(key), life.done_item.get(key)
            if before is not None and after is not None and before != after:
                yield Hit(join(life.done.pointer, "item", key), f"`{key}` has changed", brief(before), brief(after))
