"""Reasoning that must be sent back to DeepSeek and Moonshot, OAC-Q-027."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.judge.providers import Provider, providers_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join

_THINKING: Mapping[str, re.Pattern[str]] = {
    "deepseek": re.compile(r"reasoner|deepseek-(v[4-9]|flash|pro)"),
    "moonshot": re.compile(r"kimi-k2\.[56]|kimi-k2-thinking|kimi-k[3-9]"),
}
"""By provider, the models that think unless they are asked not to."""


@rule(
    "chat-reasoning-dropped",
    scope="request",
    cites="OAC-Q-027",
)
def reasoning_dropped(view: View) -> Iterator[Hit]:
    """With thinking on, an assistant message with calls to DeepSeek or Moonshot must have its `reasoning_content`.

    The server refuses the request, and every later one of the conversation.
    """
    body = view.request if isinstance(view.request, dict) else {}
    listed = body.get("messages")
    host = next((each for each in providers_of(view) if each.provider in _THINKING), None)
    if host is None or not isinstance(listed, list) or not _thinks(host, body):
        return
    asked = [number for number, each in enumerate(listed) if _is(each, "user")]
    # Moonshot, and DeepSeek before V4, need only the reasoning since the last user message.
    first = asked[-1] if asked and (host.provider == "moonshot" or "reasoner" in (host.model or "")) else 0
    for number, message in enumerate(listed[first:], first):
        if _is(message, "assistant") and message.get("tool_calls") and message.get("reasoning_content") is None:
            yield Hit(
                join("/messages", number),
                "a message with calls is sent back without its reasoning",
                "reasoning_content",
                "no such field",
                severity=min(host.most, Severity.WARNING if view.ok else Severity.ERROR),
            )


def _thinks(host: Provider, body: dict[str, Any]) -> bool:
    """Whether the request asks the model to think, or the model does so by itself."""
    thinking = body.get("thinking")
    kind = thinking.get("type") if isinstance(thinking, dict) else None
    return kind == "enabled" or (kind is None and _THINKING[host.provider].search(host.model or "") is not None)


def _is(message: Any, role: str) -> bool:
    return isinstance(message, dict) and message.get("role") == role
