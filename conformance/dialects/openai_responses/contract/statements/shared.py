"""Examples of rules with generic ids that one edit does not give, or that take long to derive from the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from conformance.judge.contract.statement import Statement, generic
from conformance.judge.example import drop, example, insert, put

_ANSWER, _STREAM = "openai-responses/answer", "openai-responses/stream-call"
_RESPONSE, _BEGUN = "/0/response/body", "/0/response/events/0/data/response"
_MCP = {
    "type": "mcp",
    "server_label": "weather",
    "server_url": "https://mcp.example.com",
    "allowed_tools": {"tool_names": ["get_weather"], "unheard_of": True},
}
_TUNNELLED = {"type": "mcp", "server_label": "weather", "tunnel_id": "not valid!"}
_SEARCH = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "weather", "sources": [{"type": "api", "name": None}]},
}
_LONG = {"city": "x" * 513}
_MANY = {f"key_{number}": "a" for number in range(17)}
_CITED = {"type": "url_citation", "url": "", "title": "Seoul", "start_index": 0, "end_index": 4}

STATEMENTS: Mapping[str, Statement] = {
    "responses-event-field-missing": replace(
        generic("missing", "reply", "responses", "event"),
        bugs=("langchain-ai/langchainjs#9868",),
        violating=(example(_STREAM, drop("/0/response/events/3/data/item_id")),),
    ),
    "responses-reply-field-unknown": replace(
        generic("unknown", "reply", "responses", "reply"),
        violating=(
            example(
                _ANSWER,
                put(f"{_RESPONSE}/tools/0", _MCP),
                at="0 response /tools/0/allowed_tools/unheard_of",
            ),
        ),
    ),
    "responses-event-field-unknown": replace(
        generic("unknown", "reply", "responses", "event"),
        violating=(
            example(
                _STREAM,
                put(f"{_BEGUN}/tools/0", _MCP),
                at="0 response event/0/response/tools/0/allowed_tools/unheard_of",
            ),
        ),
    ),
    "responses-reply-value-malformed": replace(
        generic("pattern", "reply", "responses", "reply"),
        violating=(
            example(
                _ANSWER,
                put(f"{_RESPONSE}/tools/0", _TUNNELLED),
                at="0 response /tools/0/tunnel_id",
            ),
        ),
    ),
    "responses-event-value-malformed": replace(
        generic("pattern", "reply", "responses", "event"),
        violating=(
            example(
                _STREAM,
                put(f"{_BEGUN}/tools/0", _TUNNELLED),
                at="0 response event/0/response/tools/0/tunnel_id",
            ),
        ),
    ),
    "responses-event-field-empty": replace(
        generic("empty", "reply", "responses", "event"),
        violating=(
            example(
                "openai-responses/stream-answer",
                put("/0/response/events/7/data/part/annotations", [_CITED]),
                at="0 response event/7/part/annotations/0/url",
            ),
        ),
    ),
    "responses-reply-field-null": replace(
        generic("null", "reply", "responses", "reply"),
        violating=(
            example(
                _ANSWER,
                insert(f"{_RESPONSE}/output/0", _SEARCH),
                at="0 response /output/0/action/sources/0/name",
            ),
        ),
    ),
    "responses-event-field-wrong-type": replace(
        generic("type", "reply", "responses", "event"),
        violating=(example(_STREAM, put("/0/response/events/3/data/sequence_number", "3")),),
    ),
    "responses-event-field-null": replace(
        generic("null", "reply", "responses", "event"),
        violating=(example("openai-responses/stream-answer", put("/0/response/events/4/data/logprobs", None)),),
    ),
    "responses-request-value-out-of-range": replace(
        generic("range", "request", "responses", "request"),
        violating=(example("openai-responses/call", put("/0/request/body/temperature", -1)),),
    ),
    "responses-request-length-out-of-range": replace(
        generic("length", "request", "responses", "request"),
        violating=(
            example("openai-responses/call", put("/0/request/body/metadata", _LONG), at="0 request /metadata/city"),
        ),
    ),
    "responses-reply-length-out-of-range": replace(
        generic("length", "reply", "responses", "reply"),
        violating=(example(_ANSWER, put(f"{_RESPONSE}/metadata", _LONG), at="0 response /metadata/city"),),
    ),
    "responses-event-length-out-of-range": replace(
        generic("length", "reply", "responses", "event"),
        violating=(example(_STREAM, put(f"{_BEGUN}/metadata", _LONG), at="0 response event/0/response/metadata/city"),),
    ),
    "responses-request-count-out-of-range": replace(
        generic("count", "request", "responses", "request"),
        violating=(example("openai-responses/call", put("/0/request/body/metadata", _MANY)),),
    ),
    "responses-reply-count-out-of-range": replace(
        generic("count", "reply", "responses", "reply"),
        violating=(example(_ANSWER, put(f"{_RESPONSE}/metadata", _MANY)),),
    ),
    "responses-event-count-out-of-range": replace(
        generic("count", "reply", "responses", "event"), violating=(example(_STREAM, put(f"{_BEGUN}/metadata", _MANY)),)
    ),
    "responses-event-value-unknown": replace(
        generic("value", "reply", "responses", "event"),
        violating=(example(_STREAM, put(f"{_BEGUN}/service_tier", "unheard-of")),),
    ),
}
