"""Chat replies and errors, docs/contract/openai-chat.md, OAC-R: what the neutral rules do not cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.transcript import Reasoning

_CALL, _ANSWER = "openai-chat/call", "openai-chat/answer"
_BODY = "/0/response/body"
_MESSAGE = f"{_BODY}/choices/0/message"
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
    "chat-choice-index-wrong",
    scope="response",
    basis="schema",
    cites=["OAC-R-002 recorded traffic 580/580"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, put(f"{_BODY}/choices/0/index", 1))],
)
def choice_index_wrong(view: View) -> Iterator[Hit]:
    """The index of each choice must be its position in the array.

    A client that asked for several samples mixes them up.
    """
    for number, (choice, at) in enumerate(_choices(view)):
        index = choice.get("index")
        if isinstance(index, int) and not isinstance(index, bool) and index != number:
            yield Hit(join(at, "index"), "the index is not the position in the array", str(number), str(index))


@rule(
    "chat-reply-empty",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["OAC-R-003 recorded traffic: no official reply breaks it"],
    conforming=[example(_CALL), example(_ANSWER)],
    violating=[
        example(_ANSWER, put(f"{_MESSAGE}/content", None), at="0 response /choices/0"),
        example(
            "openai-chat/stream-answer",
            drop("/0/response/events/1"),
            drop("/0/response/events/1"),
            drop("/0/response/events/0/data/choices/0/delta/content"),
            at="0 response event/0/choices/0",
        ),
    ],
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
    severity=Severity.WARNING,
    scope="response",
    basis="observed",
    needs_complete=True,
    cites=["OAC-R-015 recorded traffic 570/570"],
    violating=[example(_CALL, drop(f"{_BODY}/usage"))],
)
def reply_usage_missing(view: View) -> Iterator[Hit]:
    """A reply that is not streamed must have its usage.

    Without it, cost accounting counts the request as free.
    """
    if isinstance(view.response, dict) and view.response.get("usage") is None:
        yield Hit(None, "the reply has no usage", "`usage` (object)", "no usage")


@rule(
    "chat-content-empty",
    severity=Severity.INFO,
    scope="response",
    basis="observed",
    cites=["OAC-R-016 recorded traffic 95/96"],
    bugs=["lmstudio#261", "mistralai/mistral-common#324", "vercel/ai#13466", "vercel/ai#14950"],
    conforming=[example(_CALL), example(_CALL, put(f"{_MESSAGE}/content", "Let me look."))],
    violating=[example(_CALL, put(f"{_MESSAGE}/content", ""))],
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


@rule(
    "chat-usage-total-wrong",
    severity=Severity.WARNING,
    scope="exchange",
    basis="observed",
    cites=["OAC-R-015 recorded traffic 570/570"],
    violating=[
        example(_CALL, put(f"{_BODY}/usage/total_tokens", 3)),
        example("openai-chat/stream-call", put("/0/response/events/8/data/usage/total_tokens", 3)),
    ],
)
def usage_total_wrong(view: View) -> Iterator[Hit]:
    """The total of the usage must be the sum of its prompt and completion tokens.

    Billing by the total and billing by the parts come to different amounts.
    """
    if not view.ok:
        return
    chunks = (event for event in view.events or () if isinstance(event.json, dict) and event.json.get("usage"))
    bodies = [(view.response, "")] if view.events is None else [(chunk.json, chunk.pointer) for chunk in chunks]
    for body, at in bodies:
        usage = body.get("usage") if isinstance(body, dict) else None
        if not isinstance(usage, dict):
            continue
        prompt, completion, total = (usage.get(f"{part}_tokens") for part in ("prompt", "completion", "total"))
        if not all(isinstance(each, int) and not isinstance(each, bool) for each in (prompt, completion, total)):
            continue
        if prompt + completion != total:  # type: ignore[operator] # the line above has looked
            expected = f"{prompt} + {completion}"
            where = join(at, "usage", "total_tokens")
            yield Hit(where, "total_tokens is not the sum", expected, brief(total), side="response")
