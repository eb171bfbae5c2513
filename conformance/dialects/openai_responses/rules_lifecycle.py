"""Output items in Responses streams, docs/contract/openai-responses.md, OAR-S: added one after another, and done."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.items import CALLS
from conformance.dialects.openai_responses.lifecycle import lives, pieces
from conformance.dialects.openai_responses.stream import DONE, kind_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join


@rule(
    "responses-items-out-of-order",
    scope="stream",
    cites="OAR-S-006",
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
    cites="OAR-S-007",
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
    cites="OAR-S-008",
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
