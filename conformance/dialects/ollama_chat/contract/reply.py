"""A reply, a line of a stream, and the body of a failure, field by field."""

from __future__ import annotations

from conformance.contract.notation import *

_FUNCTION = obj(
    index=may(integer(0)),
    name=need(text(1)),
    arguments=need(mapping(), type=cite("OLC-R-003", rule="ollama-reply-arguments-wrong-type")),
)
_CALL = obj(cite("OLC-R-003"), id=may(text(1)), function=need(_FUNCTION))
_COUNT = may(integer(0), cite("OLC-R-005"))
_LOGPROB = obj(
    token=need(text()),
    logprob=need(number(None, 0), range=cite("OLC-R-022")),
    bytes=may(array(integer(0, 255)) | null),
)
_BODY_MESSAGE = obj(
    role=need(word("assistant"), value=cite("OLC-R-002", rule="ollama-reply-role-wrong")),
    content=need(text()),
    thinking=may(text()),
    images=may(array(text()) | null),
    tool_calls=may(array(_CALL, 1)),
    tool_name=may(text()),
)
_HEAD = obj(model=need(text(1)), created_at=need(text(1)))
_REST = obj(
    done=need(boolean),
    done_reason=may(
        known("stop", "length", "load", "unload"), cite("OLC-R-004"), value=cite(rule="ollama-done-reason-unknown")
    ),
    total_duration=_COUNT,
    load_duration=_COUNT,
    prompt_eval_count=_COUNT,
    prompt_eval_duration=_COUNT,
    eval_count=_COUNT,
    eval_duration=_COUNT,
    logprobs=may(array(obj(_LOGPROB, top_logprobs=may(array(_LOGPROB) | null))) | null, cite("OLC-R-006")),
    remote_model=may(text()),
    remote_host=may(text()),
    _debug_info=may(mapping()),
)
REPLY = obj(_HEAD, obj(message=need(_BODY_MESSAGE)), _REST)
GENERATED = obj(
    _HEAD,
    obj(response=need(text()), thinking=may(text()), context=may(array(integer(0))), image=may(text())),
    _REST,
    completed=may(integer(0)),
    total=may(integer(0)),
)
"""A completion of a prompt; the last two are the progress of an image."""
ERROR_BODY = obj(cite("OLC-R-007", rule="ollama-error-malformed"), error=need(text(1)), signin_url=may(text()))
FAILED_LINE = ("error", obj(cite("OLC-S-004", rule="ollama-stream-error-malformed"), error=need(text(1))))
LINE = cases(FAILED_LINE, otherwise=REPLY)
