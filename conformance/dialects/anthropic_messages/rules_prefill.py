"""The last message of a Messages request, ANT-Q-028."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.anthropic_messages.block import kind_of, messages
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit

_REFUSING = re.compile(r"claude-(?:opus|sonnet|haiku)-(?:4-[6-9]|[5-9])(?!\d)")
"""Models from 4.6 on."""


@rule(
    "messages-prefill-unsupported",
    scope="request",
    cites="ANT-Q-028",
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
