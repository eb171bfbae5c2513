"""What lies below every dialect: a body that is JSON, or a stream of events that arrive whole."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed

_STREAM_TYPE = {"content-type": "text/event-stream"}
_DONE = "[DONE]"


@rule(
    "request-malformed",
    severity=Severity.ERROR,
    scope="exchange",
    basis="documented",
    cites=[
        "OAC-Q-001 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionRequest",
        "ANT-Q-001 anthropic 2.11 types/message_create_params.py",
        "GEM-Q-001 google-genai 2.34 google/genai/models.py",
        "OAR-Q-006 openai/openai-openapi openapi.json#/components/schemas/CreateResponse",
        "MCP-A-006 modelcontextprotocol 2025-06-18/basic/transports.mdx",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-responses/call"),
    ],
    violating=[
        example("openai-chat/call", put("/0/request/body", '{"model": "gpt-4o-mini",'), at="0 request"),
        example("openai-responses/call", put("/0/request/body", '{"model": "gpt-5-mini",'), at="0 request"),
    ],
)
def request_malformed(view: View) -> Iterator[Hit]:
    """The body of a request is JSON.

    The server refuses it before it looks at what it asks.
    """
    body = view.exchange.request.body
    if isinstance(view.request, Malformed) and not body.empty and body.note is None:
        reason = view.request.reason
        yield Hit(None, f"the body is not JSON: {reason}", "a JSON body", brief(view.request), side="request")


@rule(
    "response-malformed",
    severity=Severity.ERROR,
    scope="response",
    basis="documented",
    cites=[
        "OAC-R-001 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionResponse",
        "ANT-R-001 anthropic 2.11 types/message.py",
        "GEM-R-001 google-genai 2.34 google/genai/types.py GenerateContentResponse",
        "OAR-R-001 openai/openai-openapi openapi.json#/components/schemas/Response",
        "MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx",
    ],
    conforming=[
        example("gemini/call"),
        example("openai-chat/call"),
        example("openai-responses/call"),
    ],
    violating=[
        example("gemini/call", put("/0/response/body", '{"candidates": ['), at="0 response"),
        example("openai-chat/call", put("/0/response/body", '{"id": "chatcmpl-1", "choices": [}'), at="0 response"),
        example("openai-chat/call", put("/0/response/body", "<html>busy</html>"), at="0 response"),
        example("openai-responses/call", put("/0/response/body", "<html>busy</html>"), at="0 response"),
    ],
)
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
    basis="documented",
    needs_complete=True,
    cites=[
        "OAC-R-001 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionResponse",
        "ANT-R-001 anthropic 2.11 types/message.py",
        "GEM-R-001 google-genai 2.34 google/genai/types.py GenerateContentResponse",
        "OAR-R-001 openai/openai-openapi openapi.json#/components/schemas/Response",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-responses/call"),
    ],
    violating=[
        example("openai-chat/call", put("/0/response/body", ""), at="0 response"),
        example("openai-responses/call", put("/0/response/body", ""), at="0 response"),
    ],
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


@rule(
    "stream-empty",
    severity=Severity.ERROR,
    scope="stream",
    basis="documented",
    cites=[
        "OAC-S-002 openai 2.54 types/chat/chat_completion_stream_options_param.py",
        "ANT-S-002 anthropic 2.11 lib/streaming/_messages.py",
        "GEM-S-001 recorded traffic 38/38",
        "OAR-S-002 openai 2.54 lib/streaming/responses/_responses.py",
    ],
    conforming=[
        example("gemini/stream-call"),
        example("openai-chat/stream-call"),
        example("anthropic-messages/stream-call"),
        example("openai-responses/stream-call"),
    ],
    violating=[
        example("gemini/stream-call", put("/0/response/events", []), at="0 response"),
        example("openai-chat/stream-call", put("/0/response/events", []), at="0 response"),
        example("anthropic-messages/stream-call", put("/0/response/events", []), at="0 response"),
        example("openai-responses/stream-call", put("/0/response/events", []), at="0 response"),
    ],
)
def stream_empty(view: View) -> Iterator[Hit]:
    """A stream that answers a request holds at least one event.

    The client sees an empty turn and no error. In a foreign recording the recorder may not have read the stream.
    """
    if view.exchange.request.method == "POST" and not view.events:
        harm = None if view.complete else Severity.WARNING
        yield Hit(None, "the stream ended without an event", "at least one event", "no event", severity=harm)


@rule(
    "stream-data-malformed",
    severity=Severity.ERROR,
    scope="stream",
    basis="documented",
    cites=[
        "OAC-S-003 openai 2.54 _streaming.py",
        "ANT-S-001 anthropic 2.11 _streaming.py",
        "GEM-S-001 recorded traffic 38/38",
        "OAR-S-001 recorded traffic 2638/2638",
        "MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx",
    ],
    conforming=[
        example("gemini/stream-call"),
        example("openai-chat/stream-call"),
        example("openai-responses/stream-call"),
    ],
    violating=[
        example("gemini/stream-call", put("/0/response/events/1/data", '{"candidates"'), at="0 response event/1"),
        example("openai-chat/stream-call", put("/0/response/events/3/data", '{"id": "x"'), at="0 response event/3"),
        example("openai-chat/stream-call", put("/0/response/events/3/data", "wait"), at="0 response event/3"),
        example("openai-responses/stream-call", put("/0/response/events/3/data", "wait"), at="0 response event/3"),
    ],
)
def stream_data_malformed(view: View) -> Iterator[Hit]:
    """The data of every event is JSON, but for the dialect's end mark.

    SDKs parse each event as it comes and raise in the middle of the reply.
    """
    for event in view.events or ():
        if event.data and event.complete and event.data.strip() != _DONE and isinstance(event.json, (Malformed, str)):
            reason = event.json.reason if isinstance(event.json, Malformed) else "plain text"
            yield Hit(event.pointer, f"the event's data is not JSON: {reason}", "JSON", brief(event.data))


@rule(
    "stream-truncated",
    severity=Severity.ERROR,
    scope="stream",
    basis="documented",
    cites=[
        "OAC-S-002 WHATWG HTML standard section 9.2.6",
        "ANT-S-002 WHATWG HTML standard section 9.2.6",
        "GEM-S-001 WHATWG HTML standard section 9.2.6",
        "OAR-S-004 WHATWG HTML standard section 9.2.6",
        "MCP-A-008 WHATWG HTML standard section 9.2.6",
    ],
    bugs=["trpc-group/trpc-agent-go#2085"],
    conforming=[example("gemini/stream-call"), example("openai-chat/stream-call")],
    violating=[
        example(
            "gemini/array-call", put("/0/response/body", '[{"candidates": []},\n{"candid'), at="0 response event/1"
        ),
        example(
            "openai-chat/call",
            put("/0/request/body/stream", True),
            put("/0/response/headers", _STREAM_TYPE),
            put("/0/response/body", 'data: {"id": "chatcmpl-1", "object": "chat.com'),
            at="0 response event/0",
        ),
    ],
)
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
    basis="documented",
    needs_complete=True,
    cites=[
        "OAC-S-001 recorded traffic 201/204",
        "ANT-S-001 anthropic 2.11 _streaming.py",
        "GEM-S-001 recorded traffic 38/38",
        "OAR-S-001 recorded traffic 61/61",
        "MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/stream-call"),
        example("openai-chat/failure"),
        example("openai-responses/stream-call"),
    ],
    violating=[
        example("openai-chat/call", put("/0/response/headers", {"content-type": "text/html"}), at="0 response"),
        example(
            "openai-chat/stream-call",
            put("/0/response/headers", {"content-type": "application/json"}),
            at="0 response",
        ),
        example("openai-chat/call", put("/0/request/headers/content-type", "text/plain"), at="0 request"),
        example(
            "openai-responses/stream-call",
            put("/0/response/headers", {"content-type": "application/json"}),
            at="0 response",
        ),
    ],
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


@rule(
    "stream-missing",
    severity=Severity.ERROR,
    scope="response",
    basis="documented",
    cites=[
        "OAC-S-001 openai 2.54 types/chat/completion_create_params.py",
        "ANT-S-002 anthropic 2.11 types/message_create_params.py",
        "GEM-S-001 google-genai 2.34 google/genai/models.py",
        "OAR-S-002 openai/openai-openapi openapi.json#/components/schemas/CreateResponse",
    ],
    conforming=[
        example("gemini/stream-call"),
        example("openai-chat/stream-call"),
        example("openai-chat/call"),
        example("openai-responses/call"),
    ],
    violating=[
        example("gemini/array-call", put("/0/response/body", {"candidates": []}), at="0 response"),
        example("openai-chat/call", put("/0/request/body/stream", True), at="0 response"),
        example("openai-responses/call", put("/0/request/body/stream", True), at="0 response"),
    ],
)
def stream_missing(view: View) -> Iterator[Hit]:
    """A request for a stream is answered by a stream.

    SDKs read the plain body as events, find none, and give their caller an empty turn.
    """
    if view.ask.stream and not getattr(view.dialect, "server_chooses_streaming", False):
        body = view.exchange.response.body
        if body.note is None and not body.empty:
            yield Hit(None, "a stream was asked for, a plain body came", "server-sent events", "a plain body")


@rule(
    "stream-unexpected",
    severity=Severity.ERROR,
    scope="stream",
    basis="documented",
    cites=[
        "OAC-S-001 openai 2.54 types/chat/completion_create_params.py",
        "ANT-S-002 anthropic 2.11 types/message_create_params.py",
        "GEM-S-001 google-genai 2.34 google/genai/models.py",
        "OAR-S-002 openai/openai-openapi openapi.json#/components/schemas/CreateResponse",
    ],
    conforming=[
        example("gemini/stream-call"),
        example("openai-chat/stream-call"),
        example("openai-chat/call"),
        example("openai-responses/stream-call"),
    ],
    violating=[
        example(
            "gemini/stream-call",
            put(
                "/0/request/url",
                "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-flash-preview:generateContent",
            ),
            at="0 response",
        ),
        example(
            "openai-chat/stream-call",
            drop("/0/request/body/stream"),
            drop("/0/request/body/stream_options"),
            at="0 response",
        ),
        example("openai-responses/stream-call", drop("/0/request/body/stream"), at="0 response"),
    ],
)
def stream_unexpected(view: View) -> Iterator[Hit]:
    """A request that asks for no stream is answered by a plain body.

    The client parses the events as one JSON body and fails.
    """
    unread = isinstance(view.request, Malformed)
    if not view.ask.stream and not unread and not getattr(view.dialect, "server_chooses_streaming", False):
        yield Hit(None, "a stream came although none was asked for", "a plain body", "server-sent events")
