"""Statements and examples of the contract's rules about the tool choice and thinking of a request."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import example, put

_CALL = "anthropic-messages/call"
_CHOICE = "/0/request/body/tool_choice"

STATEMENTS: Mapping[str, Statement] = {
    "messages-tool-choice-invalid": Statement(
        "A tool choice must be an object of type auto, any, tool or none; type tool must name a tool.",
        "The server refuses the plain strings and the nested objects of other dialects.",
        cites=(
            "ANT-Q-008 anthropic 2.11 types/tool_choice_param.py",
            "ANT-Q-010 anthropic 2.11 types/tool_choice_any_param.py",
            "LCB-Q-003 requests of langchain-anthropic 1.7.7",
        ),
        basis="sdk-type",
        violating=(
            example(_CALL, put(_CHOICE, "auto")),
            example(_CALL, put(_CHOICE, {"type": "required"}), at="0 request /tool_choice/type"),
            example(_CALL, put(_CHOICE, {"type": "tool"})),
            example(
                _CALL,
                put(_CHOICE, {"type": "auto", "disable_parallel_tool_use": "true"}),
                at="0 request /tool_choice/disable_parallel_tool_use",
            ),
        ),
        conforming=(
            example("anthropic-messages/required"),
            example("anthropic-messages/named-serial"),
            example("anthropic-messages/none"),
        ),
    ),
    "messages-tool-choice-conflicting": Statement(
        "A request with thinking enabled must not force a tool call.",
        "The server returns 400. Structured output by a forced tool fails once thinking is turned on.",
        cites=("ANT-Q-009 langchain-ai/langchain#35544", "ANT-Q-009 can1357/oh-my-pi#341"),
        basis="observed",
        bugs=("langchain-ai/langchain#35544",),
        violating=(
            example("anthropic-messages/thinking-run", put(_CHOICE, {"type": "any"}), at="0 request /tool_choice/type"),
        ),
        conforming=(
            example("anthropic-messages/required", put("/0/request/body/thinking", {"type": "disabled"})),
            example("anthropic-messages/thinking-run", put(_CHOICE, {"type": "auto"})),
        ),
    ),
    "messages-thinking-option-invalid": Statement(
        "Thinking must have a type, and if it is enabled a budget of at least 1024 tokens.",
        "The server refuses the request, or the model does not think although the caller asked for it.",
        cites=("ANT-Q-001 anthropic 2.11 types/thinking_config_enabled_param.py",),
        basis="sdk-type",
        violating=(
            example(_CALL, put("/0/request/body/thinking", {"type": "enabled"})),
            example(_CALL, put("/0/request/body/thinking", {"budget_tokens": 1024})),
            example("anthropic-messages/thinking-run", put("/0/request/body/thinking/budget_tokens", 512)),
        ),
        conforming=(
            example("anthropic-messages/thinking-run"),
            example(
                _CALL,
                put("/0/request/body/thinking", {"type": "adaptive"}),
                put("/0/request/body/model", "claude-opus-4-6"),
            ),
        ),
    ),
}
