"""Sources and examples of ReAct for the neutral rules."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import change, drop, example, put

EVIDENCE = {
    "arguments-malformed": evidence(
        "REA-R-006 QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py",
        basis="documented",
        violating=[
            example(
                "react/call",
                change("/0/response/body/choices/0/message/content", "126.98}", "126.98"),
                at="0 response /choices/0/message/content",
            )
        ],
    ),
    "arguments-schema-mismatch": evidence(
        "REA-R-006 QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py",
        basis="documented",
        violating=[
            example(
                "react/call",
                change("/0/response/body/choices/0/message/content", "37.57", "null"),
                at="0 response /choices/0/message/content",
            )
        ],
    ),
    "tool-call-undeclared": evidence(
        "REA-R-007 QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py",
        basis="documented",
        violating=[
            example(
                "react/call",
                change("/0/response/body/choices/0/message/content", "get_weather", "get_wether"),
                at="0 response /choices/0/message/content",
            )
        ],
    ),
    "tool-call-unanswered": evidence(
        "REA-C-001 QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py",
        basis="documented",
        violating=[
            example(
                "react/turns", put("/0/request/body/messages/3/content", "And?"), at="0 request /messages/2/content"
            )
        ],
    ),
    "tool-result-orphaned": evidence(
        violating=[example("react/turns", drop("/0/request/body/messages/2"), at="0 request /messages/2/content")]
    ),
    "echoed-call-changed": evidence(
        violating=[
            example(
                "react/run",
                change("/1/request/body/messages/0/content", "37.57", "38.57"),
                at="1 request /messages/0/content",
            )
        ]
    ),
}
