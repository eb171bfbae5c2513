"""Responses replies, streamed or not, docs/contract/openai-responses.md, OAR-R.

A streamed reply is judged by the response object of its last event.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import delivered
from conformance.dialects.openai_responses.items import CALLS, ITEM_UNFINISHED, list_of, type_of
from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL, _ANSWER = "openai-responses/call", "openai-responses/answer"
_BODY = "/0/response/body"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"


@rule(
    "responses-status-conflicting",
    scope="reply",
    basis="schema",
    cites=["OAR-R-007 recorded traffic 69/69", f"OAR-R-002 {_SPEC}/Response"],
    violating=[
        example(_CALL, put(f"{_BODY}/output/1/status", "in_progress")),
        example(_CALL, put(f"{_BODY}/error", {"code": "server_error", "message": "Try again."})),
        example(_ANSWER, put(f"{_BODY}/incomplete_details", {"reason": "max_output_tokens"})),
    ],
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


@rule(
    "responses-usage-total-wrong",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["OAR-R-011 recorded traffic 253/253"],
    conforming=[example(_CALL), example("openai-responses/stream-call")],
    violating=[example(_CALL, put(f"{_BODY}/usage/total_tokens", 1))],
)
def usage_total_wrong(view: View) -> Iterator[Hit]:
    """The total of the token counts must be the sum of input and output.

    Budgets rely on these numbers: one client adds up the counts, another reads the total.
    """
    for response, at in delivered(view):
        counts = response.get("usage")
        if not isinstance(counts, dict):
            continue
        before, after, total = (counts.get(f"{which}_tokens") for which in ("input", "output", "total"))
        if isinstance(before, int) and isinstance(after, int) and isinstance(total, int) and before + after != total:
            where = join(at, "usage", "total_tokens")
            yield Hit(where, "the total is not the sum", str(before + after), str(total))
