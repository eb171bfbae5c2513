"""The two ids of a function call (OAR-Q-008, OAR-C-003): the item's own, and the `call_id` of its output."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import delivered
from conformance.dialects.openai_responses.items import list_of
from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join

_CALL, _STREAM = "openai-responses/call", "openai-responses/stream-call"
_ITEM = "fc_0a1b2c3d4e5f60710001"
_EVENTS = "/0/response/events"


@rule(
    "responses-call-id-reused",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["OAR-R-003 recorded traffic 73/73"],
    bugs=["nodetool#4252"],
    violating=[
        example(_CALL, put("/0/response/body/output/0/call_id", _ITEM)),
        example(
            _CALL,
            put("/0/response/body/output/0/id", "call_a1B2c3D4e5F6g7H8i9J0k1L2"),
            at="0 response /output/0/call_id",
        ),
        example(
            _STREAM,
            put(f"{_EVENTS}/2/data/item/call_id", _ITEM),
            put(f"{_EVENTS}/6/data/item/call_id", _ITEM),
            put(f"{_EVENTS}/12/data/response/output/0/call_id", _ITEM),
        ),
    ],
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
