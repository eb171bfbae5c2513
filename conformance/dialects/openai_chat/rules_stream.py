"""Chat streams, docs/contract/openai-chat.md, OAC-S: chunks, finish, usage and the end mark."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chat.grammar import hits
from conformance.dialects.openai_chunks import Fault
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_SCHEMA = "openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionStreamResponse"
_OPTIONS = "openai 2.54 types/chat/chat_completion_stream_options_param.py"


@rule(
    "chat-event-name-unexpected",
    scope="stream",
    cites="OAC-S-001",
)
def event_name_unexpected(view: View) -> Iterator[Hit]:
    """The events of a Chat stream must have data lines only, and no name.

    Clients that listen for unnamed events never receive named ones.
    """
    yield from hits(view, Fault.EVENT_NAME_UNEXPECTED)


@rule(
    "chat-done-missing",
    scope="stream",
    cites="OAC-S-002",
)
def done_missing(view: View) -> Iterator[Hit]:
    """A Chat stream must end with `data: [DONE]`, unless an error ends it.

    Without it, a client cannot tell a complete reply from a broken connection; some wait for it until a timeout.
    """
    yield from hits(view, Fault.DONE_MISSING)


@rule(
    "chat-event-after-done-unexpected",
    scope="stream",
    cites="OAC-S-002",
)
def event_after_done_unexpected(view: View) -> Iterator[Hit]:
    """No data may follow `[DONE]`.

    Clients stop reading there and lose what comes later.
    """
    yield from hits(view, Fault.EVENT_AFTER_DONE_UNEXPECTED)


@rule(
    "chat-event-after-error-unexpected",
    scope="stream",
    cites="OAC-S-015",
)
def event_after_error_unexpected(view: View) -> Iterator[Hit]:
    """A chunk with an `error` must end the stream: only `[DONE]` may follow.

    The official SDK raises at the error and does not read further.
    """
    yield from hits(view, Fault.EVENT_AFTER_ERROR_UNEXPECTED)


@rule(
    "chat-chunk-identity-changed",
    scope="stream",
    cites="OAC-S-003",
)
def chunk_identity_changed(view: View) -> Iterator[Hit]:
    """All chunks of a stream must have the same id, created and model.

    Logs and proxies group chunks by id: a changed id splits one reply into several.
    """
    yield from hits(view, Fault.CHUNK_IDENTITY_CHANGED)


@rule(
    "chat-role-missing",
    scope="stream",
    cites="OAC-S-004",
)
def role_missing(view: View) -> Iterator[Hit]:
    """The first delta of a choice must have the role, even if an error ends the stream later.

    Without it, the accumulated message has no role, and the server refuses it in the next request.
    """
    yield from hits(view, Fault.ROLE_MISSING)


@rule(
    "chat-role-repeated",
    scope="stream",
    cites="OAC-S-004",
)
def role_repeated(view: View) -> Iterator[Hit]:
    """Only one delta of a choice may have the role.

    Clients concatenate the strings of the deltas: the role becomes `assistantassistant`.
    """
    yield from hits(view, Fault.ROLE_REPEATED)


@rule(
    "chat-finish-missing",
    scope="stream",
    cites="OAC-S-006",
)
def finish_missing(view: View) -> Iterator[Hit]:
    """Every choice of a stream must end with a `finish_reason`.

    Without it, a client cannot tell whether the calls are complete, and often does not run them.
    """
    yield from hits(view, Fault.FINISH_MISSING)


@rule(
    "chat-finish-repeated",
    scope="stream",
    cites="OAC-S-006",
)
def finish_repeated(view: View) -> Iterator[Hit]:
    """A choice of a stream must have only one `finish_reason`.

    A client that runs tools at the finish runs them twice.
    """
    yield from hits(view, Fault.FINISH_REPEATED)


@rule(
    "chat-delta-after-finish-unexpected",
    scope="stream",
    cites="OAC-S-006",
)
def delta_after_finish_unexpected(view: View) -> Iterator[Hit]:
    """A choice must have no content after its `finish_reason`.

    Clients that act at the finish act on an incomplete reply.
    """
    yield from hits(view, Fault.DELTA_AFTER_FINISH_UNEXPECTED)


@rule(
    "chat-finish-delta-unexpected",
    scope="stream",
    cites="OAC-S-007",
)
def finish_delta_unexpected(view: View) -> Iterator[Hit]:
    """The chunk with the `finish_reason` should have an empty delta.

    Clients that read the finish first lose the last piece of the text or the arguments.
    """
    yield from hits(view, Fault.FINISH_DELTA_UNEXPECTED)


@rule(
    "chat-usage-missing",
    scope="stream",
    cites="OAC-S-013",
    severity=Severity.WARNING,
    because="a few official streams that asked for usage ended without",
)
def usage_missing(view: View) -> Iterator[Hit]:
    """A stream must have usage if the request asks for it.

    Without it, cost accounting counts the request as free.
    """
    yield from hits(view, Fault.USAGE_MISSING)


@rule(
    "chat-usage-misplaced",
    scope="stream",
    cites="OAC-S-013",
)
def usage_misplaced(view: View) -> Iterator[Hit]:
    """Usage must be sent once, in a last chunk with `choices: []`, if the request asks for it.

    Clients that wait for that chunk miss usage elsewhere; clients that add chunks up count a repeated one twice.
    """
    yield from hits(view, Fault.USAGE_MISPLACED)


@rule(
    "chat-usage-key-missing",
    scope="stream",
    cites="OAC-S-013",
    severity=Severity.WARNING,
    because="203 recorded replies of 12 compatible servers lack the key, and the SDK's type has null as its default",
)
def usage_key_missing(view: View) -> Iterator[Hit]:
    """If the request asks for usage, every chunk should have the key: null in all but the last.

    Typed clients may fail without the documented key.
    """
    yield from hits(view, Fault.USAGE_KEY_MISSING)


@rule(
    "chat-chunk-choices-empty",
    scope="stream",
    cites="OAC-S-013",
    severity=Severity.WARNING,
    because="the specification sets no least number of choices, and Azure's first chunk has none (simonw/llm#294)",
)
def chunk_choices_empty(view: View) -> Iterator[Hit]:
    """Only the chunk with the usage may have no choices.

    Clients read `choices[0]` of every other chunk, and fail where there is none.
    """
    yield from hits(view, Fault.CHUNK_CHOICES_EMPTY)


@rule(
    "chat-usage-unexpected",
    scope="stream",
    cites="OAC-S-014",
)
def usage_unexpected(view: View) -> Iterator[Hit]:
    """A stream must not have usage if the request does not ask for it.

    Such a client does not expect a chunk without choices, and fails at `choices[0]`.
    """
    yield from hits(view, Fault.USAGE_UNEXPECTED)
