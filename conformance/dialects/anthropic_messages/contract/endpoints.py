"""The endpoints beside Messages: tokens, batches of requests, models, files. From the types of Anthropic's SDK."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.anthropic_messages.contract import CHUNK, REPLY, REQUEST
from conformance.dialects.anthropic_messages.contract.reply import FAILURE, MESSAGE
from conformance.dialects.anthropic_messages.contract.request import FIELDS
from conformance.dialects.anthropic_messages.contract.request import REQUEST as _WHOLE

_COUNTED = only(
    FIELDS,
    *("messages", "model", "system", "thinking", "tool_choice", "tools", "cache_control", "output_config"),
    *("speed", "billing_policy", "context_management", "mcp_servers", "output_format"),
)
_TIME = text(1)
_NUMBER = need(integer(0))
_BATCH = obj(
    id=need(text(1)),
    type=need(word("message_batch")),
    processing_status=need(word("in_progress", "canceling", "ended")),
    request_counts=need(obj(canceled=_NUMBER, errored=_NUMBER, expired=_NUMBER, processing=_NUMBER, succeeded=_NUMBER)),
    created_at=need(_TIME),
    expires_at=need(_TIME),
    ended_at=need(_TIME | null),
    archived_at=need(_TIME | null),
    cancel_initiated_at=need(_TIME | null),
    results_url=need(text(1) | null),
)
_CUSTOM_ID = text(1, 64, "[a-zA-Z0-9_-]+")
_BATCHED = obj(closed, requests=need(array(obj(custom_id=need(_CUSTOM_ID), params=need(_WHOLE)), 1, 100_000)))


_RESULT = by(succeeded=obj(message=need(MESSAGE)), errored=obj(error=need(FAILURE)), canceled=obj(), expired=obj())
_BATCH_REPLY = REPLY.beside(_BATCH)
_MODEL = obj(
    id=need(text(1)),
    type=need(word("model")),
    display_name=need(text()),
    created_at=need(_TIME),
    lifecycle=may(known("active", "deprecated", "retired")),
    max_input_tokens=may(integer(0) | null),
    max_tokens=may(integer(0) | null),
)
_FILE = obj(
    id=need(text(1)),
    type=need(word("file")),
    created_at=need(_TIME),
    filename=need(text()),
    mime_type=need(text(1)),
    size_bytes=need(integer(0)),
    downloadable=may(boolean | null),
    expires_at=may(_TIME | null),
)
_PAGE = obj(next_page=may(text(1) | null), has_more=may(boolean))
"""Pages have a cursor each, or, before, the first and the last id."""
_ENDS = {each: may(text(1) | null) for each in ("first_id", "last_id")}
CONTRACTS = {
    "count_tokens": (
        REQUEST.beside(_COUNTED),
        REPLY.beside(
            obj(
                input_tokens=need(integer(0)),
                context_management=may(obj(original_input_tokens=need(integer(0))) | null),
            ),
        ),
    ),
    "batch created": (REQUEST.beside(_BATCHED), _BATCH_REPLY),
    "batches": (
        None,
        REPLY.beside(obj(_PAGE, data=need(array(_BATCH)), **_ENDS)),
    ),
    "batch deleted": (None, REPLY.beside(obj(id=need(text(1)), type=need(word("message_batch_deleted"))))),
    "batch canceled": (None, _BATCH_REPLY),
    "batch retrieved": (None, _BATCH_REPLY),
    "batch results": (None, None, CHUNK.beside(obj(custom_id=need(_CUSTOM_ID), result=need(_RESULT)))),
    "models": (None, REPLY.beside(obj(_PAGE, data=need(array(_MODEL))))),
    "model": (None, REPLY.beside(_MODEL)),
    "files": (None, REPLY.beside(obj(_PAGE, data=need(array(_FILE))))),
    "file uploaded": (None, REPLY.beside(_FILE)),
    "file": (None, REPLY.beside(_FILE)),
    "file deleted": (None, REPLY.beside(obj(id=need(text(1)), type=may(word("file_deleted"))))),
    "file content": (None, None),
}
"""By the names in `Dialect.endpoints`: the contracts of the request, if it has a body, of the reply, and of lines."""
