"""Examples of rules with generic ids that cannot be derived from a conforming exchange by one edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from conformance.judge.contract.statement import Statement, generic
from conformance.judge.example import example, put

_MCP = {
    "type": "mcp",
    "server_label": "weather",
    "server_url": "https://mcp.example.com",
    "allowed_tools": {"tool_names": ["get_weather"], "unheard_of": True},
}
_TUNNELLED = {"type": "mcp", "server_label": "weather", "tunnel_id": "not valid!"}
_CITED = {"type": "url_citation", "url": "", "title": "Seoul", "start_index": 0, "end_index": 4}

STATEMENTS: Mapping[str, Statement] = {
    "responses-reply-field-unknown": replace(
        generic("unknown", "reply", "responses", "reply"),
        violating=(
            example(
                "openai-responses/answer",
                put("/0/response/body/tools/0", _MCP),
                at="0 response /tools/0/allowed_tools/unheard_of",
            ),
        ),
    ),
    "responses-event-field-unknown": replace(
        generic("unknown", "reply", "responses", "event"),
        violating=(
            example(
                "openai-responses/stream-call",
                put("/0/response/events/0/data/response/tools/0", _MCP),
                at="0 response event/0/response/tools/0/allowed_tools/unheard_of",
            ),
        ),
    ),
    "responses-reply-value-malformed": replace(
        generic("pattern", "reply", "responses", "reply"),
        violating=(
            example(
                "openai-responses/answer",
                put("/0/response/body/tools/0", _TUNNELLED),
                at="0 response /tools/0/tunnel_id",
            ),
        ),
    ),
    "responses-event-value-malformed": replace(
        generic("pattern", "reply", "responses", "event"),
        violating=(
            example(
                "openai-responses/stream-call",
                put("/0/response/events/0/data/response/tools/0", _TUNNELLED),
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
}
