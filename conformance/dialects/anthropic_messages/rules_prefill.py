"""The last message of a Messages request, ANT-Q-028."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.anthropic_messages.block import kind_of, messages
from conformance.judge.example import drop, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_CALL = "anthropic-messages/call"
_BEGUN = insert("/0/request/body/messages/1", {"role": "assistant", "content": "In Seoul it is"})
_NEW = put("/0/request/body/model", "claude-opus-4-6")

_REFUSING = re.compile(r"claude-(?:opus|sonnet|haiku)-(?:4-[6-9]|[5-9])(?!\d)")
"""Models from 4.6 on."""


@rule(
    "messages-prefill-unsupported",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["ANT-Q-028 langchain-ai/deepagents#1585", "ANT-Q-028 strands-agents/sdk-python#1694"],
    bugs=["langchain-ai/deepagents#1585", "strands-agents/sdk-python#1694", "agno-agi/agno#7015"],
    conforming=[
        example(_CALL, _BEGUN),
        example(_CALL, _NEW),
        example("anthropic-messages/pause-run", put("/1/request/body/model", "claude-opus-4-6")),
    ],
    violating=[
        example(_CALL, _NEW, _BEGUN),
        example(
            _CALL,
            put(
                "/0/request/url",
                "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-5/invoke",
            ),
            drop("/0/request/body/model"),
            put("/0/request/body/anthropic_version", "bedrock-2023-05-31"),
            _BEGUN,
        ),
    ],
)
def prefill_unsupported(view: View) -> Iterator[Hit]:
    """For models from 4.6 on, the last message must not be the assistant's.

    These models refuse a reply that the client began; only a turn that the server paused may be last.
    """
    if not _REFUSING.search(view.model or ""):
        return
    sent = list(messages(view.request))
    if not sent or sent[-1][0].get("role") != "assistant":
        return
    message, at = sent[-1]
    content = message.get("content")
    kinds = [kind_of(block) or "" for block in content] if isinstance(content, list) else []
    if not any(kind.endswith("tool_use") for kind in kinds):
        yield Hit(at, f"{view.model} does not continue an assistant message", "a user message at the end", "assistant")
