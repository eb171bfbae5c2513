"""What Chat Completions cites and shows for the neutral rules about the calls in a reply."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put

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
_CHOICE = "/0/request/body/tool_choice"
_NAMED = {"type": "function", "function": {"name": "get_weather"}}
_FINISH = "/0/response/body/choices/0/finish_reason"
_MENTIONED = "Call get_weather before you speak about the weather."
_TOLD = (
    "You may use these tools:\n1. Name: get_weather\n   Description: Current weather at a place.\n"
    "   Parameters: {'type': 'object', 'properties': {'latitude': {'type': 'number'}}}"
)

EVIDENCE = {
    "malformed-arguments": evidence(
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
    "arguments-not-object": evidence(
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
    "duplicate-argument-key": evidence(
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
    "undeclared-tool-call": evidence(
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
    "tool-call-without-name": evidence(
        "OAC-R-009 openai/openai-openapi openapi.json#/components/schemas/ChatCompletionMessageToolCall",
        "OAC-S-009 recorded traffic 105/105",
        basis="schema",
        violating=[example("openai-chat/call", put(_NAME, ""), at=_AT_CALL)],
    ),
    "history-call-without-name": evidence(
        "OAC-Q-016 continuedev/continue#11645",
        violating=[
            example(
                "openai-chat/answer",
                put("/0/request/body/messages/1/tool_calls/0/function/name", ""),
                at="0 request /messages/1/tool_calls/0",
            )
        ],
    ),
    "replacement-character": evidence(
        "OAC-S-012 openclaw/openclaw#110642",
        violating=[
            example(
                "openai-chat/call",
                put(_ARGUMENTS, '{"latitude":37.57,"longitude":126.98,"place":"서\ufffd\ufffd"}'),
                at=_AT_CALL,
            )
        ],
        conforming=[
            example(
                "openai-chat/call",
                put(_ARGUMENTS, '{"latitude":37.57,"longitude":126.98,"place":"서울 \\ufffd"}'),
                put("/0/request/body/messages/0/content", "What does \ufffd mean?"),
            )
        ],
        bugs=["openclaw/openclaw#110642", "openclaw/openclaw#115536", "kekzl/imp#1554", "eliza#30904"],
    ),
    "call-markup-in-text": evidence(
        "OAC-R-007 ggml-org/llama.cpp#14101",
        violating=[
            example(
                "openai-chat/call",
                put(f"{_MESSAGE}/content", '<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>'),
                at="0 response /choices/0/message/content",
            ),
            example(
                "openai-chat/answer",
                put(f"{_MESSAGE}/content", '{"name": "get_weather", "parameters": {"latitude": 1, "longitude": 2}}'),
                at="0 response /choices/0/message/content",
            ),
            example(
                "openai-chat/call",
                put(f"{_MESSAGE}/content", '; {"name": "get_weather", "parameters": {"latitude": 1, "longitude": 2}}'),
                at="0 response /choices/0/message/content",
            ),
            example("openai-chat/call", put(_NAME, "get_weather<|channel|>commentary"), at=_AT_CALL),
        ],
        conforming=[
            example(
                "openai-chat/answer",
                put(f"{_MESSAGE}/content", "Hermes models write <tool_call> around it."),
                put("/0/request/body/messages/0/content", "What is <tool_call>?"),
            )
        ],
        bugs=[
            "ggml-org/llama.cpp#14101",
            "vllm-project/vllm#45167",
            "vllm-project/vllm#16214",
            "minpeter#297",
            "odysseus#4522",
            "mlxcel#654",
            "movieclaw#224",
            "jundot/omlx#2143",
            "ml-explore/mlx-lm#1867",
            "Rapid-MLX#579",
            "jundot/omlx#3153",
        ],
    ),
    "tool-call-name-illegal": evidence(
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
    "tool-call-id-refused-by-provider": evidence(
        "0.4 langchain-ai/langchain#24668",
        violating=[example("openai-chat/answer", _MISTRAL, *_NINE[1:], at="0 request /messages/1/tool_calls/0")],
        conforming=[example("openai-chat/answer", _MISTRAL, *_NINE)],
        bugs=["anomalyco/opencode#1680", "langchain-ai/langchain#24668"],
    ),
    "tool-call-id-counter": evidence(
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
    "duplicate-tool-call-id": evidence(
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
    "reused-tool-call-id": evidence(
        violating=[
            example(
                "openai-chat/answer",
                put("/0/request/body/messages/1/tool_calls/1/id", _FIRST),
                put("/0/request/body/messages/3/tool_call_id", _FIRST),
                at="0 request /messages/1/tool_calls/1",
            )
        ]
    ),
    "tool-choice-ignored": evidence(
        "OAC-R-014 openai 2.54 types/chat/completion_create_params.py",
        basis="sdk-type",
        violating=[
            example("openai-chat/answer", put(_CHOICE, "required"), at="0 response /choices/0"),
            example(
                "openai-chat/call",
                put(_CHOICE, "none"),
                put(
                    "/0/response/body/choices/0/message/tool_calls",
                    [{"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}],
                ),
                at=_AT_CALL,
            ),
            example(
                "openai-chat/call",
                put(_CHOICE, {"type": "function", "function": {"name": "get_weather"}}),
                put("/0/response/body/choices/0/message/tool_calls/1/function/name", "get_time"),
                at="0 response /choices/0/message/tool_calls/1",
            ),
        ],
        conforming=[
            example("openai-chat/call", put(_CHOICE, "required")),
            example("openai-chat/answer", put(_CHOICE, "none")),
        ],
    ),
    "parallel-calls-forbidden": evidence(
        "OAC-R-013 openai/openai-openapi openapi.json#/components/schemas/ParallelToolCalls",
        basis="schema",
        violating=[
            example(
                "openai-chat/call",
                put("/0/request/body/parallel_tool_calls", False),
                at="0 response /choices/0/message/tool_calls/1",
            )
        ],
        conforming=[
            example("openai-chat/call", put("/0/request/body/parallel_tool_calls", True)),
            example("openai-chat/answer", put("/0/request/body/parallel_tool_calls", False)),
        ],
        bugs=["vllm-project/vllm#9451", "vllm-project/vllm#26233", "sgl-project/sglang#9696", "OrcaRouter-Lite#124"],
    ),
    "stop-hides-tool-call": evidence(
        "OAC-R-006 vllm-project/vllm#25054",
        "OAC-S-016 vllm-project/vllm#25054",
        violating=[
            example("openai-chat/call", put(_FINISH, "stop"), at="0 response /choices/0/finish_reason"),
            example(
                "openai-chat/stream-call",
                put("/0/response/events/7/data/choices/0/finish_reason", "stop"),
                at="0 response event/7/choices/0/finish_reason",
            ),
        ],
        conforming=[
            example("openai-chat/call", put("/0/request/body/tool_choice", _NAMED), put(_FINISH, "stop")),
            example("openai-chat/call", put(_FINISH, "length")),
        ],
        bugs=[
            "googleapis/python-genai#2868",
            "vercel/workflow#1387",
            "BerriAI/litellm#33678",
            "BerriAI/litellm#37792",
            "mlx-vlm#990",
        ],
    ),
    "tool-stop-without-call": evidence(
        "OAC-R-007 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionResponse",
        "OAC-S-016 vllm-project/vllm#53255",
        basis="schema",
        violating=[
            example("openai-chat/answer", put(_FINISH, "tool_calls"), at="0 response /choices/0/finish_reason"),
            example(
                "openai-chat/call",
                drop("/0/response/body/choices/0/message/tool_calls"),
                at="0 response /choices/0/finish_reason",
            ),
        ],
        bugs=["vllm-project/vllm#53255", "mastra-ai/mastra#14187", "jjang-ai/vmlx#219"],
    ),
    "tool-told-in-system-text": evidence(
        violating=[
            example(
                "openai-chat/call",
                drop("/0/request/body/tools"),
                insert("/0/request/body/messages/0", {"role": "system", "content": _TOLD}),
                at="0 request /messages/0",
            )
        ],
        conforming=[
            example(
                "openai-chat/call", insert("/0/request/body/messages/0", {"role": "system", "content": _MENTIONED})
            ),
            example("openai-chat/call", drop("/0/request/body/tools")),
        ],
    ),
}
