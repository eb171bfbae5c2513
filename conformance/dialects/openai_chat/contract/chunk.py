"""A chunk of a Chat stream, field by field, or the error that stands in its place."""

from __future__ import annotations

from conformance.dialects.openai_chat.contract.reply import (
    LOGPROBS,
    MODERATION,
    SERVICE_TIER,
    STOPS,
    STREAM_ERROR,
    USAGE,
)
from conformance.finding import Severity
from conformance.judge.contract.notation import (
    array,
    integer,
    is_,
    keyed,
    may,
    need,
    needs,
    null,
    obj,
    some_of,
    tell,
    text,
    word,
)

_MISSING = "chat-chunk-field-missing"
_NO_INDEX = tell("OAC-S-008", rule="chat-tool-call-index-missing")

FRAGMENT = obj(
    index=need(integer(0), missing=_NO_INDEX, type=_NO_INDEX),
    id=may(text() | null),
    type=may(word("function", "custom") | null),
    function=may(obj(name=may(text() | null), arguments=may(text() | null)) | null),
    custom=may(obj(name=may(text() | null), input=may(text() | null)) | null),
)
DELTA = obj(
    role=may(word("assistant") | null, value=tell("OAC-S-004", rule="chat-role-not-assistant")),
    content=may(text() | null),
    refusal=may(text() | null),
    tool_calls=may(
        array(FRAGMENT, 1) | null, empty=tell("OAC-R-008", Severity.WARNING, rule="chat-delta-tool-calls-empty")
    ),
    function_call=may(obj(name=may(text() | null), arguments=may(text() | null)) | null),
    audio=may(
        obj(
            id=may(text() | null),
            data=may(text() | null),
            transcript=may(text() | null),
            expires_at=may(integer(0) | null),
        )
        | null
    ),
)
CHOICE = obj(
    # Azure's filter sends its verdict in a choice without a delta, 1 recorded.
    some_of("delta", "content_filter_results", "content_filter_offsets", told=tell("OAC-S-005", rule=_MISSING)),
    index=need(integer(0)),
    delta=may(DELTA),
    finish_reason=need(
        word(*STOPS) | null, tell("OAC-S-005"), value=tell("OAC-R-005", rule="chat-finish-reason-unknown")
    ),
    logprobs=may(LOGPROBS),
)
CHUNK = obj(
    # Azure's and Copilot's first chunk has the filter's verdict and no name of its own (WIRE 15, 16.1).
    some_of("object", is_("choices", []), told=tell("OAC-S-003", rule=_MISSING)),
    needs(is_("object", ""), is_("choices", []), told=tell("OAC-S-003", rule="chat-chunk-object-wrong")),
    id=need(text()),
    object=may(
        word("chat.completion.chunk", ""), value=tell("OAC-S-003", rule="chat-chunk-object-wrong")
    ),
    created=need(integer(0, 10**11), range=tell("ANY-007", Severity.WARNING)),
    model=need(text()),
    choices=need(array(CHOICE)),
    usage=may(USAGE | null),
    service_tier=SERVICE_TIER,
    system_fingerprint=may(text() | null),
    obfuscation=may(text()),
    moderation=MODERATION,
)
EVENT = keyed(CHUNK, error=STREAM_ERROR)
