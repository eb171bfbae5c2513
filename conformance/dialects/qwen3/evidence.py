"""Sources and examples of Qwen3's prompts for the neutral rules."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import change, example, put

EVIDENCE = {
    "arguments-wrong-type": evidence(
        "QWE-R-003 QwenLM/Qwen3 chat template",
        "QWE-R-002 QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py",
        basis="documented",
        violating=[
            example(
                "qwen3/call",
                change(
                    "/0/response/body/choices/0/text", '{"latitude": 37.57, "longitude": 126.98}', "[37.57, 126.98]"
                ),
                at="0 response /choices/0/text",
            ),
            example(
                "qwen3/call",
                change(
                    "/0/response/body/choices/0/text",
                    '{"latitude": 37.57, "longitude": 126.98}',
                    '"{\\"latitude\\": 37.57}"',
                ),
                at="0 response /choices/0/text",
            ),
        ],
        bugs=["QwenLM/Qwen3#1894", "QwenLM/Qwen3-Coder#444", "xinference#5129"],
    ),
    "arguments-schema-mismatch": evidence(
        "QWE-R-006 QwenLM/Qwen3 chat template",
        basis="documented",
        violating=[
            example(
                "qwen3/call",
                change("/0/response/body/choices/0/text", "37.57", "null"),
                at="0 response /choices/0/text",
            )
        ],
    ),
    "tool-call-undeclared": evidence(
        "QWE-R-006 QwenLM/Qwen3 chat template",
        basis="documented",
        violating=[
            example(
                "qwen3/call",
                change("/0/response/body/choices/0/text", "get_weather", "get_wether"),
                at="0 response /choices/0/text",
            )
        ],
    ),
    "call-markup-leaked": evidence(
        "QWE-S-001 vllm-project/vllm vllm/tool_parsers/hermes_tool_parser.py",
        violating=[
            example(
                "qwen3/call",
                put("/0/response/body/choices/0/text", '<function=get_weather>{"latitude": 37.57}</function>'),
                at="0 response /choices/0/text",
            )
        ],
    ),
    "tool-call-unanswered": evidence(
        "QWE-C-002 QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py",
        basis="documented",
        violating=[
            example(
                "qwen3/answer",
                change("/0/request/body/prompt", "</tool_response>\n<tool_response>\n", ""),
                at="0 request /prompt",
            )
        ],
    ),
    "tool-result-orphaned": evidence(
        "QWE-C-002 QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py",
        basis="documented",
        violating=[
            example(
                "qwen3/answer",
                change("/0/request/body/prompt", "17.9}", "17.9}\n</tool_response>\n<tool_response>\n1"),
                at="0 request /prompt",
            )
        ],
    ),
    "echoed-call-changed": evidence(
        violating=[example("qwen3/run", change("/1/request/body/prompt", "37.57", "38.57"), at="1 request /prompt")]
    ),
}
