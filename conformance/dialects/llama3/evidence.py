"""Sources and examples of Llama 3's prompts for the neutral rules."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import change, example

EVIDENCE = {
    "arguments-wrong-type": evidence(
        "LLA-R-003 meta-llama/llama-models models/llama3/tool_utils.py",
        basis="documented",
        violating=[
            example(
                "llama3-json/call",
                change(
                    "/0/response/body/choices/0/text", '{"latitude": 37.57, "longitude": 126.98}', "[37.57, 126.98]"
                ),
                at="0 response /choices/0/text",
            )
        ],
    ),
    "arguments-schema-mismatch": evidence(
        "LLA-R-006 meta-llama/llama-models models/llama3_1/prompt_format.md",
        "LLA-R-007 meta-llama/llama-models models/llama3_1/prompt_format.md",
        basis="documented",
        violating=[
            example(
                "llama3-custom/call",
                change("/0/response/body/choices/0/text", "37.57", '"37.57"'),
                at="0 response /choices/0/text",
            ),
            example(
                "llama3-json/call",
                change("/0/response/body/choices/0/text", ', "longitude": 126.98', ""),
                at="0 response /choices/0/text",
            ),
        ],
    ),
    "tool-call-undeclared": evidence(
        "LLA-R-005 meta-llama/llama-models models/llama3_1/prompt_format.md",
        basis="documented",
        violating=[
            example(
                "llama3-json/call",
                change("/0/response/body/choices/0/text", "get_weather", "get_wether"),
                at="0 response /choices/0/text",
            ),
            example(
                "llama3-builtin/search",
                change("/0/response/body/choices/0/text", "brave_search", "wolfram_alpha"),
                at="0 response /choices/0/text",
            ),
        ],
    ),
    "tool-call-name-missing": evidence(
        "LLA-R-003 meta-llama/llama-models models/llama3/tool_utils.py",
        basis="documented",
        violating=[
            example(
                "llama3-json/call",
                change("/0/response/body/choices/0/text", '"name": "get_weather", ', ""),
                at="0 response /choices/0/text",
            )
        ],
    ),
    "tool-call-unanswered": evidence(
        "LLA-C-001 meta-llama/llama-models models/llama3_1/prompt_format.md",
        basis="documented",
        violating=[
            example("llama3-json/run", change("/1/request/body/prompt", ">ipython<", ">user<"), at="1 request /prompt")
        ],
    ),
    "tool-result-orphaned": evidence(
        violating=[
            example(
                "llama3-custom/answer",
                change("/0/request/body/prompt", "<function=get_weather>", "Calling get_weather: "),
                at="0 request /prompt",
            )
        ]
    ),
    "echoed-call-changed": evidence(
        "LLA-C-002 meta-llama/llama-models models/llama3_1/prompt_format.md",
        basis="documented",
        violating=[
            example(
                "llama3-json/run",
                change("/1/request/body/prompt", '"latitude": 37.57', '"latitude": 38'),
                at="1 request /prompt",
            )
        ],
    ),
    "tool-definition-changed": evidence(
        "LLA-C-003 meta-llama/llama-models models/llama3_1/prompt_format.md",
        basis="documented",
        violating=[
            example(
                "llama3-custom/run", change("/1/request/body/prompt", '"number"', '"string"'), at="1 request /prompt"
            )
        ],
    ),
    "tools-dropped": evidence(
        "LLA-C-003 meta-llama/llama-models models/llama3_1/prompt_format.md",
        basis="documented",
        violating=[
            example(
                "llama3-json/run",
                change("/1/request/body/prompt", '"name": "get_weather"', '"name": "get_time"'),
                at="1 request ",
            )
        ],
    ),
}
