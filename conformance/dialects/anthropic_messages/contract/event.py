"""An event of a Messages stream, field by field."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.anthropic_messages.contract.reply import *
from conformance.model.finding import Severity

_STARTED = cite("ANT-S-003", rule="messages-stream-start-content-unexpected")
_FROM_CODE = filled("caller.tool_id")
# A message that goes on in code without the model comes whole: nothing is generated.
_WHOLE = obj(
    COMMON,
    content=need(
        array(cases((_FROM_CODE, BLOCK), otherwise=Foreign("a call from code", "a block", _STARTED)), 1), empty=_STARTED
    ),
    stop_reason=need(word("tool_use")),
    stop_sequence=need(null, missing=FIELD, type=_STARTED),
)
_MESSAGE = obj(
    COMMON,
    content=need(array(anything, 0, 0), missing=FIELD, type=FIELD, count=_STARTED),
    stop_reason=need(null, missing=FIELD, type=_STARTED),
    stop_sequence=need(null, missing=FIELD, type=_STARTED),
)
_FILLED = cite("ANT-S-006", rule="messages-block-start-content-unexpected")
_BEGUN = (
    need(text(0, 0), length=_FILLED),
    need(text(0, 0), length=_FILLED),
    may(text(0, 0), length=_FILLED),  # older streams leave the signature to its delta
)
_STARTS = blocks(*_BEGUN, need(mapping(most=0), missing=_FILLED, type=_FILLED, count=_FILLED))
_WRITTEN = blocks(*_BEGUN, need(mapping()))
_CALLS = {
    kind: cases((_FROM_CODE, _WRITTEN[kind]), otherwise=_STARTS[kind]) for kind in ("tool_use", "server_tool_use")
}
_START = by_known({**_STARTS, **_CALLS}, TAG)
_DELTA = cite("ANT-S-005")
_NEW_DELTA = cite("ANT-S-005", Severity.WARNING, because="Anthropic adds types of deltas without a new version")
_ROWS = {"missing": _DELTA, "type": _DELTA}
_STREAMED = cite(breaks="anthropic 2 raises in `stream()`")
DELTA = by_known(
    {"missing": _DELTA, "type": _DELTA, "value": _NEW_DELTA},
    text_delta=obj(_ROWS, text=need(text(), missing=_STREAMED)),
    input_json_delta=obj(_ROWS, partial_json=need(text(), missing=_STREAMED)),
    thinking_delta=obj(_ROWS, thinking=need(text()), estimated_tokens=may(integer(0) | null)),
    signature_delta=obj(_ROWS, signature=need(text())),
    citations_delta=obj(_ROWS, citation=need(CITATION)),
    compaction_delta=obj(_ROWS, content=may(text() | null), encrypted_content=may(text() | null)),
)
_END = obj(
    container=CONTAINER,
    stop_details=STOP_DETAILS,
    stop_reason=need(word(*STOPS) | null, missing=FIELD, type=STOP, value=NEW_STOP),
    stop_sequence=need(text() | null, missing=FIELD, type=FIELD),
)
END = cases(
    (is_("stop_reason", *FOREIGN_STOPS), obj(_END, stop_reason=need(word(*STOPS), value=STOP))),
    otherwise=_END,
)
_INDEX = need(integer(0), missing=_STREAMED)
_UNNAMED = cite("ANT-S-001")
_NEW = cite("ANT-S-012", rule="messages-event-unknown")
_FAILED = cite("ANY-011")
EVENT = by_known(
    {"missing": _UNNAMED, "type": _UNNAMED, "value": _NEW},
    message_start=obj(
        message=need(
            cases((is_("stop_reason", "tool_use"), _WHOLE), otherwise=_MESSAGE), missing=_STARTED, type=_STARTED
        )
    ),
    content_block_start=obj(index=need(integer(0)), content_block=need(_START, missing=_STREAMED)),
    content_block_delta=obj(index=_INDEX, delta=need(DELTA, missing=_STREAMED)),
    content_block_stop=obj(index=_INDEX),
    message_delta=obj(
        delta=need(END, missing=_STREAMED),
        usage=need(DELTA_USAGE, missing=_STREAMED),
        context_management=CONTEXT_MANAGEMENT,
        input_transformations=TRANSFORMED,
    ),
    message_stop=obj(),
    ping=obj(),
    error=obj(_FAILED, error=need(ERROR), request_id=may(text() | null)),
)
