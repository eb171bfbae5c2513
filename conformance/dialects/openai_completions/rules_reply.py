"""Texts and errors that answer a raw prompt, streamed or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_completions import shape
from conformance.dialects.openai_completions.reply import STOPS, choices_of
from conformance.dialects.openai_completions.shape import Misfit
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.transcript import Malformed

_ANSWER, _STREAM = "openai-completions/answer", "openai-completions/stream-answer"
_BODY = "/0/response/body"
_SCHEMA = "openai/openai-openapi openapi.json#/components/schemas/CreateCompletionResponse"


def _misfits(view: View) -> Iterator[Misfit]:
    body = view.response
    if isinstance(body, Malformed) or view.exchange.response.body.empty:
        return
    yield from shape.misfits(body, shape.COMPLETION, "")
    choices = body.get("choices") if isinstance(body, dict) else None
    for number, choice in enumerate(choices if isinstance(choices, list) else ()):
        yield from shape.misfits(choice, shape.CHOICE, join("/choices", number))
    if isinstance(body, dict) and isinstance(body.get("usage"), dict):
        yield from shape.misfits(body["usage"], shape.USAGE, "/usage")


@rule(
    "completions-reply-field-missing",
    scope="response",
    basis="schema",
    cites=[f"OAT-R-001 {_SCHEMA}"],
    violating=[
        example(_ANSWER, drop(f"{_BODY}/id")),
        example(_ANSWER, drop(f"{_BODY}/choices/0/text")),
        example(_ANSWER, drop(f"{_BODY}/choices/0/finish_reason")),
        example(_ANSWER, drop(f"{_BODY}/usage/total_tokens")),
    ],
)
def reply_field_missing(view: View) -> Iterator[Hit]:
    """A completion and its choices have all the fields that the contract requires.

    Typed clients read the missing field, get nothing, and fail far from the cause.
    """
    yield from (each.hit for each in _misfits(view) if each.missing)


@rule(
    "completions-reply-field-wrong-type",
    scope="response",
    basis="schema",
    cites=[f"OAT-R-001 {_SCHEMA}"],
    violating=[
        example(_ANSWER, put(f"{_BODY}/choices/0/text", {"content": "x"})),
        example(_ANSWER, put(f"{_BODY}/choices/0/finish_reason", None)),
        example(_ANSWER, put(f"{_BODY}/created", "now")),
    ],
)
def reply_field_wrong_type(view: View) -> Iterator[Hit]:
    """The fields of a completion and its choices have the types of the contract.

    Typed clients raise on the value, or carry it on until something else does.
    """
    yield from (each.hit for each in _misfits(view) if not each.missing)


@rule(
    "completions-object-wrong",
    scope="exchange",
    basis="schema",
    cites=[f"OAT-R-002 {_SCHEMA}/properties/object"],
    conforming=[example(_ANSWER), example(_STREAM), example("openai-completions/failure")],
    violating=[
        example(_ANSWER, put(f"{_BODY}/object", "chat.completion")),
        example(_STREAM, put("/0/response/events/1/data/object", "chat.completion.chunk")),
    ],
)
def object_wrong(view: View) -> Iterator[Hit]:
    """The `object` of a completion and of each of its chunks is `text_completion`.

    A client that chooses by it how to read the body looks for a message where there is a text.
    """
    if not view.ok:
        return
    bodies = [(view.response, "")] if view.events is None else [(each.json, each.pointer) for each in view.events]
    for body, at in bodies:
        found = body.get("object") if isinstance(body, dict) else None
        if isinstance(found, str) and found != "text_completion":
            where = join(at, "object")
            yield Hit(where, "the object is not a completion", "text_completion", brief(found), side="response")


@rule(
    "completions-choice-index-wrong",
    scope="response",
    basis="schema",
    cites=[f"OAT-R-003 {_SCHEMA}/properties/choices"],
    violating=[example(_ANSWER, put(f"{_BODY}/choices/0/index", 1))],
)
def choice_index_wrong(view: View) -> Iterator[Hit]:
    """The choices of a completion are numbered from 0 in their order.

    With several prompts or samples the index says which text answers which.
    """
    for number, (choice, at) in enumerate(choices_of(view.response)):
        found = choice.get("index")
        if isinstance(found, int) and found != number:
            yield Hit(join(at, "index"), "the index is not the choice's place", str(number), brief(found))


@rule(
    "completions-choices-empty",
    scope="response",
    basis="schema",
    cites=[f"OAT-R-003 {_SCHEMA}/properties/choices"],
    violating=[example(_ANSWER, put(f"{_BODY}/choices", []))],
)
def choices_empty(view: View) -> Iterator[Hit]:
    """A completion holds at least one choice.

    Clients take the first one without looking.
    """
    if isinstance(view.response, dict) and view.response.get("choices") == []:
        yield Hit("/choices", "the completion has no choice", "a choice", "[]")


@rule(
    "completions-finish-reason-unknown",
    scope="reply",
    basis="schema",
    cites=[f"OAT-R-004 {_SCHEMA}/properties/choices"],
    conforming=[example(_ANSWER), example(_STREAM), example("openai-completions/cut-off")],
    violating=[
        example(_ANSWER, put(f"{_BODY}/choices/0/finish_reason", "tool_calls")),
        example(_STREAM, put("/0/response/events/2/data/choices/0/finish_reason", "eos")),
    ],
)
def finish_reason_unknown(view: View) -> Iterator[Hit]:
    """A text finishes with `stop`, `length` or `content_filter`.

    A client that does not know the value cannot tell a complete call from a truncated one.
    """
    for turn in view.replies:
        if isinstance(turn.stop_wire, str) and turn.stop_wire not in STOPS:
            yield Hit(turn.stop_pointer, "unknown finish reason", " or ".join(STOPS), brief(turn.stop_wire))


@rule(
    "completions-usage-total-wrong",
    severity=Severity.WARNING,
    scope="exchange",
    basis="observed",
    cites=["OAT-R-005 openai/openai-openapi openapi.json#/components/schemas/CompletionUsage"],
    violating=[
        example(_ANSWER, put(f"{_BODY}/usage/total_tokens", 12)),
        example(_STREAM, put("/0/response/events/3/data/usage/total_tokens", 12)),
    ],
)
def usage_total_wrong(view: View) -> Iterator[Hit]:
    """The total of tokens is that of the prompt and that of the completion.

    Billing and limits by the total differ from those by the two counts.
    """
    if not view.ok:
        return
    bodies = [(view.response, "")] if view.events is None else [(each.json, each.pointer) for each in view.events]
    for body, at in bodies:
        usage = body.get("usage") if isinstance(body, dict) else None
        counts: list[Any] = (
            [usage.get(f"{each}_tokens") for each in ("prompt", "completion", "total")]
            if isinstance(usage, dict)
            else []
        )
        if counts and all(isinstance(each, int) for each in counts) and counts[0] + counts[1] != counts[2]:
            where = join(at, "usage", "total_tokens")
            yield Hit(where, "the total is not the sum", str(counts[0] + counts[1]), str(counts[2]), side="response")


@rule(
    "completions-error-malformed",
    scope="failure",
    basis="schema",
    cites=["OAT-R-006 openai/openai-openapi openapi.json#/components/schemas/ErrorResponse"],
    violating=[
        example("openai-completions/failure", put(_BODY, {"detail": "Not Found"})),
        example("openai-completions/failure", drop(f"{_BODY}/error/message")),
        example("openai-completions/failure", put(f"{_BODY}/error/type", 404)),
    ],
)
def error_malformed(view: View) -> Iterator[Hit]:
    """The body of a failure is an `error` object with a message and a type.

    SDKs show their user an error without a text, and cannot tell what to do about it.
    """
    body = view.response
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        yield from (each.hit for each in shape.misfits(error, shape.ERROR, "/error"))
    else:
        yield Hit(None, "the body of the error response has no `error` object", '{"error": {…}}', brief(body))
