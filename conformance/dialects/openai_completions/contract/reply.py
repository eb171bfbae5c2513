"""A completion, a chunk of a stream, and the body of a failure, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Field
from conformance.contract.notation import *
from conformance.dialects.openai_completions.contract.places import OFFICIAL
from conformance.model.finding import Severity

STOPS = ("stop", "length", "content_filter")
_COUNT = integer(0)
_COUNTED = may(_COUNT | null)
_OBJECT = need(word("text_completion"), value=cite("OAT-R-002", rule="completions-object-wrong"))
_UNKNOWN = cite("OAT-R-004", rule="completions-finish-reason-unknown")

# Parts that chunks have too ---------------------------------------------------------------------------------------
_PROMPT_TOKENS_DETAILS = obj(
    audio_tokens=_COUNTED,
    cached_tokens=_COUNTED,
    text_tokens=_COUNTED,
    image_tokens=_COUNTED,
    cache_write_tokens=_COUNTED,
)
_COMPLETION_TOKENS_DETAILS = obj(
    accepted_prediction_tokens=_COUNTED,
    audio_tokens=_COUNTED,
    reasoning_tokens=_COUNTED,
    text_tokens=_COUNTED,
    rejected_prediction_tokens=_COUNTED,
)
USAGE = obj(
    prompt_tokens=need(_COUNT),
    completion_tokens=need(_COUNT),
    total_tokens=need(_COUNT),
    prompt_tokens_details=may(_PROMPT_TOKENS_DETAILS | null),
    completion_tokens_details=may(_COMPLETION_TOKENS_DETAILS | null),
)
LOGPROBS = obj(
    # The probability of the first token of an echoed prompt is null.
    text_offset=may(array(_COUNT) | null),
    token_logprobs=may(array(number() | null) | null),
    tokens=may(array(text()) | null),
    top_logprobs=may(array(mapping(number()) | null) | null),
)
_CHOICE = obj(
    index=need(_COUNT),
    text=need(text()),
    logprobs=should(
        LOGPROBS | null,
        missing=cite("OAT-R-001", Severity.INFO, because="compatible servers leave it out, and clients read null"),
    ),
    # vLLM's own.
    stop_reason=may(text() | integer() | null),
    token_ids=may(array(_COUNT) | null),
    prompt_token_ids=may(array(_COUNT) | null),
    prompt_logprobs=may(array(mapping(anything) | null) | null),
)
CHOICE = obj(_CHOICE, finish_reason=need(word(*STOPS), value=_UNKNOWN))
_HEAD = obj(
    id=need(text(1)),
    object=_OBJECT,
    created=need(integer(1, 10**11), range=cite("ANY-007")),
    model=need(text(1)),
    usage=may(USAGE | null),
    system_fingerprint=may(text() | null),
    service_tier=may(known("auto", "default", "flex", "scale", "priority") | null),
    # vLLM's and llama.cpp's own.
    kv_transfer_params=may(mapping() | null),
    timings=may(mapping() | null),
)
COMPLETION = obj(
    {"empty": cite(rule="completions-reply-field-wrong-type")},
    _HEAD,
    choices=need(array(CHOICE, 1), empty=cite("OAT-R-003", rule="completions-choices-empty")),
)

# The failure ------------------------------------------------------------------------------------------------------
_PARAM: Field = first(need(text() | null, only=OFFICIAL), may(text() | null))
_CODE: Field = first(need(text() | null, only=OFFICIAL), may(text() | integer() | null))
_MISALIGNMENT = obj(
    detailed_explanation=may(text() | null),
    error_type=may(text() | null),
    review_target=may(text() | null),
    steer=may(obj(message=need(text())) | null),
)
ERROR = obj(
    message=need(text()),
    type=need(text()),
    param=_PARAM,
    code=_CODE,
    misalignment=may(_MISALIGNMENT | null),
)
ERROR_BODY = obj(cite("OAT-R-006", rule="completions-error-malformed"), error=need(ERROR))

# The stream -------------------------------------------------------------------------------------------------------
_MALFORMED = cite("OAT-S-004", rule="completions-chunk-malformed")
_CHUNK = obj(
    _MALFORMED,
    _HEAD,
    choices=need(array(obj(_CHOICE, finish_reason=need(word(*STOPS) | null, value=_UNKNOWN)))),
    obfuscation=may(text()),
)
_STREAM_ERROR = cite(
    "OAT-S-005",
    Severity.WARNING,
    because="the official SDK raises the error whatever its form",
    rule="completions-stream-error-malformed",
)
EVENT = cases(
    ("error", obj(_STREAM_ERROR, error=need(ERROR))),
    otherwise=_CHUNK,
    itself=_MALFORMED,
)
