"""Responses replies, streamed or not, docs/contract/openai-responses.md, OAR-R.

A streamed reply is judged by the response object of its last event.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import delivered
from conformance.dialects.openai_responses.items import CALLS, ITEM_UNFINISHED, list_of, type_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_SPEC = "openai/openai-openapi openapi.json#/components/schemas"


@rule(
    "responses-status-conflicting",
    scope="reply",
    cites=["OAR-R-007", "OAR-R-002"],
)
def status_conflicting(view: View) -> Iterator[Hit]:
    """A completed response must have no error, no reason for being incomplete, and only completed items.

    A client that relies on the status runs an unfinished call, or hides an error.
    """
    for response, at in delivered(view):
        if response.get("status") != "completed":
            continue
        for key in ("error", "incomplete_details"):
            if response.get(key):
                yield Hit(join(at, key), "set although the status is completed", "null", brief(response[key]))
        for number, item in enumerate(list_of(response.get("output"))):
            value = item.get("status") if isinstance(item, dict) else None
            if type_of(item) in (*CALLS, "message") and value in ITEM_UNFINISHED:
                yield Hit(
                    join(at, "output", number, "status"),
                    "the response is completed, but this item is not",
                    "completed",
                    value,
                )
