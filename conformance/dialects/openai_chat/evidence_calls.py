"""Sources and examples of Chat Completions for the neutral rules about single calls."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, put

_MESSAGE = "/0/response/body/choices/0/message"
_CALLS = f"{_MESSAGE}/tool_calls"
_FUNCTION = f"{_CALLS}/0/function"
_ARGUMENTS, _NAME = f"{_FUNCTION}/arguments", f"{_FUNCTION}/name"
_AT_CALL = "0 response /choices/0/message/tool_calls/0"
_MISTRAL = put("/0/request/url", "https://api.mistral.ai/v1/chat/completions")
_ECHOED = "/0/request/body/messages/1/tool_calls"
_NINE = (
    put(f"{_ECHOED}/0/id", "a1B2c3D4e"),
    put(f"{_ECHOED}/1/id", "m3N4o5P6q"),
    put("/0/request/body/messages/2/tool_call_id", "a1B2c3D4e"),
    put("/0/request/body/messages/3/tool_call_id", "m3N4o5P6q"),
)
_FIRST = "call_a1B2c3D4e5F6g7H8i9J0k1L2"

EVIDENCE = {
    "arguments-malformed": evidence(
        "OAC-R-011 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        "OAC-S-012 recorded traffic 105/105",
        basis="sdk-type",
        violating=[
            example("openai-chat/call", put(_ARGUMENTS, '{"latitude":'), at=_AT_CALL),
            example(
                "openai-chat/stream-call",
                drop("/0/response/events/3"),
                at="0 response event/1/choices/0/delta/tool_calls/0",
            ),
        ],
        conforming=[example("openai-chat/call", put(_ARGUMENTS, ' {\n "latitude": 1, "longitude": 2e1 }\n'))],
        bugs=[
            "vllm-project/vllm#51697",
            "sgl-project/sglang#32167",
            "vllm-project/vllm#47907",
            "vllm-project/vllm#41739",
            "vllm-project/vllm#42167",
            "vllm-project/vllm#24509",
            "vllm-project/vllm#32152",
            "vllm-project/vllm#47901",
            "vllm-project/vllm#47137",
            "sgl-project/sglang#37634",
            "sgl-project/sglang#35564",
            "open-webui/open-webui#22235",
        ],
    ),
    "arguments-wrong-type": evidence(
        "OAC-R-011 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        "OAC-S-012 recorded traffic 105/105",
        basis="sdk-type",
        violating=[
            example("openai-chat/call", put(_ARGUMENTS, "[37.57,126.98]"), at=_AT_CALL),
            example("openai-chat/call", put(_ARGUMENTS, '"{\\"latitude\\":1}"'), at=_AT_CALL),
        ],
        conforming=[example("openai-chat/call", put(_ARGUMENTS, "{}"))],
    ),
    "arguments-schema-mismatch": evidence(
        "OAC-R-012 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        basis="sdk-type",
        violating=[
            example("openai-chat/call", put(_ARGUMENTS, '{"latitude":37.57}'), at=_AT_CALL),
            example("openai-chat/call", put(_ARGUMENTS, '{"latitude":"37.57","longitude":126.98}'), at=_AT_CALL),
        ],
        bugs=["vllm-project/vllm#49316"],
    ),
    "argument-key-duplicate": evidence(
        violating=[
            example(
                "openai-chat/call",
                put(_ARGUMENTS, '{"latitude":37.57,"longitude":126.98,"latitude":35.18}'),
                at=_AT_CALL,
            )
        ]
    ),
    "history-arguments-malformed": evidence(
        "OAC-R-011 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        basis="sdk-type",
        violating=[
            example(
                "openai-chat/answer",
                put("/0/request/body/messages/1/tool_calls/0/function/arguments", '{"latitude":'),
                at="0 request /messages/1/tool_calls/0",
            )
        ],
        bugs=["QwenLM/Qwen3#1894"],
    ),
    "tool-call-undeclared": evidence(
        "OAC-R-012 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        basis="sdk-type",
        violating=[
            example("openai-chat/call", put(_NAME, "get_wether"), at=_AT_CALL),
            example(
                "openai-chat/stream-call",
                put("/0/response/events/1/data/choices/0/delta/tool_calls/0/function/name", "get_weatherget_weather"),
                at="0 response event/1/choices/0/delta/tool_calls/0",
            ),
        ],
        bugs=["NousResearch/hermes-agent#3468"],
    ),
    "tool-call-name-missing": evidence(
        "OAC-R-009 openai/openai-openapi openapi.json#/components/schemas/ChatCompletionMessageToolCall",
        "OAC-S-009 recorded traffic 105/105",
        basis="schema",
        violating=[example("openai-chat/call", put(_NAME, ""), at=_AT_CALL)],
    ),
    "history-call-name-missing": evidence(
        "OAC-Q-016 continuedev/continue#11645",
        violating=[
            example(
                "openai-chat/answer",
                put("/0/request/body/messages/1/tool_calls/0/function/name", ""),
                at="0 request /messages/1/tool_calls/0",
            )
        ],
    ),
    "tool-call-name-invalid": evidence(
        "OAC-Q-004 openai 2.54 types/shared_params/function_definition.py",
        basis="sdk-type",
        violating=[
            example(
                "openai-chat/call",
                put(_NAME, "get_weather<|channel|>commentary"),
                at=_AT_CALL,
            ),
            example(
                "openai-chat/stream-call",
                put("/0/response/events/1/data/choices/0/delta/tool_calls/0/function/name", "get_weather\n"),
                at="0 response event/1/choices/0/delta/tool_calls/0",
            ),
        ],
        conforming=[example("openai-chat/call", put(_NAME, "weather.get"))],
        bugs=[
            "odysseus#4522",
            "mlxcel#654",
            "movieclaw#224",
            "jundot/omlx#2143",
            "ml-explore/mlx-lm#1867",
            "Rapid-MLX#579",
        ],
    ),
    "tool-call-id-unsupported": evidence(
        "0.4 langchain-ai/langchain#24668",
        violating=[
            example("openai-chat/answer", _MISTRAL, _NINE[1], _NINE[3], at="0 request /messages/1/tool_calls/0")
        ],
        conforming=[example("openai-chat/answer", _MISTRAL, *_NINE)],
        bugs=["anomalyco/opencode#1680", "langchain-ai/langchain#24668"],
    ),
    "tool-call-id-ambiguous": evidence(
        "OAC-R-009 InternLM/lmdeploy#3412",
        "OAC-S-009 InternLM/lmdeploy#3412",
        violating=[
            example("openai-chat/call", put(f"{_CALLS}/0/id", "0"), at=_AT_CALL),
            example(
                "openai-chat/stream-call",
                put("/0/response/events/4/data/choices/0/delta/tool_calls/0/id", "1"),
                at="0 response event/4/choices/0/delta/tool_calls/0",
            ),
        ],
        conforming=[example("openai-chat/call", put(f"{_CALLS}/0/id", "123456789"))],
        bugs=["InternLM/lmdeploy#3412"],
    ),
    "tool-call-id-duplicate": evidence(
        "OAC-R-010 recorded traffic 96/96",
        violating=[
            example(
                "openai-chat/call",
                put("/0/response/body/choices/0/message/tool_calls/1/id", _FIRST),
                at="0 response /choices/0/message/tool_calls/1",
            ),
            example(
                "openai-chat/stream-call",
                put("/0/response/events/4/data/choices/0/delta/tool_calls/0/id", _FIRST),
                at="0 response event/4/choices/0/delta/tool_calls/0",
            ),
        ],
    ),
    "tool-call-id-reused": evidence(
        violating=[
            example(
                "openai-chat/answer",
                put("/0/request/body/messages/1/tool_calls/1/id", _FIRST),
                put("/0/request/body/messages/3/tool_call_id", _FIRST),
                at="0 request /messages/1/tool_calls/1",
            )
        ]
    ),
}
