"""Chat streams, docs/contract/openai-chat.md, OAC-S: chunks, finish, usage and the end mark."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chat.grammar import DONE, Fault, hits
from conformance.judge.example import drop, example, insert, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_CALL, _ANSWER = "openai-chat/stream-call", "openai-chat/stream-answer"
_EVENTS = "/0/response/events"
_SCHEMA = "openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionStreamResponse"
_USAGE = {"prompt_tokens": 140, "completion_tokens": 21, "total_tokens": 161}
_OPTIONS = "openai 2.54 types/chat/chat_completion_stream_options_param.py"


def _chunk(*, usage: object = None, choices: object = ()) -> dict[str, object]:
    return {
        "data": {
            "id": "chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012",
            "object": "chat.completion.chunk",
            "created": 1790000000,
            "model": "gpt-4o-mini-2024-07-18",
            "choices": list(choices) if isinstance(choices, (list, tuple)) else choices,
            "usage": usage,
        }
    }


def _delta(delta: dict[str, object], finish: str | None = None) -> dict[str, object]:
    return _chunk(choices=[{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}])


@rule(
    "chat-event-name-unexpected",
    scope="stream",
    basis="observed",
    cites=["OAC-S-001 recorded traffic 7764/7764"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, put(f"{_EVENTS}/1/event", "message.delta"))],
)
def event_name_unexpected(view: View) -> Iterator[Hit]:
    """The events of a Chat stream must have data lines only, and no name.

    Clients that listen for unnamed events never receive named ones.
    """
    yield from hits(view, Fault.EVENT_NAME_UNEXPECTED)


@rule(
    "chat-done-missing",
    scope="stream",
    basis="documented",
    cites=["OAC-S-002 recorded traffic 213/213"],
    conforming=[example(_CALL), example(_ANSWER, put(f"{_EVENTS}/5/data", {"error": {"message": "overloaded"}}))],
    violating=[example(_CALL, drop(f"{_EVENTS}/9"), at="0 response")],
)
def done_missing(view: View) -> Iterator[Hit]:
    """A Chat stream must end with `data: [DONE]`, unless an error ends it.

    Without it, a client cannot tell a complete reply from a broken connection; some wait for it until a timeout.
    """
    yield from hits(view, Fault.DONE_MISSING)


@rule(
    "chat-event-after-done-unexpected",
    scope="stream",
    basis="documented",
    cites=["OAC-S-002 openai 2.54 _streaming.py"],
    conforming=[example(_CALL)],
    violating=[
        example(_CALL, insert(f"{_EVENTS}/10", {"data": DONE})),
        example(_ANSWER, insert(f"{_EVENTS}/6", _delta({"content": "!"}))),
    ],
)
def event_after_done_unexpected(view: View) -> Iterator[Hit]:
    """No data may follow `[DONE]`.

    Clients stop reading there and lose what comes later.
    """
    yield from hits(view, Fault.EVENT_AFTER_DONE_UNEXPECTED)


@rule(
    "chat-event-after-error-unexpected",
    scope="stream",
    basis="sdk-type",
    cites=["OAC-S-015 openai 2.54 _streaming.py"],
    conforming=[example(_ANSWER, put(f"{_EVENTS}/2/data", {"error": {"message": "x"}}), *[drop(f"{_EVENTS}/3")] * 2)],
    violating=[example(_ANSWER, put(f"{_EVENTS}/2/data", {"error": {"message": "x"}}), drop(f"{_EVENTS}/3"))],
)
def event_after_error_unexpected(view: View) -> Iterator[Hit]:
    """A chunk with an `error` must end the stream: only `[DONE]` may follow.

    The official SDK raises at the error and does not read further.
    """
    yield from hits(view, Fault.EVENT_AFTER_ERROR_UNEXPECTED)


@rule(
    "chat-chunk-identity-changed",
    scope="stream",
    basis="schema",
    cites=[f"OAC-S-003 {_SCHEMA}"],
    conforming=[example(_CALL)],
    violating=[
        example(_ANSWER, put(f"{_EVENTS}/2/data/id", "chatcmpl-other")),
        example(_ANSWER, put(f"{_EVENTS}/4/data/model", "gpt-4o")),
    ],
)
def chunk_identity_changed(view: View) -> Iterator[Hit]:
    """All chunks of a stream must have the same id, created and model.

    Logs and proxies group chunks by id: a changed id splits one reply into several.
    """
    yield from hits(view, Fault.CHUNK_IDENTITY_CHANGED)


@rule(
    "chat-role-missing",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["OAC-S-004 recorded traffic 218/218"],
    conforming=[example(_CALL)],
    violating=[
        example(_ANSWER, drop(f"{_EVENTS}/0"), at="0 response event/0/choices/0"),
        example(_ANSWER, swap(f"{_EVENTS}/0", f"{_EVENTS}/1"), at="0 response event/0/choices/0"),
        example(
            _ANSWER,
            put(f"{_EVENTS}/2/data", {"error": {"message": "overloaded"}}),
            *[drop(f"{_EVENTS}/3")] * 3,
            drop(f"{_EVENTS}/0"),
            at="0 response event/0/choices/0",
        ),
    ],
)
def role_missing(view: View) -> Iterator[Hit]:
    """The first delta of a choice must have the role, even if an error ends the stream later.

    Without it, the accumulated message has no role, and the server refuses it in the next request.
    """
    yield from hits(view, Fault.ROLE_MISSING)


@rule(
    "chat-role-repeated",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["OAC-S-004 recorded traffic 218/218"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, put(f"{_EVENTS}/1/data/choices/0/delta/role", "assistant"))],
)
def role_repeated(view: View) -> Iterator[Hit]:
    """Only one delta of a choice may have the role.

    Clients concatenate the strings of the deltas: the role becomes `assistantassistant`.
    """
    yield from hits(view, Fault.ROLE_REPEATED)


@rule(
    "chat-finish-missing",
    scope="stream",
    basis="schema",
    cites=["OAC-S-006 recorded traffic 218/218"],
    bugs=["vllm-project/vllm#27572", "vllm-mlx#673"],
    conforming=[example(_CALL)],
    violating=[
        example(_CALL, put(f"{_EVENTS}/7/data/choices/0/finish_reason", None), at="0 response event/7/choices/0"),
        example(_ANSWER, drop(f"{_EVENTS}/3"), at="0 response event/2/choices/0"),
    ],
)
def finish_missing(view: View) -> Iterator[Hit]:
    """Every choice of a stream must end with a `finish_reason`.

    Without it, a client cannot tell whether the calls are complete, and often does not run them.
    """
    yield from hits(view, Fault.FINISH_MISSING)


@rule(
    "chat-finish-repeated",
    scope="stream",
    basis="observed",
    cites=["OAC-S-006 recorded traffic 218/218"],
    conforming=[example(_CALL)],
    violating=[
        example(_ANSWER, insert(f"{_EVENTS}/4", _delta({}, "stop")), at="0 response event/4/choices/0/finish_reason"),
        example(_ANSWER, insert(f"{_EVENTS}/4", _delta({}, "length")), at="0 response event/4/choices/0/finish_reason"),
    ],
)
def finish_repeated(view: View) -> Iterator[Hit]:
    """A choice of a stream must have only one `finish_reason`.

    A client that runs tools at the finish runs them twice.
    """
    yield from hits(view, Fault.FINISH_REPEATED)


@rule(
    "chat-delta-after-finish-unexpected",
    scope="stream",
    basis="observed",
    cites=["OAC-S-006 recorded traffic 218/218"],
    conforming=[example(_CALL)],
    violating=[
        example(_ANSWER, insert(f"{_EVENTS}/4", _delta({"content": "!"})), at="0 response event/4/choices/0/delta")
    ],
)
def delta_after_finish_unexpected(view: View) -> Iterator[Hit]:
    """A choice must have no content after its `finish_reason`.

    Clients that act at the finish act on an incomplete reply.
    """
    yield from hits(view, Fault.DELTA_AFTER_FINISH_UNEXPECTED)


@rule(
    "chat-finish-delta-unexpected",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["OAC-S-007 recorded traffic 218/218"],
    bugs=["sgl-project/sglang#32167"],
    violating=[
        example(
            _CALL,
            drop(f"{_EVENTS}/7"),
            put(f"{_EVENTS}/6/data/choices/0/finish_reason", "tool_calls"),
            at="0 response event/6/choices/0/delta",
        )
    ],
)
def finish_delta_unexpected(view: View) -> Iterator[Hit]:
    """The chunk with the `finish_reason` should have an empty delta.

    Clients that read the finish first lose the last piece of the text or the arguments.
    """
    yield from hits(view, Fault.FINISH_DELTA_UNEXPECTED)


@rule(
    "chat-usage-missing",
    severity=Severity.WARNING,
    scope="stream",
    basis="documented",
    cites=[f"OAC-S-013 {_OPTIONS}"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, drop(f"{_EVENTS}/4"), at="0 response")],
)
def usage_missing(view: View) -> Iterator[Hit]:
    """A stream must have usage if the request asks for it.

    Without it, cost accounting counts the request as free.
    """
    yield from hits(view, Fault.USAGE_MISSING)


@rule(
    "chat-usage-misplaced",
    scope="stream",
    basis="documented",
    cites=[f"OAC-S-013 {_OPTIONS}"],
    conforming=[example(_CALL)],
    violating=[
        example(_ANSWER, drop(f"{_EVENTS}/4"), put(f"{_EVENTS}/3/data/usage", _USAGE)),
        example(_ANSWER, insert(f"{_EVENTS}/4", _chunk(usage=_USAGE)), at="0 response event/5/usage"),
        example(
            _ANSWER, drop(f"{_EVENTS}/4"), insert(f"{_EVENTS}/0", _chunk(usage=_USAGE)), at="0 response event/0/usage"
        ),
    ],
)
def usage_misplaced(view: View) -> Iterator[Hit]:
    """Usage must be sent once, in a last chunk with `choices: []`, if the request asks for it.

    Clients that wait for that chunk miss usage elsewhere; clients that add chunks up count a repeated one twice.
    """
    yield from hits(view, Fault.USAGE_MISPLACED)


@rule(
    "chat-usage-key-missing",
    severity=Severity.WARNING,
    scope="stream",
    basis="documented",
    cites=[f"OAC-S-013 {_OPTIONS}"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, drop(f"{_EVENTS}/2/data/usage"))],
)
def usage_key_missing(view: View) -> Iterator[Hit]:
    """If the request asks for usage, every chunk should have the key: null in all but the last.

    Typed clients may fail without the documented key.
    """
    yield from hits(view, Fault.USAGE_KEY_MISSING)


@rule(
    "chat-chunk-choices-empty",
    severity=Severity.WARNING,
    scope="stream",
    basis="documented",
    cites=[f"OAC-S-013 {_OPTIONS}"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, drop(f"{_EVENTS}/1/data/choices/0"), at="0 response event/1/choices")],
)
def chunk_choices_empty(view: View) -> Iterator[Hit]:
    """Only the chunk with the usage may have no choices.

    Clients read `choices[0]` of every other chunk, and fail where there is none.
    """
    yield from hits(view, Fault.CHUNK_CHOICES_EMPTY)


@rule(
    "chat-usage-unexpected",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["OAC-S-014 recorded traffic 102/104"],
    bugs=["ATOM#1711", "apfel#100", "Portkey#1629"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, drop("/0/request/body/stream_options"), at="0 response event/4/usage")],
)
def usage_unexpected(view: View) -> Iterator[Hit]:
    """A stream must not have usage if the request does not ask for it.

    Such a client does not expect a chunk without choices, and fails at `choices[0]`.
    """
    yield from hits(view, Fault.USAGE_UNEXPECTED)
