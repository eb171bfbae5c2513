"""The two ids of a function call (OAR-Q-008, OAR-C-003): the item's own, and the `call_id` of its output."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import delivered
from conformance.dialects.openai_responses.items import list_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join


@rule(
    "responses-call-id-reused",
    scope="reply",
    cites="OAR-R-003",
    severity=Severity.WARNING,
    because="the item has all its members; only a client that confuses the two ids fails",
)
def call_id_reused(view: View) -> Iterator[Hit]:
    """A call must have a `call_id` that differs from the id of its item.

    With one id for both, a gateway hides clients that refer to the wrong one; the provider itself
    refuses them.
    """
    for response, at in delivered(view):
        for number, item in enumerate(list_of(response.get("output"))):
            if isinstance(item, dict) and item.get("call_id") and item["call_id"] == item.get("id"):
                place = join(at, "output", number, "call_id")
                yield Hit(
                    place, "the call_id is the same as the id of the item", "a call_id of its own", str(item["id"])
                )
