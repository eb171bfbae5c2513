"""What lies below every dialect: a body that is JSON, or a stream of events that arrive whole."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed

_DONE = "[DONE]"


@rule("request-malformed", severity=Severity.ERROR, scope="exchange", cites=["ANY-101 RFC 8259 section 2"])
def request_malformed(view: View) -> Iterator[Hit]:
    """The body of a request is JSON.

    The server refuses it before it looks at what it asks.
    """
    body = view.exchange.request.body
    if isinstance(view.request, Malformed) and not body.empty and body.note is None:
        reason = view.request.reason
        yield Hit(None, f"the body is not JSON: {reason}", "a JSON body", brief(view.request), side="request")


@rule("response-malformed", severity=Severity.ERROR, scope="response", cites=["ANY-103 RFC 8259 section 2"])
def response_malformed(view: View) -> Iterator[Hit]:
    """The body of a successful answer is JSON.

    A proxy's page, or a body that was cut off, reaches the client as a success and fails when it is read.
    """
    body = view.exchange.response.body
    if isinstance(view.response, Malformed) and not body.empty and body.note is None:
        yield Hit(None, f"the body is not JSON: {view.response.reason}", "a JSON body", brief(view.response))


@rule(
    "response-empty",
    severity=Severity.ERROR,
    scope="response",
    cites=["ANY-104 RFC 9110 section 15.3"],
    needs_complete=True,
)
def response_empty(view: View) -> Iterator[Hit]:
    """A successful answer to a POST has a body, unless its status says that there is none.

    An empty success is read as an empty reply, and the turn is lost without an error.
    """
    response = view.exchange.response
    if view.exchange.request.method != "POST" or response.status in (202, 204):
        return
    if response.body.empty and response.body.note is None:
        yield Hit(None, f"status {response.status} with an empty body", "a body", "nothing")


@rule("stream-empty", severity=Severity.ERROR, scope="stream", cites=["ANY-105 property of this suite"])
def stream_empty(view: View) -> Iterator[Hit]:
    """A stream that answers a request holds at least one event.

    The client sees an empty turn and no error. In a foreign recording the recorder may not have read the stream.
    """
    if view.exchange.request.method == "POST" and not view.events:
        harm = None if view.complete else Severity.WARNING
        yield Hit(None, "the stream ended without an event", "at least one event", "no event", severity=harm)


@rule("stream-data-malformed", severity=Severity.ERROR, scope="stream", cites=["ANY-106 property of this suite"])
def stream_data_malformed(view: View) -> Iterator[Hit]:
    """The data of every event is JSON, but for the dialect's end mark.

    SDKs parse each event as it comes and raise in the middle of the reply.
    """
    for event in view.events or ():
        if event.data and event.complete and event.data.strip() != _DONE and isinstance(event.json, (Malformed, str)):
            reason = event.json.reason if isinstance(event.json, Malformed) else "plain text"
            yield Hit(event.pointer, f"the event's data is not JSON: {reason}", "JSON", brief(event.data))


@rule("stream-truncated", severity=Severity.ERROR, scope="stream", cites=["ANY-107 WHATWG HTML standard section 9.2.6"])
def stream_truncated(view: View) -> Iterator[Hit]:
    """The last event of a stream is whole, and a blank line ends it.

    The connection broke. A client that takes what it has for the reply runs half a call.
    """
    for event in view.events or ():
        if event.complete:
            continue
        broken = isinstance(event.json, Malformed) and event.data.strip() != _DONE
        if broken or view.complete:
            yield Hit(
                event.pointer,
                "the stream ends inside an event" if broken else "no blank line ends the last event",
                "a whole event and a blank line",
                brief(event.data[-40:]),
                severity=None if broken else Severity.WARNING,
            )


@rule(
    "content-type-mismatch",
    severity=Severity.WARNING,
    scope="exchange",
    cites=["ANY-109 RFC 9110 section 8.3"],
    needs_complete=True,
)
def content_type_mismatch(view: View) -> Iterator[Hit]:
    """The content type of a body says what the body is: JSON, or a stream of events.

    Many clients choose by it how they read the body; proxies choose by it whether they hold a stream back.
    """
    request, response = view.exchange.request, view.exchange.response
    sent = (request.headers.get("content-type") or "").lower()
    if not request.body.empty and "json" not in sent and not isinstance(view.request, Malformed):
        yield Hit(None, "the content type of the request is not JSON's", "application/json", sent, side="request")
    got = (response.headers.get("content-type") or "").lower()
    if response.body.empty or (isinstance(view.response, Malformed) and not response.is_event_stream):
        return
    wanted = "text/event-stream" if response.is_event_stream else "application/json"
    if wanted.rpartition("/")[2] not in got:
        yield Hit(None, "the content type of the response is not that of its body", wanted, got, side="response")


@rule("stream-missing", severity=Severity.ERROR, scope="response", cites=["ANY-110 property of this suite"])
def stream_missing(view: View) -> Iterator[Hit]:
    """A request for a stream is answered by a stream.

    SDKs read the plain body as events, find none, and give their caller an empty turn.
    """
    if view.ask.stream and not view.dialect.server_chooses_streaming:
        body = view.exchange.response.body
        if body.note is None and not body.empty:
            yield Hit(None, "a stream was asked for, a plain body came", "server-sent events", "a plain body")


@rule("stream-unexpected", severity=Severity.ERROR, scope="stream", cites=["ANY-111 property of this suite"])
def stream_unexpected(view: View) -> Iterator[Hit]:
    """A request that asks for no stream is answered by a plain body.

    The client parses the events as one JSON body and fails.
    """
    unread = isinstance(view.request, Malformed)
    if not view.ask.stream and not unread and not view.dialect.server_chooses_streaming:
        yield Hit(None, "a stream came although none was asked for", "a plain body", "server-sent events")
