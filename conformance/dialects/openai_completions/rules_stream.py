"""Streamed completions: chunks, finish, usage and the end mark. `grammar.py` walks the stream."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_completions.grammar import Fault, hits
from conformance.judge.example import drop, example, insert, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_STREAM = "openai-completions/stream-answer"
_EVENTS = "/0/response/events"
_SCHEMA = "openai/openai-openapi openapi.json#/components/schemas/CreateCompletionResponse"
_SDK = "openai 2.54 _streaming.py"
_ERROR = {"error": {"message": "overloaded", "type": "InternalServerError", "param": None, "code": 500}}
_CHUNK = {
    "id": "cmpl-0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "object": "text_completion",
    "created": 1790000000,
    "model": "base-model",
    "choices": [{"index": 0, "text": " More.", "logprobs": None, "finish_reason": None}],
}


@rule(
    "completions-event-name-unexpected",
    scope="stream",
    basis="documented",
    cites=[f"OAT-S-001 {_SDK}"],
    violating=[example(_STREAM, put(f"{_EVENTS}/1/event", "completion"))],
)
def event_name_unexpected(view: View) -> Iterator[Hit]:
    """The events of a completion's stream must have data lines only, and no name.

    A client that handles unnamed events ignores the named ones.
    """
    yield from hits(view, Fault.EVENT_NAME_UNEXPECTED)


@rule(
    "completions-done-missing",
    scope="stream",
    basis="documented",
    cites=[f"OAT-S-002 {_SDK}"],
    violating=[example(_STREAM, drop(f"{_EVENTS}/4"), at="0 response")],
)
def done_missing(view: View) -> Iterator[Hit]:
    """A completion's stream must end with `data: [DONE]`, unless an error ends it.

    Without it, clients cannot tell a complete text from a broken connection.
    """
    yield from hits(view, Fault.DONE_MISSING)


@rule(
    "completions-event-after-done-unexpected",
    scope="stream",
    basis="documented",
    cites=[f"OAT-S-002 {_SDK}"],
    violating=[
        example(_STREAM, insert(f"{_EVENTS}/5", {"data": "[DONE]"})),
        example(_STREAM, swap(f"{_EVENTS}/3", f"{_EVENTS}/4"), at="0 response event/4"),
    ],
)
def event_after_done_unexpected(view: View) -> Iterator[Hit]:
    """No data may follow `data: [DONE]`.

    Clients stop reading there and lose what comes later.
    """
    yield from hits(view, Fault.EVENT_AFTER_DONE_UNEXPECTED)


@rule(
    "completions-event-after-error-unexpected",
    scope="stream",
    basis="sdk-type",
    cites=[f"OAT-S-003 {_SDK}"],
    conforming=[example(_STREAM, put(f"{_EVENTS}/3/data", _ERROR))],
    violating=[example(_STREAM, put(f"{_EVENTS}/1/data", _ERROR), drop(f"{_EVENTS}/3"), at="0 response event/2")],
)
def event_after_error_unexpected(view: View) -> Iterator[Hit]:
    """An error must be the last data of a stream; only `[DONE]` may follow.

    SDKs raise at the error and do not read further.
    """
    yield from hits(view, Fault.EVENT_AFTER_ERROR_UNEXPECTED)


@rule(
    "completions-chunk-identity-changed",
    scope="stream",
    basis="schema",
    cites=[f"OAT-S-005 {_SCHEMA}"],
    violating=[example(_STREAM, put(f"{_EVENTS}/2/data/id", "cmpl-other"))],
)
def chunk_identity_changed(view: View) -> Iterator[Hit]:
    """All chunks of a stream must have the same id, time and model.

    A client that tells replies apart by id takes one reply for two.
    """
    yield from hits(view, Fault.CHUNK_IDENTITY_CHANGED)


@rule(
    "completions-chunk-index-wrong",
    scope="stream",
    basis="schema",
    cites=[f"OAT-R-003 {_SCHEMA}/properties/choices"],
    violating=[example(_STREAM, put(f"{_EVENTS}/1/data/choices/0/index", 2))],
)
def chunk_index_wrong(view: View) -> Iterator[Hit]:
    """The indexes of a stream's choices must count from 0 without a gap.

    With a gap, clients that keep choices in a list add the text to the wrong one.
    """
    yield from hits(view, Fault.CHUNK_INDEX_WRONG)


@rule(
    "completions-chunk-choices-empty",
    severity=Severity.WARNING,
    scope="stream",
    basis="schema",
    cites=[f"OAT-S-006 {_SCHEMA}/properties/choices"],
    violating=[example(_STREAM, put(f"{_EVENTS}/1/data/choices", []))],
)
def chunk_choices_empty(view: View) -> Iterator[Hit]:
    """A chunk without a choice must have usage.

    A piece of text may have been lost; clients that read `choices[0]` fail.
    """
    yield from hits(view, Fault.CHUNK_CHOICES_EMPTY)


@rule(
    "completions-finish-missing",
    scope="stream",
    basis="schema",
    cites=[f"OAT-R-004 {_SCHEMA}/properties/choices"],
    violating=[
        example(_STREAM, put(f"{_EVENTS}/2/data/choices/0/finish_reason", None), at="0 response event/0/choices/0")
    ],
)
def finish_missing(view: View) -> Iterator[Hit]:
    """Every choice of a stream must have a finish reason.

    Without it, clients cannot tell a complete call from a truncated one.
    """
    yield from hits(view, Fault.FINISH_MISSING)


@rule(
    "completions-finish-repeated",
    scope="stream",
    basis="schema",
    cites=[f"OAT-R-004 {_SCHEMA}/properties/choices"],
    violating=[
        example(
            _STREAM,
            put(f"{_EVENTS}/1/data/choices/0/finish_reason", "stop"),
            at="0 response event/2/choices/0/finish_reason",
        )
    ],
)
def finish_repeated(view: View) -> Iterator[Hit]:
    """A choice of a stream must have only one finish reason.

    Clients stop at the first one, and lose what comes before the second.
    """
    yield from hits(view, Fault.FINISH_REPEATED)


@rule(
    "completions-text-after-finish-unexpected",
    scope="stream",
    basis="schema",
    cites=[f"OAT-R-004 {_SCHEMA}/properties/choices"],
    violating=[example(_STREAM, insert(f"{_EVENTS}/3", {"data": _CHUNK}), at="0 response event/3/choices/0/text")],
)
def text_after_finish_unexpected(view: View) -> Iterator[Hit]:
    """A choice must have no text after its finish reason.

    Clients stop at the finish and lose the rest of the text.
    """
    yield from hits(view, Fault.TEXT_AFTER_FINISH_UNEXPECTED)


@rule(
    "completions-usage-missing",
    severity=Severity.WARNING,
    scope="stream",
    basis="sdk-type",
    cites=["OAT-S-006 openai 2.54 types/completion_create_params.py"],
    violating=[example(_STREAM, drop(f"{_EVENTS}/3"), at="0 response")],
)
def usage_missing(view: View) -> Iterator[Hit]:
    """A stream must include usage if the request asks for it.

    Without it, billing counts nothing.
    """
    yield from hits(view, Fault.USAGE_MISSING)


@rule(
    "completions-usage-unexpected",
    severity=Severity.WARNING,
    scope="stream",
    basis="sdk-type",
    cites=["OAT-S-006 openai 2.54 types/completion_create_params.py"],
    violating=[example(_STREAM, drop("/0/request/body/stream_options"), at="0 response event/3/usage")],
)
def usage_unexpected(view: View) -> Iterator[Hit]:
    """A stream must not have usage if the request does not ask for it.

    Clients that read `choices[0]` fail on a last chunk without a choice.
    """
    yield from hits(view, Fault.USAGE_UNEXPECTED)


@rule(
    "completions-usage-misplaced",
    severity=Severity.WARNING,
    scope="stream",
    basis="sdk-type",
    cites=["OAT-S-006 openai 2.54 types/completion_create_params.py"],
    violating=[example(_STREAM, swap(f"{_EVENTS}/2", f"{_EVENTS}/3"), at="0 response event/2/usage")],
)
def usage_misplaced(view: View) -> Iterator[Hit]:
    """The chunk with usage must come after the finish of every choice.

    Earlier counts are not those of the whole reply.
    """
    yield from hits(view, Fault.USAGE_MISPLACED)
