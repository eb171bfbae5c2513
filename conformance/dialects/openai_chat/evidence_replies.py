"""Sources and examples of Chat Completions for the neutral rules about a whole reply."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put

_MESSAGE = "/0/response/body/choices/0/message"
_CALLS = f"{_MESSAGE}/tool_calls"
_FUNCTION = f"{_CALLS}/0/function"
_ARGUMENTS, _NAME = f"{_FUNCTION}/arguments", f"{_FUNCTION}/name"
_AT_CALL = "0 response /choices/0/message/tool_calls/0"
_CHOICE = "/0/request/body/tool_choice"
_NAMED = {"type": "function", "function": {"name": "get_weather"}}
_FINISH = "/0/response/body/choices/0/finish_reason"
_MENTIONED = "Call get_weather before you speak about the weather."
_CLOCK = {
    "type": "function",
    "function": {"name": "get_time", "description": "Time at a place.", "parameters": {"type": "object"}},
}
_TOLD = (
    "You may use these tools:\n1. Name: get_weather\n   Description: Current weather at a place.\n"
    "   Parameters: {'type': 'object', 'properties': {'latitude': {'type': 'number'}}}"
)

EVIDENCE = {
    "call-replacement-character-unexpected": evidence(
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
    "call-markup-leaked": evidence(
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
    "tool-choice-ignored": evidence(
        "OAC-R-014 openai 2.54 types/chat/completion_create_params.py",
        basis="sdk-type",
        violating=[
            example("openai-chat/answer", put(_CHOICE, "required"), at="0 response /choices/0"),
            example(
                "openai-chat/call",
                put(_CHOICE, "none"),
                drop("/0/response/body/choices/0/message/tool_calls/1"),
                at=_AT_CALL,
            ),
            example(
                "openai-chat/call",
                put(_CHOICE, {"type": "function", "function": {"name": "get_weather"}}),
                put("/0/response/body/choices/0/message/tool_calls/1/function/name", "get_time"),
                insert("/0/request/body/tools/1", _CLOCK),
                at="0 response /choices/0/message/tool_calls/1",
            ),
        ],
        conforming=[
            example("openai-chat/call", put(_CHOICE, "required")),
            example("openai-chat/answer", put(_CHOICE, "none")),
        ],
    ),
    "parallel-calls-unexpected": evidence(
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
    "stop-reason-mismatch": evidence(
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
    "announced-call-missing": evidence(
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
    "tool-declaration-misplaced": evidence(
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
