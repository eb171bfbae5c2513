"""Sources and examples of Responses for the neutral rules about the calls and results of a history."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put

_SEARCHED = {
    "type": "tool_search_output",
    "id": "tso_1",
    "call_id": "call_9",
    "execution": "server",
    "status": "completed",
    "tools": [],
}
_SEOUL, _BUSAN = "call_a1B2c3D4e5F6g7H8i9J0k1L2", "call_m3N4o5P6q7R8s9T0u1V2w3X4"
_CHANGED, _KEPT = '{"latitude":38,"longitude":126.98}', '{"latitude":35.18,"longitude":129.08}'
_ASKED_AGAIN = [
    {"role": "user", "content": "How warm is it in Seoul and in Busan?"},
    {"type": "function_call", "call_id": _SEOUL, "name": "get_weather", "arguments": _CHANGED},
    {"type": "function_call", "call_id": _BUSAN, "name": "get_weather", "arguments": _KEPT},
    {"type": "function_call_output", "call_id": _SEOUL, "output": '{"temperature": 14.2}'},
    {"type": "function_call_output", "call_id": _BUSAN, "output": '{"temperature": 17.9}'},
    {"role": "assistant", "content": "14.2 °C in Seoul, 17.9 °C in Busan."},
    {"role": "user", "content": "Which of them is nearer?"},
]
"""The history so far with other arguments in its first call, and another question."""
_THIRD = {
    "request": {
        "method": "POST",
        "url": "https://api.openai.com/v1/responses",
        "headers": {"content-type": "application/json", "authorization": "Bearer REDACTED"},
        "body": {"model": "gpt-5-mini", "input": _ASKED_AGAIN},
    },
    "response": {"status": 503, "headers": {}, "body": ""},
}

EVIDENCE = {
    "tool-call-unanswered": evidence(
        "OAR-C-001 continuedev/continue#11785",
        violating=[
            example("openai-responses/answer", drop("/0/request/body/input/4"), at="0 request /input/2"),
            example(
                "openai-responses/run-previous", drop("/1/request/body/input/1"), at="1 request /previous_response_id"
            ),
        ],
    ),
    "tool-result-orphaned": evidence(
        "OAR-C-002 james-6-23/codex2api#414",
        violating=[
            example(
                "openai-responses/answer",
                put("/0/request/body/input/3/call_id", "call_of_nobody"),
                at="0 request /input/3",
            )
        ],
        bugs=["router-for-me/CLIProxyAPI#5692"],
    ),
    "tool-result-duplicate": evidence(
        violating=[
            example(
                "openai-responses/answer",
                insert(
                    "/0/request/body/input/5",
                    {"type": "function_call_output", "call_id": "call_m3N4o5P6q7R8s9T0u1V2w3X4", "output": "17.9"},
                ),
                at="0 request /input/5",
            )
        ]
    ),
    "echoed-call-changed": evidence(
        "OAR-C-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall",
        basis="schema",
        violating=[
            example(
                "openai-responses/run",
                put("/1/request/body/input/1/arguments", '{"latitude":1,"longitude":126.98}'),
                at="1 request /input/1",
            )
        ],
    ),
    "echoed-calls-mismatch": evidence(
        "OAR-C-001 recorded traffic 82/82",
        violating=[
            example(
                "openai-responses/run",
                drop("/1/request/body/input/4"),
                drop("/1/request/body/input/2"),
                at="1 request /input/1",
            )
        ],
    ),
    "earlier-call-changed": evidence(
        "OAR-C-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall",
        basis="schema",
        violating=[example("openai-responses/run", insert("/2", _THIRD), at="2 request /input/1")],
    ),
    "history-server-result-orphaned": evidence(
        "OAR-C-002 recorded traffic 24/24",
        violating=[
            example("openai-responses/answer", insert("/0/request/body/input/1", _SEARCHED), at="0 request /input/1")
        ],
    ),
    "server-result-orphaned": evidence(
        "OAR-R-003 recorded traffic 8/8",
        violating=[
            example(
                "openai-responses/answer", insert("/0/response/body/output/0", _SEARCHED), at="0 response /output/0"
            )
        ],
    ),
}
