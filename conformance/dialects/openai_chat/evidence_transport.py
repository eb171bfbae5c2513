"""Sources and examples of Chat Completions for the neutral rules about HTTP, JSON and streams."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import change, drop, example, put

_STREAM_TYPE = {"content-type": "text/event-stream"}
_REQUEST = '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hi", "content": "Bye"}]}'
_RESPONSE = '{"error": {"message": "busy", "type": "server_error", "param": null, "code": null, "code": "busy"}}'
_TEXT = "/0/response/body/choices/0/message/content"
_ANSWER = "openai-chat/stream-answer"
_BODY, _REPLY = "/0/request/body", "/0/response/body"

EVIDENCE = {
    "request-malformed": evidence(
        "OAC-Q-001 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionRequest",
        basis="schema",
        violating=[example("openai-chat/call", put("/0/request/body", '{"model": "gpt-4o-mini",'), at="0 request")],
    ),
    "response-malformed": evidence(
        "OAC-R-001 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionResponse",
        basis="schema",
        violating=[
            example("openai-chat/call", put("/0/response/body", '{"id": "chatcmpl-1", "choices": [}'), at="0 response"),
            example("openai-chat/call", put("/0/response/body", "<html>busy</html>"), at="0 response"),
        ],
    ),
    "response-empty": evidence(
        "OAC-R-001 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionResponse",
        basis="schema",
        violating=[example("openai-chat/call", put("/0/response/body", ""), at="0 response")],
    ),
    "stream-empty": evidence(
        "OAC-S-002 openai 2.54 types/chat/chat_completion_stream_options_param.py",
        basis="sdk-type",
        violating=[example("openai-chat/stream-call", put("/0/response/events", []), at="0 response")],
    ),
    "stream-data-malformed": evidence(
        "OAC-S-003 openai 2.54 _streaming.py",
        basis="sdk-type",
        violating=[
            example("openai-chat/stream-call", put("/0/response/events/3/data", '{"id": "x"'), at="0 response event/3"),
            example("openai-chat/stream-call", put("/0/response/events/3/data", "wait"), at="0 response event/3"),
        ],
    ),
    "stream-truncated": evidence(
        violating=[
            example(
                "openai-chat/call",
                put("/0/request/body/stream", True),
                put("/0/response/headers", _STREAM_TYPE),
                put("/0/response/body", 'data: {"id": "chatcmpl-1", "object": "chat.com'),
                at="0 response event/0",
            )
        ]
    ),
    "content-type-mismatch": evidence(
        "OAC-S-001 recorded traffic 201/204",
        violating=[
            example("openai-chat/call", put("/0/response/headers", {"content-type": "text/html"}), at="0 response"),
            example(
                "openai-chat/stream-call",
                put("/0/response/headers", {"content-type": "application/json"}),
                at="0 response",
            ),
            example("openai-chat/call", put("/0/request/headers/content-type", "text/plain"), at="0 request"),
        ],
    ),
    "stream-missing": evidence(
        "OAC-S-001 openai 2.54 types/chat/completion_create_params.py",
        basis="sdk-type",
        violating=[example("openai-chat/call", put("/0/request/body/stream", True), at="0 response")],
    ),
    "stream-unexpected": evidence(
        "OAC-S-001 openai 2.54 types/chat/completion_create_params.py",
        basis="sdk-type",
        violating=[
            example(
                "openai-chat/stream-call",
                drop("/0/request/body/stream"),
                drop("/0/request/body/stream_options"),
                at="0 response",
            )
        ],
    ),
    "key-duplicate": evidence(
        violating=[
            example("openai-chat/call", put("/0/request/body", _REQUEST), at="0 request /messages/0/content"),
            example("openai-chat/failure", put("/0/response/body", _RESPONSE), at="0 response /error/code"),
        ],
        conforming=[example("openai-chat/call", put("/0/request/body", _REQUEST.replace(', "content": "Bye"', "")))],
    ),
    "text-replacement-character-unexpected": evidence(
        "OAC-S-016 openclaw/openclaw#110642",
        violating=[
            example(
                "openai-chat/answer", change(_TEXT, "°", "\ufffd\ufffd"), at="0 response /choices/0/message/content"
            ),
            example(
                _ANSWER,
                change("/0/response/events/1/data/choices/0/delta/content", "°", "\ufffd\ufffd"),
                at="0 response event/1/choices/0/delta/content",
            ),
        ],
        conforming=[
            example(
                "openai-chat/answer", put(_TEXT, "14.\ufffd"), put("/0/request/body/messages/0/content", "\ufffd?")
            ),
            example("openai-chat/cut-off", change(_TEXT, "in", "\ufffd")),
        ],
        bugs=["kekzl/imp#1554", "openclaw/openclaw#115536", "openclaw/openclaw#110642", "eliza#30904"],
    ),
    "request-body-missing": evidence(
        "OAC-Q-001 openai/openai-openapi openapi.json#/paths/~1chat~1completions/post",
        basis="schema",
        violating=[example("openai-chat/call", put("/0/request/body", ""), at="0 request")],
        conforming=[example("openai-chat/call", put("/0/request/body", ""), complete=False)],
    ),
}
