"""Reasoning that must be sent back to DeepSeek, OAC-Q-027."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.upstream import asking
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join

_ANSWER, _MESSAGES = "openai-chat/answer", "/0/request/body/messages"
_THERE = put("/0/request/url", "https://api.deepseek.com/chat/completions")
_THINKS = (
    _THERE,
    put("/0/request/body/model", "deepseek-v4-pro"),
    put("/0/request/body/thinking", {"type": "enabled"}),
)
_REASONED = put(f"{_MESSAGES}/1/reasoning_content", "Two places, so two calls.")
_FAILED = put(
    "/0/response",
    {
        "status": 400,
        "headers": {"content-type": "application/json"},
        "body": {
            "error": {
                "message": "Reasoning is missing.",
                "type": "invalid_request_error",
                "param": None,
                "code": "invalid_request_error",
            }
        },
    },
)


@rule(
    "chat-reasoning-dropped",
    scope="request",
    basis="observed",
    cites=["OAC-Q-027 earendil-works/pi#3636", "OAC-Q-027 recorded traffic 4/4"],
    bugs=["earendil-works/pi#3636"],
    conforming=[
        example(_ANSWER, *_THINKS, _REASONED),
        example(_ANSWER, _THERE, put("/0/request/body/model", "deepseek-chat")),
    ],
    violating=[
        example(_ANSWER, *_THINKS, _FAILED, at="0 request /messages/1"),
        example(_ANSWER, _THERE, put("/0/request/body/model", "deepseek-reasoner"), at="0 request /messages/1"),
    ],
)
def reasoning_dropped(view: View) -> Iterator[Hit]:
    """With DeepSeek's thinking mode on, an assistant message with calls must have its `reasoning_content`.

    The server refuses the request, and every later one of the conversation.
    """
    body = view.request if isinstance(view.request, dict) else {}
    listed = body.get("messages")
    asking_for_it = next((each for each in asking(view) if each.provider == "deepseek"), None)
    if asking_for_it is None or not isinstance(listed, list) or not _thinks(view, body):
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
                severity=min(asking_for_it.most, Severity.WARNING if view.ok else Severity.ERROR),
            )


def _thinks(view: View, body: dict[str, Any]) -> bool:
    thinking = body.get("thinking")
    said = thinking.get("type") if isinstance(thinking, dict) else None
    return said == "enabled" or (said is None and "reasoner" in (view.model or ""))


def _is(message: Any, role: str) -> bool:
    return isinstance(message, dict) and message.get("role") == role
