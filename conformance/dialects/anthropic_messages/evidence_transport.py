"""Sources and examples of Messages for the neutral rules about HTTP, JSON and streams."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import change, drop, example, put

_HEADERS = "/0/request/headers"

EVIDENCE = {
    "request-malformed": evidence(
        "ANT-Q-001 anthropic 2.11 types/message_create_params.py",
        basis="sdk-type",
        violating=[
            example("anthropic-messages/call", put("/0/request/body", '{"model": "claude-sonnet-4-5",'), at="0 request")
        ],
    ),
    "response-malformed": evidence(
        "ANT-R-001 anthropic 2.11 types/message.py",
        basis="sdk-type",
        violating=[example("anthropic-messages/call", put("/0/response/body", "<html>busy</html>"), at="0 response")],
    ),
    "response-empty": evidence(
        "ANT-R-001 anthropic 2.11 types/message.py",
        basis="sdk-type",
        violating=[example("anthropic-messages/call", put("/0/response/body", ""), at="0 response")],
    ),
    "stream-empty": evidence(
        "ANT-S-002 anthropic 2.11 lib/streaming/_messages.py",
        basis="sdk-type",
        violating=[example("anthropic-messages/stream-call", put("/0/response/events", []), at="0 response")],
    ),
    "stream-data-malformed": evidence(
        "ANT-S-001 anthropic 2.11 _streaming.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/stream-call", put("/0/response/events/3/data", '{"type"'), at="0 response event/3"
            )
        ],
    ),
    "stream-truncated": evidence(
        violating=[
            example(
                "anthropic-messages/stream-call",
                drop("/0/response/events"),
                put("/0/response/body", 'event: message_start\ndata: {"type": "message_start", "mess'),
                at="0 response event/0",
            ),
        ],
        bugs=["trpc-group/trpc-agent-go#2085"],
    ),
    "content-type-mismatch": evidence(
        "ANT-S-001 anthropic 2.11 _streaming.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/call", put("/0/response/headers", {"content-type": "text/html"}), at="0 response"
            )
        ],
    ),
    "stream-missing": evidence(
        "ANT-S-002 anthropic 2.11 types/message_create_params.py",
        basis="sdk-type",
        violating=[example("anthropic-messages/call", put("/0/request/body/stream", True), at="0 response")],
    ),
    "stream-unexpected": evidence(
        "ANT-S-002 anthropic 2.11 types/message_create_params.py",
        basis="sdk-type",
        violating=[example("anthropic-messages/stream-call", drop("/0/request/body/stream"), at="0 response")],
    ),
    "text-replacement-character-unexpected": evidence(
        violating=[
            example(
                "anthropic-messages/answer",
                change("/0/response/body/content/0/text", "°", "\ufffd"),
                at="0 response /content/0",
            )
        ]
    ),
    "request-body-missing": evidence(
        "ANT-Q-001 anthropic 2.11 resources/messages/messages.py",
        basis="sdk-type",
        violating=[example("anthropic-messages/call", put("/0/request/body", ""), at="0 request")],
    ),
    "credential-missing": evidence(
        "ANT-Q-002 anthropic 2.11 _client.py",
        basis="sdk-type",
        violating=[
            example("anthropic-messages/call", put(f"{_HEADERS}/authorization", "Basic REDACTED"), at="0 request")
        ],
    ),
}
