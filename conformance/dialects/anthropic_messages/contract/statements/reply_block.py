"""Statements and examples of the contract's rules about the blocks of a reply."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL = "anthropic-messages/call"
_STREAM, _THINKING = "anthropic-messages/stream-call", "anthropic-messages/thinking-run"
_BODY = "/0/response/body"

STATEMENTS: Mapping[str, Statement] = {
    "messages-reply-block-malformed": Statement(
        "Every block of the reply must have a type and the members of that type; calls must have an id.",
        "A client cannot answer a call without an id, or send thinking back without a signature.",
        cites=(
            "ANT-R-004 anthropic 2.11 types/tool_use_block.py",
            "ANT-S-006 recorded traffic 21/21",
            "ANT-R-001 anthropic 2.11 types/content_block.py",
        ),
        basis="sdk-type",
        violating=(
            example(_CALL, drop(f"{_BODY}/content/1/id")),
            example(_CALL, put(f"{_BODY}/content/1/id", "")),
            example(_CALL, put(f"{_BODY}/content/0", "I will look up both.")),
            example(_THINKING, drop("/0/response/body/content/0/signature")),
            example("anthropic-messages/pause-run", put(f"{_BODY}/content/1/input", "{}")),
            example(_STREAM, drop("/0/response/events/6/data/content_block/id")),
        ),
        conforming=(
            example(_CALL),
            example(_STREAM),
            example(_THINKING),
            example("anthropic-messages/stream-server-tool"),
        ),
    ),
    "messages-reply-block-unknown": Statement(
        "Every block of the reply should have a type that this suite knows.",
        "New types need no new version, so this is not a fault; but the suite does not judge such a block further.",
        cites=("ANT-S-012 platform.claude.com/docs/en/api/versioning",),
        basis="sdk-type",
        violating=(example(_CALL, put(f"{_BODY}/content/0/type", "texts")),),
        conforming=(example(_CALL), example("anthropic-messages/stream-server-tool")),
    ),
}
