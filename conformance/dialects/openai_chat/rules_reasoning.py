"""Reasoning that must be sent back to DeepSeek, OAC-Q-027."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.providers import providers_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join


@rule(
    "chat-reasoning-dropped",
    scope="request",
    cites="OAC-Q-027",
)
def reasoning_dropped(view: View) -> Iterator[Hit]:
    """With DeepSeek's thinking mode on, an assistant message with calls must have its `reasoning_content`.

    The server refuses the request, and every later one of the conversation.
    """
    body = view.request if isinstance(view.request, dict) else {}
    listed = body.get("messages")
    deepseek = next((each for each in providers_of(view) if each.provider == "deepseek"), None)
    if deepseek is None or not isinstance(listed, list) or not _thinks(view, body):
        return
    asked = [number for number, each in enumerate(listed) if _is(each, "user")]
    # Models before V4 need only the reasoning since the last user message.
    first = asked[-1] if asked and "reasoner" in (view.model or "") else 0
    for number, message in enumerate(listed[first:], first):
        if _is(message, "assistant") and message.get("tool_calls") and message.get("reasoning_content") is None:
            yield Hit(
                join("/messages", number),
                "a message with calls is sent back without its reasoning",
                "reasoning_content",
                "no such field",
                severity=min(deepseek.most, Severity.WARNING if view.ok else Severity.ERROR),
            )


def _thinks(view: View, body: dict[str, Any]) -> bool:
    thinking = body.get("thinking")
    kind = thinking.get("type") if isinstance(thinking, dict) else None
    return kind == "enabled" or (kind is None and "reasoner" in (view.model or ""))


def _is(message: Any, role: str) -> bool:
    return isinstance(message, dict) and message.get("role") == role
