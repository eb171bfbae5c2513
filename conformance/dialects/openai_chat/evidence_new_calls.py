"""Sources and examples of Chat Completions for the neutral rules about a reply and the history before it."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, put

_CHOICE = "/0/response/body/choices/0"
_CALL = f"{_CHOICE}/message/tool_calls/0"
_AT_CALL = "0 response /choices/0/message/tool_calls/0"
_ARGUMENTS = '{"latitude":37.57,"longitude":126.98}'
_MARKED = '{"latitude":37.57,"longitude":126.98,"unit</arg_key>":"<arg_value>celsius"}'
_MARKED_VALUE = '{"latitude":37.57,"longitude":126.98,"unit":"celsius</arg_value>"}'
_SQL = {"type": "custom", "custom": {"name": "get_weather", "description": "Current weather at a place."}}
_AGAIN = {
    "index": 0,
    "message": {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_a1B2c3D4e5F6g7H8i9J0k1L2",
                "type": "function",
                "function": {"name": "get_weather", "arguments": _ARGUMENTS},
            }
        ],
        "refusal": None,
    },
    "logprobs": None,
    "finish_reason": "tool_calls",
}
_NONE = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}

EVIDENCE = {
    "tool-call-kind-mismatch": evidence(
        violating=[example("openai-chat/one-at-a-time", put("/0/request/body/tools/0", _SQL), at=_AT_CALL)],
        conforming=[example("openai-chat/custom-tool")],
        bugs=["antirez/ds4#745", "decolua/9router#1371"],
    ),
    "new-call-id-reused": evidence(
        violating=[example("openai-chat/answer", put(_CHOICE, _AGAIN), at=_AT_CALL)],
        conforming=[
            example("openai-chat/answer", put(_CHOICE, _AGAIN), put(f"{_CALL}/id", "call_x9Y8z7W6v5U4t3S2r1Q0p9O8"))
        ],
        bugs=["bug-ops/zeph#6501"],
    ),
    "argument-markup-leaked": evidence(
        violating=[
            example("openai-chat/call", put(f"{_CALL}/function/arguments", _MARKED), at=_AT_CALL),
            example("openai-chat/call", put(f"{_CALL}/function/arguments", _MARKED_VALUE), at=_AT_CALL),
        ],
        conforming=[
            example(
                "openai-chat/call",
                put("/0/request/body/messages/0/content", "What does </arg_value> mean?"),
                put(f"{_CALL}/function/arguments", _MARKED_VALUE),
            )
        ],
        bugs=["exo-explore/exo#2187"],
    ),
    "call-arguments-leaked": evidence(
        violating=[example("openai-chat/answer", put(f"{_CHOICE}/message/content", _ARGUMENTS))],
        conforming=[
            example(
                "openai-chat/answer",
                put("/0/request/body/response_format", {"type": "json_object"}),
                put(f"{_CHOICE}/message/content", _ARGUMENTS),
            ),
            example(
                "openai-chat/answer",
                put("/0/request/body/tool_choice", "none"),
                put(f"{_CHOICE}/message/content", _ARGUMENTS),
            ),
            example("openai-chat/answer", put(f"{_CHOICE}/message/content", '{"temperature":14.2}')),
        ],
        bugs=["vllm-project/vllm#25560"],
    ),
    "cut-call-result-unexpected": evidence(
        violating=[
            example("openai-chat/run", put(f"{_CHOICE}/finish_reason", "length"), at="1 request /messages/3"),
        ],
        conforming=[
            example(
                "openai-chat/run",
                put(f"{_CHOICE}/finish_reason", "length"),
                drop("/1/request/body/messages/1/tool_calls/1"),
                drop("/1/request/body/messages/3"),
            ),
            example(
                "openai-chat/run",
                put(f"{_CHOICE}/finish_reason", "length"),
                put(f"{_CHOICE}/message/tool_calls/1/function/arguments", '{"latitude":35'),
                put("/1/request/body/messages/1/tool_calls/1/function/arguments", '{"latitude":35'),
            ),
        ],
        bugs=["cline/cline#13001", "langchain-ai/langchainjs#11471", "aaif-goose/goose#9946"],
    ),
    "usage-empty": evidence(
        violating=[
            example("openai-chat/call", put("/0/response/body/usage", _NONE)),
            example(
                "openai-chat/stream-call",
                put("/0/response/events/8/data/usage", _NONE),
                at="0 response event/8/usage",
            ),
        ],
    ),
}
