"""JSON-RPC 2.0: the ids of responses, and batches."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.messages import received, sent
from conformance.dialects.mcp.revision import at_least
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief, canonical
from conformance.model.transcript import Malformed


@rule(
    "mcp-response-id-mismatch",
    scope="exchange",
    side="response",
    cites="MCP-A-003",
)
def mcp_response_id_mismatch(view: View) -> Iterator[Hit]:
    """A response must have the id of the request that it answers, with the same JSON type.

    The client finds the waiting caller by the id; with a different id, the call hangs
    until it times out.
    """
    if view.exchange.request.method != "POST" or isinstance(view.request, Malformed):
        return
    wanted = [message.value["id"] for message in sent(view) if message.is_request]
    known = set(map(canonical, wanted))
    for message in received(view):
        if not message.is_response or not wanted:
            continue
        given = message.value.get("id")
        if given is None and (not view.ok or (message.error is not None and at_least(view, "2025-11-25"))):
            continue  # of an error, whose request could not be read
        if canonical(given) not in known:
            tokens = ["id"] if "id" in message.value else []
            found = brief(given) if tokens else "no id"
            yield message.hit("the response has the id of no request", *tokens, expected=brief(wanted[0]), actual=found)


@rule(
    "mcp-batch-unsupported",
    scope="exchange",
    cites="MCP-A-006",
)
def mcp_batch_unsupported(view: View) -> Iterator[Hit]:
    """A body must be one message; revision 2025-06-18 removed batches from the protocol.

    A server that expects one message returns an error, and every request of the batch is lost.
    """
    if not at_least(view, "2025-06-18"):
        return
    if isinstance(view.request, list):
        yield Hit(None, "the body is a batch", "one message", f"{len(view.request)} in an array", side="request")
    response = view.exchange.response
    if isinstance(response.body.json, list) and not response.is_event_stream and not response.body.parsed_by_recorder:
        yield Hit(None, "the body is a batch", "one message", f"{len(response.body.json)} in an array", side="response")
