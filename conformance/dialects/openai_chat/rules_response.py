"""Chat replies and errors, docs/contract/openai-chat.md, OAC-R: what the neutral rules do not cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join
from conformance.model.transcript import Reasoning

_OFFICIAL = ("openai", "azure-openai", "reference")


def _choices(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The choices of a body that was not streamed, each with its pointer."""
    body = view.response
    choices = body.get("choices") if isinstance(body, dict) else None
    for number, choice in enumerate(choices if isinstance(choices, list) else ()):
        if isinstance(choice, dict):
            yield choice, join("/choices", number)


def _messages(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    for choice, at in _choices(view):
        if isinstance(choice.get("message"), dict):
            yield choice["message"], join(at, "message")


@rule(
    "chat-reply-empty",
    scope="reply",
    cites="OAC-R-003",
    severity=Severity.WARNING,
    because="an empty text is a string; found in 3 recorded replies with status 2xx",
)
def reply_empty(view: View) -> Iterator[Hit]:
    """A reply with the finish reason `stop` must have text or calls.

    The model's output is in a field that no client reads, or was lost on the way.
    """
    for turn in view.replies:
        if turn.stop == "end" and not any(not isinstance(part, Reasoning) for part in turn.parts):
            yield Hit(turn.pointer, "the reply ended without text or calls", "text or tool calls", "neither")


@rule(
    "chat-reply-usage-missing",
    scope="response",
    needs_complete=True,
    cites="OAC-R-015",
)
def reply_usage_missing(view: View) -> Iterator[Hit]:
    """A reply that is not streamed must have its usage.

    Without it, cost accounting counts the request as free.
    """
    if isinstance(view.response, dict) and view.response.get("usage") is None:
        yield Hit(None, "the reply has no usage", "`usage` (object)", "no usage")


@rule(
    "chat-content-empty",
    scope="response",
    cites="OAC-R-016",
    severity=Severity.INFO,
    because="407 recorded replies of compatible servers hold an empty text; only of OpenAI itself it is a warning",
)
def content_empty(view: View) -> Iterator[Hit]:
    """The content of a message with only calls should be null.

    A client that tests for null takes an empty string for an answer. Most compatible servers send one.
    """
    for message, at in _messages(view):
        if message.get("tool_calls") and message.get("content") == "":
            yield Hit(
                join(at, "content"),
                "content is an empty string in a message with calls",
                "null",
                '""',
                severity=Severity.WARNING if view.provider in _OFFICIAL else None,
            )
