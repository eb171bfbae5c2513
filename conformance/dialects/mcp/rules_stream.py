"""Streams of events: the order and the types of the messages in them."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.messages import received, sent
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same


@rule(
    "mcp-response-repeated",
    scope="exchange",
    side="response",
    cites="MCP-A-008",
)
def mcp_response_repeated(view: View) -> Iterator[Hit]:
    """A request must get only one response.

    The first one ends the call, and the second one is lost.
    """
    seen: set[str] = set()
    for message in received(view):
        if message.is_response:
            number = brief(message.value.get("id"))
            if number in seen:
                yield message.hit(f"a second response to {number}", expected="one response", actual="another one")
            seen.add(number)


@rule(
    "mcp-event-after-response-unexpected",
    scope="exchange",
    side="response",
    cites=["MCP-A-008", "MCP-A-030"],
    severity=Severity.WARNING,
    because="clients stop at the response, so that only the message is lost",
)
def mcp_event_after_response_unexpected(view: View) -> Iterator[Hit]:
    """The response must be the last message in the stream of its request.

    Clients stop reading at the response, and lose the messages after it.
    """
    if view.exchange.request.method != "POST":
        return
    waiting = sum(message.is_request for message in sent(view))
    for message in received(view):
        if message.event is None:
            return
        if waiting > 0 or message.is_response:
            waiting -= int(message.is_response)
        else:
            found = message.method or "another message"
            yield message.hit("a message follows the response", expected="the end of the stream", actual=found)


@rule(
    "mcp-progress-invalid",
    scope="exchange",
    side="response",
    cites="MCP-A-030",
    severity=Severity.ERROR,
    because="the specification demands the token of an active request, and progress that increases, with MUST",
)
def mcp_progress_invalid(view: View) -> Iterator[Hit]:
    """Progress in the stream of a request must have that request's token, and must only increase.

    The client finds the caller by the token, and shows the progress to its user.
    """
    if view.exchange.request.method != "POST":
        return
    given = [message.meta["progressToken"] for message in sent(view) if "progressToken" in message.meta]
    reached: dict[str, float] = {}
    for message in received(view):
        if message.method != "notifications/progress":
            continue
        token, progress = message.params.get("progressToken"), message.params.get("progress")
        if not any(same(token, each) for each in given):
            wanted = brief(given[0]) if given else "no progress, because no request asked for it"
            yield message.hit(
                "no request has this progress token", "params", "progressToken", expected=wanted, actual=brief(token)
            )
        if isinstance(progress, bool) or not isinstance(progress, (int, float)):
            continue
        before = reached.get(brief(token))
        if before is not None and progress <= before:
            yield message.hit(
                "the progress does not increase",
                "params",
                "progress",
                expected=f"more than {before}",
                actual=str(progress),
            )
        reached[brief(token)] = progress


@rule(
    "mcp-event-name-wrong",
    scope="exchange",
    side="response",
    cites="MCP-A-008",
)
def mcp_event_name_wrong(view: View) -> Iterator[Hit]:
    """Events with messages must have the type `message`, the default of events without a name.

    Clients ignore events of other types, and lose the messages in them.
    """
    response = view.exchange.response
    for event in response.events if response.is_event_stream else ():
        if event.name not in (None, "", "message") and isinstance(event.json, (dict, list)):
            yield Hit(event.pointer, "clients ignore events of this type", "message", event.name, side="response")
