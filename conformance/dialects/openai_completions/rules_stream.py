"""Streamed completions: chunks, finish, usage and the end mark. `grammar.py` walks the stream."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chunks import Fault
from conformance.dialects.openai_completions.grammar import hits
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit

_SCHEMA = "openai/openai-openapi openapi.json#/components/schemas/CreateCompletionResponse"
_SDK = "openai 2.54 _streaming.py"


@rule(
    "completions-event-name-unexpected",
    scope="stream",
    cites="OAT-S-001",
)
def event_name_unexpected(view: View) -> Iterator[Hit]:
    """The events of a completion's stream must have data lines only, and no name.

    A client that handles unnamed events ignores the named ones.
    """
    yield from hits(view, Fault.EVENT_NAME_UNEXPECTED)


@rule(
    "completions-done-missing",
    scope="stream",
    cites="OAT-S-002",
)
def done_missing(view: View) -> Iterator[Hit]:
    """A completion's stream must end with `data: [DONE]`, unless an error ends it.

    Without it, clients cannot tell a complete text from a broken connection.
    """
    yield from hits(view, Fault.DONE_MISSING)


@rule(
    "completions-event-after-done-unexpected",
    scope="stream",
    cites="OAT-S-002",
)
def event_after_done_unexpected(view: View) -> Iterator[Hit]:
    """No data may follow `data: [DONE]`.

    Clients stop reading there and lose what comes later.
    """
    yield from hits(view, Fault.EVENT_AFTER_DONE_UNEXPECTED)


@rule(
    "completions-event-after-error-unexpected",
    scope="stream",
    cites="OAT-S-003",
)
def event_after_error_unexpected(view: View) -> Iterator[Hit]:
    """An error must be the last data of a stream; only `[DONE]` may follow.

    SDKs raise at the error and do not read further.
    """
    yield from hits(view, Fault.EVENT_AFTER_ERROR_UNEXPECTED)


@rule(
    "completions-chunk-identity-changed",
    scope="stream",
    cites="OAT-S-005",
)
def chunk_identity_changed(view: View) -> Iterator[Hit]:
    """All chunks of a stream must have the same id, time and model.

    A client that tells replies apart by id takes one reply for two.
    """
    yield from hits(view, Fault.CHUNK_IDENTITY_CHANGED)


@rule(
    "completions-chunk-index-wrong",
    scope="stream",
    cites="OAT-R-003",
)
def chunk_index_wrong(view: View) -> Iterator[Hit]:
    """The indexes of a stream's choices must count from 0 without a gap.

    With a gap, clients that keep choices in a list add the text to the wrong one.
    """
    yield from hits(view, Fault.CHUNK_INDEX_WRONG)


@rule(
    "completions-chunk-choices-empty",
    scope="stream",
    cites="OAT-S-006",
)
def chunk_choices_empty(view: View) -> Iterator[Hit]:
    """A chunk without a choice must have usage.

    A piece of text may have been lost; clients that read `choices[0]` fail.
    """
    yield from hits(view, Fault.CHUNK_CHOICES_EMPTY)


@rule(
    "completions-finish-missing",
    scope="stream",
    cites="OAT-R-004",
)
def finish_missing(view: View) -> Iterator[Hit]:
    """Every choice of a stream must have a finish reason.

    Without it, clients cannot tell a complete call from a truncated one.
    """
    yield from hits(view, Fault.FINISH_MISSING)


@rule(
    "completions-finish-repeated",
    scope="stream",
    cites="OAT-R-004",
)
def finish_repeated(view: View) -> Iterator[Hit]:
    """A choice of a stream must have only one finish reason.

    Clients stop at the first one, and lose what comes before the second.
    """
    yield from hits(view, Fault.FINISH_REPEATED)


@rule(
    "completions-text-after-finish-unexpected",
    scope="stream",
    cites="OAT-R-004",
)
def text_after_finish_unexpected(view: View) -> Iterator[Hit]:
    """A choice must have no text after its finish reason.

    Clients stop at the finish and lose the rest of the text.
    """
    yield from hits(view, Fault.TEXT_AFTER_FINISH_UNEXPECTED)


@rule(
    "completions-usage-missing",
    scope="stream",
    cites="OAT-S-006",
)
def usage_missing(view: View) -> Iterator[Hit]:
    """A stream must include usage if the request asks for it.

    Without it, billing counts nothing.
    """
    yield from hits(view, Fault.USAGE_MISSING)


@rule(
    "completions-usage-unexpected",
    scope="stream",
    cites="OAT-S-006",
)
def usage_unexpected(view: View) -> Iterator[Hit]:
    """A stream must not have usage if the request does not ask for it.

    Clients that read `choices[0]` fail on a last chunk without a choice.
    """
    yield from hits(view, Fault.USAGE_UNEXPECTED)


@rule(
    "completions-usage-misplaced",
    scope="stream",
    cites="OAT-S-006",
)
def usage_misplaced(view: View) -> Iterator[Hit]:
    """The chunk with usage must come after the finish of every choice.

    Earlier counts are not those of the whole reply.
    """
    yield from hits(view, Fault.USAGE_MISPLACED)
