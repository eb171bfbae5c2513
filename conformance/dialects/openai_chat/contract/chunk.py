"""A chunk of a Chat stream, field by field, or the error in its place."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.openai_chat.contract.reply import *
from conformance.model.finding import Severity

_NO_INDEX = cite("OAC-S-008", rule="chat-tool-call-index-missing")
_STRICT = "openai-python 3 raises in `stream()`"

FRAGMENT = obj(
    index=need(
        integer(0),
        missing=cite("OAC-S-008", rule="chat-tool-call-index-missing", breaks=_STRICT),
        type=_NO_INDEX,
        range=_NO_INDEX,
    ),
    id=may(text() | null),
    type=may(word("function", "custom") | null),
    function=may(obj(name=may(text() | null), arguments=may(text() | null)) | null),
    custom=may(obj(name=may(text() | null), input=may(text() | null)) | null),
)
_ROLE = cite(
    "OAC-S-004",
    Severity.ERROR,
    because="the SDK's type is a literal; a role that is missing or repeated is a warning",
    rule="chat-role-wrong",
)
_AUDIO = obj(
    id=may(text() | null),
    data=may(text() | null),
    transcript=may(text() | null),
    expires_at=may(integer(0) | null),
)
DELTA = obj(
    role=may(word("assistant") | null, value=_ROLE),
    content=may(text() | null),
    refusal=may(text() | null),
    tool_calls=may(array(FRAGMENT, 1) | null, empty=cite("OAC-R-008", rule="chat-delta-tool-calls-empty")),
    function_call=may(obj(name=may(text() | null), arguments=may(text() | null)) | null),
    audio=may(_AUDIO | null),
)
_CHOICE = obj(
    index=need(integer(0), missing=cite(breaks=_STRICT)),
    delta=need(DELTA, cite("OAC-S-005"), missing=cite(breaks=_STRICT)),
    finish_reason=need(
        word(*STOPS) | null, cite("OAC-S-005"), value=cite("OAC-R-005", rule="chat-finish-reason-unknown")
    ),
    logprobs=may(LOGPROBS),
)
CHOICE = cases(
    # Azure sends its content filter's result in a choice without a delta, 1 recorded.
    ("content_filter_results", obj(_CHOICE, delta=may(DELTA))),
    ("content_filter_offsets", obj(_CHOICE, delta=may(DELTA))),
    ("delta.audio.expires_at", obj(_CHOICE, finish_reason=may(word(*STOPS) | null))),
    otherwise=_CHOICE,
)
_OBJECT_WRONG = cite("OAC-S-003", rule="chat-chunk-object-wrong")
CHUNK = obj(
    id=need(text()),
    object=need(word("chat.completion.chunk"), cite("OAC-S-003"), value=_OBJECT_WRONG, missing=cite(breaks=_STRICT)),
    created=need(integer(1, 10**11), range=cite("ANY-007")),
    model=need(text()),
    choices=need(array(CHOICE)),
    usage=may(USAGE | null),
    service_tier=SERVICE_TIER,
    system_fingerprint=may(text() | null),
    obfuscation=may(text()),
    moderation=MODERATION,
)
EVENT = cases(
    ("error", STREAM_ERROR),
    (
        bare("amazon-bedrock-invocationMetrics"),
        obj({"amazon-bedrock-invocationMetrics": may(mapping())}),
    ),  # the last one
    # The first chunk of Azure and Copilot has the content filter's result, and no id, object or model (WIRE 15, 16.1).
    (
        "prompt_filter_results",
        obj(
            CHUNK,
            object=may(word("chat.completion.chunk", ""), value=_OBJECT_WRONG),
            id=may(text()),
            model=may(text()),
            created=may(integer(0)),
        ),
    ),
    otherwise=CHUNK,
)
