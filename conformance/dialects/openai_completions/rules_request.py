"""Requests with a raw prompt (docs/contract/openai-completions.md)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_completions import shape
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_ANSWER = "openai-completions/answer"
_BODY = "/0/request/body"
_SCHEMA = "openai/openai-openapi openapi.json#/components/schemas/CreateCompletionRequest"


@rule(
    "completions-request-field-missing",
    scope="request",
    basis="schema",
    cites=[f"OAT-Q-001 {_SCHEMA}"],
    violating=[example(_ANSWER, drop(f"{_BODY}/prompt")), example(_ANSWER, drop(f"{_BODY}/model"))],
)
def request_field_missing(view: View) -> Iterator[Hit]:
    """A request with a raw prompt names its model and carries the prompt.

    A server completes nothing, or completes the start of any text at all.
    """
    yield from (each.hit for each in shape.misfits(view.request, shape.REQUEST, "") if each.missing)


@rule(
    "completions-request-field-wrong-type",
    scope="request",
    basis="schema",
    cites=[f"OAT-Q-001 {_SCHEMA}"],
    conforming=[example(_ANSWER), example(_ANSWER, put(f"{_BODY}/prompt", ["one", "two"]))],
    violating=[
        example(_ANSWER, put(f"{_BODY}/prompt", {"text": "x"})),
        example(_ANSWER, put(f"{_BODY}/max_tokens", "256")),
        example(_ANSWER, put(f"{_BODY}/model", "")),
    ],
)
def request_field_wrong_type(view: View) -> Iterator[Hit]:
    """The fields of a request with a raw prompt have the types of the contract.

    Strict servers refuse the request; lenient ones take a text for another, or leave a limit out.
    """
    yield from (each.hit for each in shape.misfits(view.request, shape.REQUEST, "") if not each.missing)


@rule(
    "completions-max-tokens-missing",
    severity=Severity.WARNING,
    scope="request",
    basis="schema",
    cites=[f"OAT-Q-002 {_SCHEMA}/properties/max_tokens"],
    violating=[example(_ANSWER, drop(f"{_BODY}/max_tokens"))],
)
def max_tokens_missing(view: View) -> Iterator[Hit]:
    """A request with a raw prompt says how long the reply may be.

    The default is 16 tokens, which cuts a tool call off in its arguments.
    """
    if isinstance(view.request, dict) and view.request.get("max_tokens") is None:
        yield Hit(None, "`max_tokens` is missing", "`max_tokens` (integer)", "the default of 16 tokens")


@rule(
    "completions-stream-options-orphaned",
    scope="request",
    basis="sdk-type",
    cites=["OAT-Q-003 openai 2.54 types/completion_create_params.py"],
    conforming=[example("openai-completions/stream-answer")],
    violating=[example(_ANSWER, put(f"{_BODY}/stream_options", {"include_usage": True}))],
)
def stream_options_orphaned(view: View) -> Iterator[Hit]:
    """Options for a stream come only with a request for a stream.

    Servers refuse the request with a 400.
    """
    body = view.request
    if isinstance(body, dict) and body.get("stream_options") is not None and body.get("stream") is not True:
        yield Hit("/stream_options", "`stream_options` without a stream", "`stream: true` beside it", "no stream")
