"""Statements and examples of the contract's rules about the messages of a request, block by block."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put, swap

_ANSWER = "anthropic-messages/answer"
_THINKING = "anthropic-messages/thinking-run"
_MESSAGES = "/0/request/body/messages"

STATEMENTS: Mapping[str, Statement] = {
    "messages-message-malformed": Statement(
        "Every message must have the role user or assistant, and content: text, or an array of blocks.",
        "The server refuses the request; Messages has no role `tool`.",
        cites=("ANT-Q-011 anthropic 2.11 types/message_param.py",),
        basis="sdk-type",
        violating=(
            example(_ANSWER, put(f"{_MESSAGES}/2/role", "tool")),
            example(_ANSWER, drop(f"{_MESSAGES}/0/role")),
            example(_ANSWER, drop(f"{_MESSAGES}/0/content")),
            example(_ANSWER, put(f"{_MESSAGES}/0/content", None)),
            example(_ANSWER, put(f"{_MESSAGES}/0", "How warm is it?")),
        ),
        conforming=(example(_ANSWER), example(_ANSWER, put(f"{_MESSAGES}/0/role", "system"))),
    ),
    "messages-block-malformed": Statement(
        "Every content block must have a known type and the members of that type.",
        "The server refuses the request. Clients written for another dialect send arguments as text, or results under "
        "another name.",
        cites=(
            "ANT-Q-012 anthropic 2.11 types/tool_result_block_param.py",
            "ANT-Q-013 anthropics/claude-code#6695",
            "ANT-C-009 anthropic 2.11 types/thinking_block_param.py",
        ),
        basis="sdk-type",
        bugs=("anthropics/claude-code#6695",),
        violating=(
            example(_ANSWER, put(f"{_MESSAGES}/1/content/1/input", "")),
            example(_ANSWER, drop(f"{_MESSAGES}/1/content/1/input")),
            example(_ANSWER, drop(f"{_MESSAGES}/2/content/0/tool_use_id")),
            example(_ANSWER, put(f"{_MESSAGES}/2/content/0/content", 14.2)),
            example(_ANSWER, put(f"{_MESSAGES}/2/content/1/content/0", "x")),
            example(_THINKING, drop("/1/request/body/messages/1/content/0/signature")),
            example(_ANSWER, put(f"{_MESSAGES}/2/content/0/type", "tool_response")),
        ),
        conforming=(
            example(_ANSWER),
            example(_ANSWER, drop(f"{_MESSAGES}/2/content/0/content")),
            example("anthropic-messages/error-result"),
        ),
    ),
    "messages-block-member-unknown": Statement(
        "A text, a call or a result in a request must have only the documented members.",
        "The server refuses the request: extra inputs are not permitted. Clients that send back the blocks of a "
        "stream leave an `index` in them.",
        cites=(
            "ANT-Q-012 langchain-ai/langchain#31208",
            "ANT-Q-014 langchain-ai/langchain#31208",
            "ANT-Q-014 anthropic 2.11 types/tool_use_block_param.py",
        ),
        basis="observed",
        bugs=("langchain-ai/langchain#31208",),
        violating=(
            example(_ANSWER, put(f"{_MESSAGES}/1/content/1/index", 0)),
            example(_ANSWER, put(f"{_MESSAGES}/2/content/0/result", 14)),
        ),
        conforming=(example(_ANSWER), example(_ANSWER, put(f"{_MESSAGES}/1/content/1/caller", {"type": "direct"}))),
    ),
    "messages-tool-use-id-invalid": Statement(
        "The id of a call in a request must consist of letters, digits, underscores and hyphens.",
        "Other providers' ids contain colons and dots, which the server is believed to refuse.",
        cites=("ANT-Q-015 platform.claude.com/docs/en/api/messages",),
        basis="observed",
        violating=(
            example(
                _ANSWER,
                put(f"{_MESSAGES}/1/content/1/id", "call:1"),
                at="0 request /messages/1/content/1/id",
            ),
        ),
    ),
    "messages-block-role-wrong": Statement(
        "Results must be in a user message; calls and thinking in an assistant message.",
        "The server refuses the request.",
        cites=("ANT-Q-016 anthropic 2.11 types/message_create_params.py",),
        basis="documented",
        violating=(
            example(
                _ANSWER,
                swap(f"{_MESSAGES}/1/content/2", f"{_MESSAGES}/2/content/1"),
                drop(f"{_MESSAGES}/2/content/1"),
                at="0 request /messages/1/content/2",
            ),
            example(
                "anthropic-messages/call",
                put(
                    f"{_MESSAGES}/0/content",
                    [{"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {}}],
                ),
                at="0 request /messages/0/content/0",
            ),
        ),
        conforming=(example(_ANSWER), example("anthropic-messages/pause-run")),
    ),
    "messages-text-empty": Statement(
        "Text blocks and messages must not be empty.",
        "The server is believed to refuse empty text, which clients write for a reply with only calls.",
        cites=("ANT-Q-018 platform.claude.com/docs/en/api/messages",),
        basis="observed",
        violating=(
            example(_ANSWER, put(f"{_MESSAGES}/1/content/0/text", "")),
            example(_ANSWER, put(f"{_MESSAGES}/0/content", "")),
            example(_ANSWER, put(f"{_MESSAGES}/0/content", [])),
        ),
    ),
}
