"""The transport of every dialect: bodies are JSON, or streams of complete events."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.header_evidence import is_evidence
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import eventstream, lines
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed

_DONE = "[DONE]"


@rule(
    "request-malformed",
    scope="exchange",
    side="request",
    cites="ANY-101",
)
def request_malformed(view: View) -> Iterator[Hit]:
    """The body of a request must be valid JSON.

    The server rejects the request before reading its content.
    """
    body = view.exchange.request.body
    if isinstance(view.request, Malformed) and not body.empty and body.note is None and view.file != "request":
        reason = view.request.reason
        yield Hit(None, f"the body is not valid JSON: {reason}", "a JSON body", brief(view.request), side="request")


@rule(
    "response-malformed",
    scope="response",
    cites="ANY-103",
)
def response_malformed(view: View) -> Iterator[Hit]:
    """The body of a successful response must be valid JSON.

    A proxy's HTML page, or a truncated body, arrives as a success but fails in the client's parser.
    """
    body = view.exchange.response.body
    if isinstance(view.response, Malformed) and not body.empty and body.note is None and view.file != "response":
        yield Hit(None, f"the body is not valid JSON: {view.response.reason}", "a JSON body", brief(view.response))


@rule(
    "response-empty",
    scope="response",
    cites="ANY-104",
    needs_complete=True,
)
def response_empty(view: View) -> Iterator[Hit]:
    """A successful response to a POST must have a body, unless its status excludes one.

    Clients read an empty response as an empty reply, and lose the turn without an error.
    """
    response = view.exchange.response
    if view.exchange.request.method != "POST" or response.status in (202, 204):
        return
    if response.body.empty and response.body.note is None:
        yield Hit(None, f"status {response.status} with an empty body", "a body", "nothing")


@rule(
    "stream-empty",
    scope="stream",
    cites=["ANY-105", "ANY-010"],
)
def stream_empty(view: View) -> Iterator[Hit]:
    """A stream must have at least one event besides its end marker.

    The client sees an empty turn and no error. A body without a single byte in a recording of another tool is no
    evidence: its recorder may not have read the stream.
    """
    if view.exchange.request.method != "POST" or (view.exchange.response.body.empty and not view.complete):
        return
    called_off = view.dialect.readers.called_off
    if called_off is not None and called_off(view):
        return
    if all(event.data.strip() == _DONE for event in view.events or ()):
        found = "only its end marker" if view.events else "no event"
        yield Hit(None, "the stream contains no reply", "at least one event", found)


@rule(
    "stream-data-malformed",
    scope="stream",
    cites="ANY-106",
)
def stream_data_malformed(view: View) -> Iterator[Hit]:
    """The data of every event must be valid JSON, except for the dialect's end marker.

    SDKs parse each event as it comes, and raise in the middle of the reply.
    """
    for event in view.events or ():
        if event.data and event.complete and event.data.strip() != _DONE and isinstance(event.json, (Malformed, str)):
            reason = event.json.reason if isinstance(event.json, Malformed) else "plain text"
            yield Hit(event.pointer, f"the event's data is not valid JSON: {reason}", "JSON", brief(event.data))


@rule(
    "stream-truncated",
    scope="stream",
    cites="ANY-107",
)
def stream_truncated(view: View) -> Iterator[Hit]:
    """The last event of a stream must be complete; a server-sent event ends with a blank line.

    Otherwise the connection broke: a client that uses what it has received runs half a call.
    """
    for event in view.events or ():
        if event.complete:
            continue
        broken = isinstance(event.json, Malformed) and event.data.strip() != _DONE
        if broken or view.complete:
            yield Hit(
                event.pointer,
                "the stream ends inside an event" if broken else "the last event does not end with a blank line",
                "a complete event" if broken else "a complete event and a blank line",
                brief(event.data[-40:]),
                severity=None if broken else Severity.WARNING,
            )


@rule(
    "content-type-mismatch",
    scope="exchange",
    cites=["ANY-109", "ANY-009"],
    because="ANY-009 defines only when a header is evidence",
)
def content_type_mismatch(view: View) -> Iterator[Hit]:
    """The content type must match the body: JSON, or server-sent events.

    Many clients choose by it how they read the body; proxies choose by it whether they hold a stream back. Where the
    server chooses whether it streams, clients have nothing else to go by: another type is an error there.
    """
    if view.file is not None:
        return
    request, response = view.exchange.request, view.exchange.response
    got = (response.headers.get("content-type") or "").lower()
    unread = view.dialect.server_chooses_streaming and view.ok and not response.body.empty and _is_foreign(got)
    if unread:
        message, wanted = "the client does not read this content type", " or ".join(_READ)
        yield Hit(None, message, wanted, got, severity=Severity.ERROR, side="response")
    sent = (request.headers.get("content-type") or "").lower()
    json_expected = (
        not (request.body.empty or request.in_frame)
        and not isinstance(view.request, Malformed)
        and is_evidence(view, "content-type")
    )
    if json_expected and "json" not in sent and (view.complete or not sent or _is_media_type(sent)):
        message = "the content type of the request is not JSON's"
        yield Hit(None, message, "application/json", sent or "no such header", side="request")
    if not view.complete and (not _is_media_type(got) or response.body.parsed_by_recorder):
        return
    in_lines = view.dialect.streams_lines and view.events is not None
    streamed = response.is_event_stream or in_lines
    if unread or response.body.empty or (isinstance(view.response, Malformed) and not streamed):
        return
    of_stream = lines.CONTENT_TYPE if in_lines else "text/event-stream"
    wanted = of_stream if streamed else "application/json"
    wanted = eventstream.CONTENT_TYPE if response.body.framed else wanted
    if wanted.rpartition("/")[2] not in got:
        yield Hit(None, "the content type of the response does not match its body", wanted, got, side="response")


_READ = ("application/json", "text/event-stream")


def _is_media_type(text: str) -> bool:
    """Whether the recorder kept the content type, and it is that of the recorded body.

    It is not if the recorder has converted the frames of Amazon's event stream to text.
    """
    return "/" in text and "amazon.eventstream" not in text


def _is_foreign(content_type: str) -> bool:
    """Whether there is a content type, and it is neither JSON's nor that of a stream of events."""
    essence = content_type.partition(";")[0].strip()
    return bool(essence) and essence not in _READ


@rule(
    "stream-missing",
    scope="response",
    cites="ANY-110",
)
def stream_missing(view: View) -> Iterator[Hit]:
    """The response to a streaming request must be a stream.

    SDKs parse the plain body as events, find none, and return an empty turn.
    """
    of_one_line = view.dialect.streams_lines and "headers" in view.exchange.lacks  # it looks like a plain body
    if view.ask.stream and not view.dialect.server_chooses_streaming and not of_one_line:
        body = view.exchange.response.body
        if body.note is None and not body.empty:
            yield Hit(
                None,
                "the request asked for a stream, but the response is a plain body",
                "server-sent events",
                "a plain body",
            )


@rule(
    "stream-unexpected",
    scope="stream",
    cites="ANY-111",
)
def stream_unexpected(view: View) -> Iterator[Hit]:
    """The response to a request without streaming must be a plain body.

    The client parses the events as a single JSON body and fails.
    """
    unread = isinstance(view.request, Malformed)
    if not view.ask.stream and not unread and not view.dialect.server_chooses_streaming:
        yield Hit(
            None, "the request did not ask for a stream, but the response is one", "a plain body", "server-sent events"
        )
