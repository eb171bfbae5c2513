"""Sources and examples of Messages for the neutral rules about the calls and results of a history."""

from __future__ import annotations

from typing import Any

from conformance.judge.evidence import evidence
from conformance.judge.example import Edit, drop, example, insert, put, swap
from conformance.model.finding import Severity

_ANSWER, _RUN = "anthropic-messages/answer", "anthropic-messages/run"
_PAUSED = "anthropic-messages/pause-run"
_MESSAGES, _ECHO = "/0/request/body/messages", "/1/request/body/messages/1/content"
_ASKED = {"role": "user", "content": "When is the tide high?"}
_THANKS = {"role": "user", "content": "And low?"}
_USE = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tides"}}
_FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
_TOLD = {"type": "text", "text": "High at nine."}
_REPLY = "/0/response/body/content"
_LATER = "/1/request/body/messages"


def _history(*blocks: Any) -> Edit:
    """A history with the blocks in a turn of the model."""
    return put(_MESSAGES, [_ASKED, {"role": "assistant", "content": [*blocks]}, _THANKS])


def _carried(use: Any) -> tuple[Edit, ...]:
    """A server call with its result in a reply, and the next request, which sends part of it back."""
    back = f"{_LATER}/1/content/0"
    return insert(f"{_REPLY}/0", _FOUND), insert(f"{_REPLY}/0", _USE), insert(back, _FOUND), insert(back, use)


_SEOUL, _BUSAN = "toolu_01A1b2C3d4E5f6G7h8I9j0K1", "toolu_01M3n4O5p6Q7r8S9t0U1v2W3"
_CHANGED = {"type": "tool_use", "id": _SEOUL, "name": "get_weather", "input": {"latitude": 38, "longitude": 126.98}}
_KEPT = {"type": "tool_use", "id": _BUSAN, "name": "get_weather", "input": {"latitude": 35.18, "longitude": 129.08}}
_ASKED_AGAIN = [
    {"role": "user", "content": "How warm is it in Seoul and in Busan?"},
    {"role": "assistant", "content": [{"type": "text", "text": "I will look up both."}, _CHANGED, _KEPT]},
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": _SEOUL, "content": '{"temperature": 14.2}'},
            {
                "type": "tool_result",
                "tool_use_id": _BUSAN,
                "content": [{"type": "text", "text": '{"temperature": 17.9}'}],
            },
        ],
    },
    {"role": "assistant", "content": "14.2 °C in Seoul, 17.9 °C in Busan."},
    {"role": "user", "content": "Which of them is nearer?"},
]
"""The history so far with other arguments in its first call, and another question."""
_SCHEMA = {
    "type": "object",
    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
    "required": ["latitude", "longitude"],
}
_TOOLS = [{"name": "get_weather", "description": "Current weather at a place.", "input_schema": _SCHEMA}]
_THIRD = {
    "request": {
        "method": "POST",
        "url": "https://api.anthropic.com/v1/messages",
        "headers": {"content-type": "application/json", "anthropic-version": "2026-10-21", "x-api-key": "REDACTED"},
        "body": {"model": "claude-sonnet-4-5-20250929", "max_tokens": 1024, "messages": _ASKED_AGAIN, "tools": _TOOLS},
    },
    "response": {"status": 503, "headers": {}, "body": ""},
}

EVIDENCE = {
    "tool-call-unanswered": evidence(
        "ANT-C-001 anthropics/claude-code#1237",
        violating=[
            example(
                "anthropic-messages/answer",
                drop("/0/request/body/messages/2/content/1"),
                at="0 request /messages/1/content/2",
            )
        ],
        conforming=[
            example(
                "anthropic-messages/answer",
                insert(
                    "/0/request/body/messages/2",
                    {
                        "role": "user",
                        "content": [
                            {
                                "type": "tool_result",
                                "tool_use_id": "toolu_01A1b2C3d4E5f6G7h8I9j0K1",
                                "content": '{"temperature": 14.2}',
                            }
                        ],
                    },
                ),
                drop("/0/request/body/messages/3/content/0"),
            )
        ],
        bugs=["anthropics/claude-code#8612", "All-Hands-AI/OpenHands#7512", "anthropics/claude-code#6575"],
    ),
    "tool-result-orphaned": evidence(
        "ANT-C-003 anthropics/claude-code#13460",
        violating=[
            example(
                "anthropic-messages/answer",
                put("/0/request/body/messages/2/content/0/tool_use_id", "toolu_01nobody"),
                at="0 request /messages/2/content/0",
            )
        ],
        bugs=[
            "anthropics/claude-code#13460",
            "mlflow/mlflow#24296",
            "anomalyco/opencode#41445",
            "agno-agi/agno#6890",
            "req_llm#250",
            "microsoft/semantic-kernel#14073",
        ],
    ),
    "tool-result-duplicate": evidence(
        "ANT-Q-023 router-for-me/CLIProxyAPI#4998",
        "ANT-C-007 router-for-me/CLIProxyAPI#4998",
        violating=[
            example(
                "anthropic-messages/answer",
                put("/0/request/body/messages/2/content/1/tool_use_id", "toolu_01A1b2C3d4E5f6G7h8I9j0K1"),
                at="0 request /messages/2/content/1",
            )
        ],
        bugs=["router-for-me/CLIProxyAPI#4998"],
        severity=Severity.ERROR,
    ),
    "tool-result-out-of-order": evidence(
        "ANT-C-008 recorded traffic 158/158",
        violating=[
            example(
                "anthropic-messages/answer",
                swap("/0/request/body/messages/2/content/0", "/0/request/body/messages/2/content/1"),
                at="0 request /messages/2/content/1",
            )
        ],
    ),
    "echoed-call-changed": evidence(
        "ANT-C-010 recorded traffic 158/158",
        violating=[
            example(
                "anthropic-messages/run",
                put("/1/request/body/messages/1/content/1/input/latitude", "37.57"),
                at="1 request /messages/1/content/1",
            )
        ],
    ),
    "echoed-calls-mismatch": evidence(
        "ANT-C-010 recorded traffic 158/158",
        violating=[
            example(
                "anthropic-messages/run",
                drop("/1/request/body/messages/1/content/2"),
                drop("/1/request/body/messages/2/content/1"),
                at="1 request /messages/1",
            )
        ],
    ),
    "echoed-signature-changed": evidence(
        "ANT-C-009 anthropic 2.11 types/thinking_block_param.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/thinking-run",
                put("/1/request/body/messages/1/content/0/signature", "EqoBCkgIARABGAIi"),
                at="1 request /messages/1/content/0",
            )
        ],
        bugs=[
            "RooCodeInc/Roo-Code#10351",
            "langgenius/dify#41092",
            "langchain4j/langchain4j#6244",
            "openai/openai-agents-python#4155",
        ],
    ),
    "earlier-call-changed": evidence(
        "ANT-C-010 recorded traffic 158/158",
        violating=[example("anthropic-messages/run", insert("/2", _THIRD), at="2 request /messages/1/content/1")],
    ),
    "history-server-result-orphaned": evidence(
        "ANT-C-003 anthropics/claude-code#65726",
        "ANT-C-003 recorded traffic 58/58",
        violating=[
            example(_PAUSED, put(f"{_ECHO}/2/tool_use_id", "srvtoolu_01nobody"), at="1 request /messages/1/content/2"),
            example(_PAUSED, drop(f"{_ECHO}/1"), at="1 request /messages/1/content/1"),
            example(_ANSWER, _history(_FOUND, _TOLD), at="0 request /messages/1/content/0"),
            example(_ANSWER, _history(_FOUND, _USE), at="0 request /messages/1/content/0"),
            example(_ANSWER, _history(_USE, _FOUND, _FOUND), at="0 request /messages/1/content/2"),
        ],
        conforming=[example(_ANSWER, _history(_USE, _FOUND, _TOLD))],
        bugs=["anthropics/claude-code#65726"],
    ),
    "server-result-orphaned": evidence(
        "ANT-R-004 recorded traffic 87/87",
        "ANT-R-006 recorded traffic 58/58",
        violating=[
            example(_ANSWER, put(_REPLY, [_FOUND, _TOLD]), at="0 response /content/0"),
            example(_PAUSED, put(f"{_REPLY}/2/tool_use_id", "srvtoolu_01nobody"), at="0 response /content/2"),
        ],
        conforming=[
            example(_ANSWER, put(_REPLY, [_USE, _FOUND, _TOLD])),
            example("anthropic-messages/stream-server-tool"),
        ],
    ),
    "server-call-result-missing": evidence(
        "ANT-R-004 recorded traffic 84/84",
        violating=[example(_ANSWER, put(_REPLY, [_USE, _TOLD]), at="0 response /content/0")],
        conforming=[
            example(_ANSWER, put(_REPLY, [_USE, _FOUND, _TOLD])),
            example(_ANSWER, put(_REPLY, [_USE]), put("/0/response/body/stop_reason", "pause_turn")),
        ],
    ),
    "server-call-unanswered": evidence(
        "ANT-C-001 recorded traffic 54/54",
        violating=[
            example(_ANSWER, _history(_USE, _TOLD), at="0 request /messages/1/content/0"),
            example(_ANSWER, _history(_USE, _USE, _FOUND), at="0 request /messages/1/content/0"),
        ],
        conforming=[
            example(_ANSWER, _history(_USE, _FOUND, _TOLD)),
            example(_ANSWER, put(_MESSAGES, [_ASKED, {"role": "assistant", "content": [_USE]}])),
        ],
    ),
    "server-call-changed": evidence(
        "ANT-C-010 recorded traffic 54/54",
        violating=[
            example(_RUN, *_carried({**_USE, "input": {"query": "ebb"}}), at="1 request /messages/1/content/0"),
            example(_RUN, *_carried({**_USE, "name": "web_fetch"}), at="1 request /messages/1/content/0"),
        ],
        conforming=[example(_RUN, *_carried(_USE))],
    ),
}
