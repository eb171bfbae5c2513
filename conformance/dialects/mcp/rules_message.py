"""JSON-RPC 2.0: every message is a request, a notification or a response, and says so correctly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.mcp.messages import exchanged, received, sent
from conformance.dialects.mcp.revision import at_least
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Side
from conformance.model.jsontext import brief, kind, same
from conformance.model.transcript import Malformed

_CALL = "/4/request/body"
_ANSWER = "/4/response/body"
_RESULT = '{"content": [{"type": "text", "text": "14.2"}], "structuredContent": {"temperature": 14.2}}'
_EVENT = "/4/response/events/1/data"


@rule(
    "mcp-message-wrong-type",
    scope="exchange",
    basis="schema",
    cites=["MCP-A-001 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/JSONRPCMessage"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", put(_CALL, 7)),
        example("mcp/session", put(_CALL, "")),
        example("mcp/session-stream", put("/4/response/events/0/data", [1]), at="4 response event/0/0"),
    ],
)
def mcp_message_wrong_type(view: View) -> Iterator[Hit]:
    """Every JSON-RPC message is an object.

    The receiver finds neither a method nor an id in it, and cannot even answer with an error.
    """
    response = view.exchange.response
    bodies: list[tuple[Side, Any, str]] = []
    if view.exchange.request.method == "POST":
        bodies.append(("request", view.request, ""))
        if view.exchange.request.body.empty and view.complete:
            yield Hit(None, "the request has no body", "a message", "nothing", side="request")
    if response.is_event_stream:
        bodies += [("response", event.json, event.pointer) for event in response.events if event.complete]
    elif view.ok and not response.body.empty:
        bodies.append(("response", response.body.json, ""))
    for side, body, base in bodies:
        entries = [(f"{base}/{number}", each) for number, each in enumerate(body)] if isinstance(body, list) else []
        for pointer, each in entries or [(base, body)]:
            plain = pointer == base and side == "response" and isinstance(each, str)  # no JSON: another finding
            if not plain and not isinstance(each, (dict, Malformed)):
                yield Hit(pointer or None, f"a message is of type {kind(each)}", "an object", brief(each), side=side)


@rule(
    "mcp-jsonrpc-version-wrong",
    scope="exchange",
    basis="schema",
    cites=["MCP-A-001 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/JSONRPCRequest"],
    conforming=[example("mcp/session"), example("mcp/stateless-stream")],
    violating=[
        example("mcp/session", drop(f"{_CALL}/jsonrpc")),
        example("mcp/session", put(f"{_CALL}/jsonrpc", 2.0)),
        example("mcp/session", put(f"{_ANSWER}/jsonrpc", "1.0")),
        example("mcp/session-stream", drop(f"{_EVENT}/jsonrpc")),
    ],
)
def mcp_jsonrpc_version_wrong(view: View) -> Iterator[Hit]:
    """Every message must have `"jsonrpc": "2.0"`.

    SDKs parse messages with models that require it, and drop a message that matches none.
    """
    for message in exchanged(view):
        if message.value.get("jsonrpc") != "2.0":
            tokens = ["jsonrpc"] if "jsonrpc" in message.value else []
            found = brief(message.value["jsonrpc"]) if tokens else "nothing"
            yield message.hit("the message is not marked as JSON-RPC 2.0", *tokens, expected='"2.0"', actual=found)


@rule(
    "mcp-request-id-invalid",
    scope="exchange",
    basis="schema",
    cites=[
        "MCP-A-002 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/RequestId",
        "MCP-A-002 modelcontextprotocol 2025-11-25/basic/index.mdx",
    ],
    conforming=[example("mcp/session"), example("mcp/session", put(f"{_CALL}/id", "a"), put(f"{_ANSWER}/id", "a"))],
    violating=[
        example("mcp/session", put(f"{_CALL}/id", None)),
        example("mcp/session", put(f"{_CALL}/id", True)),
        example("mcp/session", put(f"{_CALL}/id", 1.5)),
        example("mcp/stateless", put("/3/request/body/id", {"n": 1})),
    ],
)
def mcp_request_id_invalid(view: View) -> Iterator[Hit]:
    """The id of a request is a string or an integer, never null; 0 is one.

    A server cannot answer a null id, or treats the request as a notification.
    """
    for message in exchanged(view):
        if not message.is_request:
            continue
        number = message.value["id"]
        whole = isinstance(number, int) or (isinstance(number, float) and number.is_integer())
        if isinstance(number, bool) or not (isinstance(number, str) or whole):
            yield message.hit(
                f"the id is {kind(number)}", "id", expected="a string or an integer", actual=brief(number)
            )


@rule(
    "mcp-response-id-mismatch",
    scope="exchange",
    basis="documented",
    cites=["MCP-A-003 modelcontextprotocol 2025-11-25/basic/index.mdx"],
    conforming=[
        example("mcp/session"),
        example("mcp/session-stream"),
        example("mcp/stateless-unknown-tool", put("/0/response/body/id", None)),
        example("mcp/stateless-unknown-tool", drop("/0/response/body/id")),
    ],
    violating=[
        example("mcp/session", put(f"{_ANSWER}/id", "3")),
        example("mcp/session", drop(f"{_ANSWER}/id")),
        example("mcp/session-stream", put(f"{_EVENT}/id", 4)),
        example("mcp/stateless-unknown-tool", put("/0/response/body/id", 7)),
    ],
)
def mcp_response_id_mismatch(view: View) -> Iterator[Hit]:
    """A response has the id of the request that it answers, of the same JSON type.

    The client finds the waiting caller by it: with a different id the call hangs
    until it times out.
    """
    if view.exchange.request.method != "POST" or isinstance(view.request, Malformed):
        return
    wanted = [message.value["id"] for message in sent(view) if message.is_request]
    for message in received(view):
        if not message.is_response or not wanted:
            continue
        given = message.value.get("id")
        if given is None and (not view.ok or (message.error is not None and at_least(view, "2025-11-25"))):
            continue  # of an error, whose request could not be read
        if not any(same(given, each) for each in wanted):
            tokens = ["id"] if "id" in message.value else []
            found = brief(given) if tokens else "no id"
            yield message.hit("the response answers no request", *tokens, expected=brief(wanted[0]), actual=found)


@rule(
    "mcp-response-ambiguous",
    scope="exchange",
    basis="schema",
    cites=[
        "MCP-A-004 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/JSONRPCResponse",
        "MCP-A-004 modelcontextprotocol 2025-11-25/basic/index.mdx",
    ],
    conforming=[example("mcp/session"), example("mcp/stateless-unknown-tool")],
    violating=[
        example("mcp/session", put(f"{_ANSWER}/error", {"code": 1, "message": "no"}), at="4 response"),
        example("mcp/session", drop(f"{_ANSWER}/result")),
        example("mcp/session-stream", drop(f"{_EVENT}/result")),
        example("mcp/session", drop(f"{_CALL}/method")),
    ],
)
def mcp_response_ambiguous(view: View) -> Iterator[Hit]:
    """A message has a method, or it is a response with exactly one of `result` and `error`.

    With both, one client reports a success where another reports a failure; with neither, the caller gets nothing.
    """
    for message in exchanged(view):
        if message.is_response:
            outcomes = [name for name in ("result", "error") if name in message.value]
            if len(outcomes) != 1:
                found = " and ".join(outcomes) or "neither"
                yield message.hit(
                    "the message has no method, and not exactly one of result and error",
                    expected="`result` or `error`",
                    actual=found,
                )


@rule(
    "mcp-batch-unsupported",
    scope="exchange",
    basis="documented",
    cites=["MCP-A-006 modelcontextprotocol 2025-06-18/changelog.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example(
            "mcp/session",
            put(_CALL, [{"jsonrpc": "2.0", "id": 3, "method": "ping"}]),
            put(_ANSWER, {"jsonrpc": "2.0", "id": 3, "result": {}}),
            at="4 request",
        ),
        example("mcp/session", put(_ANSWER, f'[{{"jsonrpc": "2.0", "id": 3, "result": {_RESULT}}}]')),
    ],
)
def mcp_batch_unsupported(view: View) -> Iterator[Hit]:
    """A body is one message; batches went out of the protocol with revision 2025-06-18.

    A server that expects one message returns an error, and every request of the batch is lost.
    """
    if not at_least(view, "2025-06-18"):
        return
    if isinstance(view.request, list):
        yield Hit(None, "the body is a batch", "one message", f"{len(view.request)} in an array", side="request")
    response = view.exchange.response
    if isinstance(response.body.json, list) and not response.is_event_stream and not response.body.parsed_by_recorder:
        yield Hit(None, "the body is a batch", "one message", f"{len(response.body.json)} in an array", side="response")


@rule(
    "mcp-notification-id-unexpected",
    scope="exchange",
    basis="documented",
    cites=["MCP-A-005 modelcontextprotocol 2025-11-25/basic/index.mdx"],
    violating=[
        example("mcp/session", put("/1/request/body/id", 9)),
        example("mcp/session-stream", put("/4/response/events/0/data/id", 9)),
    ],
)
def mcp_notification_id_unexpected(view: View) -> Iterator[Hit]:
    """A notification has no id.

    With an id it is a request, and its sender waits for a response that the protocol forbids.
    """
    for message in exchanged(view):
        if message.is_request and (message.method or "").startswith("notifications/"):
            found = brief(message.value["id"])
            yield message.hit(f"{message.method} has an id", "id", expected="no id", actual=found)
