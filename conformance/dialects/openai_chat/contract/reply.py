"""A Chat reply and the body of a failure, field by field."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.contract.situation import when
from conformance.dialects.openai_chat.contract.places import ELSEWHERE, OFFICIAL
from conformance.model.finding import Severity

COMPLETE = when(complete=True)
STOPS = ("stop", "length", "tool_calls", "content_filter", "function_call")
_COUNT = integer(0)
_NULLABLE = cite(
    "OAC-R-004",
    Severity.INFO,
    because="70 and 41 recorded replies of OpenAI lack the keys, as does an example of the specification",
    rule="chat-nullable-field-missing",
)

_COUNTED = first(
    need(
        _COUNT,
        missing=cite(severity=Severity.WARNING, because="only OpenAI's document demands all counts"),
        only=ELSEWHERE,
    ),
    need(_COUNT),
)

# Parts that chunks have too ---------------------------------------------------------------------------------------
_PROMPT_TOKENS_DETAILS = obj(
    audio_tokens=may(_COUNT),
    cached_tokens=may(_COUNT),
    text_tokens=may(_COUNT),
    image_tokens=may(_COUNT),
    cache_write_tokens=may(_COUNT),
)
_COMPLETION_TOKENS_DETAILS = obj(
    accepted_prediction_tokens=may(_COUNT),
    audio_tokens=may(_COUNT),
    reasoning_tokens=may(_COUNT),
    text_tokens=may(_COUNT),
    rejected_prediction_tokens=may(_COUNT),
)
USAGE = obj(
    prompt_tokens=_COUNTED,
    completion_tokens=_COUNTED,
    total_tokens=_COUNTED,
    prompt_tokens_details=may(_PROMPT_TOKENS_DETAILS | null),
    completion_tokens_details=may(_COMPLETION_TOKENS_DETAILS | null),
)
_TOKEN = obj(
    token=need(text()),
    logprob=need(number(None, 0.001), range=cite("OAC-R-033")),
    bytes=should(array(integer(0, 255)) | null),
)
_TOKENS = array(obj(_TOKEN, top_logprobs=should(array(_TOKEN))))
LOGPROBS = (
    obj(content=should(_TOKENS | null), refusal=first(should(_TOKENS | null, only=OFFICIAL), may(_TOKENS | null)))
    | null
)
SERVICE_TIER = may(known("auto", "default", "flex", "scale", "priority", "fast") | null)
_VERDICT_RESULT = obj(
    type=need(word("moderation_result")),
    model=need(text()),
    flagged=need(boolean),
    categories=need(mapping(boolean)),
    category_scores=need(mapping(number())),
    category_applied_input_types=need(mapping(array(known("text", "image")))),
)
_VERDICT = by_known(
    moderation_results=obj(model=need(text()), results=need(array(_VERDICT_RESULT))),
    error=obj(code=need(text()), message=need(text())),
)
MODERATION = may(obj(input=need(_VERDICT), output=need(_VERDICT)) | null)

# The reply --------------------------------------------------------------------------------------------------------
CALL = by(
    {"value": cite("OAC-R-009", rule="chat-reply-field-wrong-type")},
    function=obj(
        id=need(text(1), cite("OAC-R-009")),
        function=need(obj(name=need(text()), arguments=need(text())), cite("OAC-R-009")),
    ),
    custom=obj(
        id=need(text(1), cite("OAC-R-009")),
        custom=need(obj(name=need(text()), input=need(text())), cite("OAC-R-009")),
    ),
)
_NO_CALLS = cite("OAC-R-008", rule="chat-tool-calls-empty")
_NULL_CALLS = cite(
    "OAC-R-008",
    Severity.WARNING,
    because="the statement is about null as well: clients go through the list without a look at it",
    rule="chat-tool-calls-empty",
)
_CITATION = obj(url=need(text()), title=need(text()), start_index=need(_COUNT), end_index=need(_COUNT))
MESSAGE = obj(
    role=need(
        word("assistant"),
        value=cite("OAC-R-003", rule="chat-message-role-wrong"),
        missing=cite(breaks="langchain-openai 1 raises"),
    ),
    content=need(text() | null, cite("OAC-R-003")),
    refusal=first(should(text() | null, only=COMPLETE, missing=_NULLABLE), may(text() | null)),
    tool_calls=may(array(CALL, 1), empty=_NO_CALLS, null=_NULL_CALLS),
    annotations=may(array(by_known(url_citation=obj(url_citation=need(_CITATION)))) | null),
    # Some servers send empty strings for missing values, 8 recorded.
    function_call=may(obj(name=need(text()), arguments=need(text())) | null),
    audio=may(
        # One server writes every field of its type, 8 recorded with an empty id.
        obj(id=need(text()), expires_at=need(integer(0)), data=need(text()), transcript=need(text())) | null,
    ),
)
_CHOICE = obj(
    index=need(_COUNT),
    message=need(MESSAGE),
    finish_reason=need(word(*STOPS), value=cite("OAC-R-005", rule="chat-finish-reason-unknown")),
    logprobs=first(should(LOGPROBS, only=COMPLETE, missing=_NULLABLE), may(LOGPROBS)),
)
CHOICE = cases(
    # Azure leaves the message out of a choice that its content filter stopped (WIRE 15).
    (is_("finish_reason", "content_filter"), obj(_CHOICE, message=may(MESSAGE))),
    otherwise=_CHOICE,
)
COMPLETION = obj(
    {"empty": cite(rule="chat-reply-field-wrong-type")},
    id=need(text(1)),
    object=need(word("chat.completion"), value=cite("OAC-R-001", rule="chat-object-wrong")),
    created=need(integer(1, 10**11), range=cite("ANY-007")),
    model=need(text(1)),
    choices=need(array(CHOICE, 1), empty=cite("OAC-R-001", rule="chat-choices-empty")),
    usage=may(USAGE),
    service_tier=SERVICE_TIER,
    system_fingerprint=may(text() | null),
    metadata=may(mapping(text()) | null),
    moderation=MODERATION,
)

# The failure ------------------------------------------------------------------------------------------------------
_MISALIGNMENT = obj(
    detailed_explanation=may(text() | null),
    error_type=may(text() | null),
    review_target=may(text() | null),
    steer=may(obj(message=need(text())) | null),
)
_BY_STATUS = "the official SDK raises the error by its status, whatever its form"
_LOOSE = cite(severity=Severity.WARNING, because=_BY_STATUS)
_OF_MESSAGES = cite(
    severity=Severity.WARNING,
    because=_BY_STATUS,
    fix="leave out `type` beside `error`: it is the form of Messages",
)
ERROR = obj(
    message=need(text()),
    type=first(need(text(), only=OFFICIAL), need(text() | null, missing=_LOOSE)),
    param=first(need(text() | null, only=OFFICIAL), may(text() | null)),
    code=first(need(text() | null, only=OFFICIAL), may(text() | integer() | null)),
    misalignment=may(_MISALIGNMENT),
)
ERROR_BODY = obj(
    cite("OAC-R-017", rule="chat-error-malformed"),
    excludes("type", "error", cite=_OF_MESSAGES),  # none of 545 recorded errors has both
    error=first(need(ERROR, missing=_LOOSE, only=ELSEWHERE), need(ERROR)),
)
STREAM_ERROR = obj(
    cite(
        "OAC-S-015",
        Severity.WARNING,
        because="the official SDK raises the error whatever its form",
        rule="chat-stream-error-malformed",
    ),
    error=need(ERROR),
)
