"""Sources and examples of Chat Completions for the neutral rules about the calls and results of a history."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import Edit, drop, example, insert, put, swap
from conformance.model.finding import Severity

_RESULT = {"role": "tool", "tool_call_id": "call_m3N4o5P6q7R8s9T0u1V2w3X4", "content": "17.9"}
_CALLS = "/1/request/body/messages/1/tool_calls"
_OTHER = {"id": "call_new", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
_SEOUL, _BUSAN = "call_a1B2c3D4e5F6g7H8i9J0k1L2", "call_m3N4o5P6q7R8s9T0u1V2w3X4"

_ANSWER = "14.2 °C in Seoul, 17.9 °C in Busan."


def _call(call_id: str, arguments: str) -> dict[str, object]:
    return {"id": call_id, "type": "function", "function": {"name": "get_weather", "arguments": arguments}}


def _asked_again(first: str = _SEOUL, latitude: float = 37.57) -> Edit:
    """A third exchange: the history so far, and another question."""
    calls = [
        _call(first, f'{{"latitude": {latitude}, "longitude": 126.98}}'),
        _call(_BUSAN, '{"latitude": 35.18, "longitude": 129.08}'),
    ]
    messages = [
        {"role": "user", "content": "How warm is it in Seoul and in Busan?"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": first, "content": '{"temperature": 14.2}'},
        {"role": "tool", "tool_call_id": _BUSAN, "content": '{"temperature": 17.9}'},
        {"role": "assistant", "content": _ANSWER},
        {"role": "user", "content": "Which of them is nearer?"},
    ]
    request = {
        "method": "POST",
        "url": "https://api.openai.com/v1/chat/completions",
        "headers": {"content-type": "application/json", "authorization": "Bearer REDACTED"},
        "body": {"model": "gpt-4o-mini", "messages": messages},
    }
    return insert("/2", {"request": request, "response": {"status": 503, "headers": {}, "body": ""}})


EVIDENCE = {
    "tool-call-unanswered": evidence(
        "OAC-C-001 aliasrobotics/cai#111",
        "LCB-C-001 requests of langchain-openai 1.7.3",
        violating=[
            example(
                "openai-chat/answer",
                drop("/0/request/body/messages/3"),
                at="0 request /messages/1/tool_calls/1",
            )
        ],
        bugs=[
            "anthropics/claude-code#8612",
            "All-Hands-AI/OpenHands#7512",
            "anthropics/claude-code#6575",
            "mlflow/mlflow#24296",
            "anomalyco/opencode#41445",
            "agno-agi/agno#6890",
            "req_llm#250",
            "microsoft/semantic-kernel#14073",
        ],
    ),
    "tool-result-orphaned": evidence(
        "OAC-C-002 miurla/morphic#136",
        violating=[
            example(
                "openai-chat/answer",
                put("/0/request/body/messages/2/tool_call_id", "call_of_nobody"),
                at="0 request /messages/2",
            ),
            example(
                "openai-chat/answer",
                insert("/0/request/body/messages/1", {"role": "tool", "tool_call_id": "call_1", "content": "x"}),
                at="0 request /messages/1",
            ),
        ],
    ),
    "tool-result-duplicate": evidence(
        "OAC-C-003 unverified: no source states it, no recording breaks it",
        violating=[
            example("openai-chat/answer", insert("/0/request/body/messages/4", _RESULT), at="0 request /messages/4")
        ],
    ),
    "tool-result-out-of-order": evidence(
        "OAC-C-004 recorded traffic 129/129",
        violating=[
            example(
                "openai-chat/answer",
                swap("/0/request/body/messages/2", "/0/request/body/messages/3"),
                at="0 request /messages/3",
            )
        ],
        severity=Severity.INFO,
    ),
    "tool-result-name-mismatch": evidence(
        violating=[
            example(
                "openai-chat/answer",
                put("/0/request/body/messages/2/name", "get_time"),
                at="0 request /messages/2",
            )
        ],
        conforming=[example("openai-chat/answer", put("/0/request/body/messages/2/name", "get_weather"))],
    ),
    "echoed-call-changed": evidence(
        "OAC-C-005 recorded traffic 129/129",
        "LCB-C-002 requests of langchain-openai 1.7.3",
        violating=[
            example(
                "openai-chat/run",
                put(f"{_CALLS}/0/id", "call_new"),
                put("/1/request/body/messages/2/tool_call_id", "call_new"),
                at="1 request /messages/1/tool_calls/0",
            ),
            example(
                "openai-chat/run",
                put(f"{_CALLS}/1/function/name", "get_time"),
                at="1 request /messages/1/tool_calls/1",
            ),
            example(
                "openai-chat/stream-run",
                put(f"{_CALLS}/0/function/arguments", '{"latitude":"37.57","longitude":126.98}'),
                at="1 request /messages/1/tool_calls/0",
            ),
        ],
        conforming=[
            example(
                "openai-chat/run", put(f"{_CALLS}/0/function/arguments", '{ "longitude": 126.98, "latitude": 37.570 }')
            )
        ],
        bugs=["cline/cline#13001", "langchain-ai/langchainjs#11471", "goose#9946"],
    ),
    "echoed-calls-mismatch": evidence(
        "OAC-C-005 recorded traffic 129/129",
        violating=[
            example(
                "openai-chat/run",
                drop(f"{_CALLS}/1"),
                drop("/1/request/body/messages/3"),
                at="1 request /messages/1",
            ),
            example(
                "openai-chat/run",
                insert(f"{_CALLS}/2", _OTHER),
                insert("/1/request/body/messages/4", {"role": "tool", "tool_call_id": "call_new", "content": "17.9"}),
                at="1 request /messages/1/tool_calls/2",
            ),
            example("openai-chat/run", swap(f"{_CALLS}/0", f"{_CALLS}/1"), at="1 request /messages/1"),
        ],
    ),
    "earlier-call-changed": evidence(
        "OAC-C-005 recorded traffic 129/129",
        violating=[
            example("openai-chat/run", _asked_again("call_new"), at="2 request /messages/1/tool_calls/0"),
            example("openai-chat/run", _asked_again(latitude=38.0), at="2 request /messages/1/tool_calls/0"),
        ],
        conforming=[example("openai-chat/run", _asked_again())],
    ),
}
