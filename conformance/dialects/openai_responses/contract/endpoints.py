"""The endpoints beside creating a response: what is kept of it, its tokens, compaction, conversations, files, batches.

From the types of OpenAI's SDK (openai 2.54: `types/responses`, `types/conversations`, `types/file_object.py`,
`types/batch.py`, `types/model.py`).
"""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract import CHUNK, REPLY, REQUEST
from conformance.dialects.openai_responses.contract.chunk import STEERING
from conformance.dialects.openai_responses.contract.items import ITEM
from conformance.dialects.openai_responses.contract.parts import ASKED
from conformance.dialects.openai_responses.contract.places import OPENAI
from conformance.dialects.openai_responses.contract.reply import USAGE
from conformance.dialects.openai_responses.contract.request import FIELDS, HISTORIES
from conformance.dialects.openai_responses.contract.stores import CONTRACTS as STORES
from conformance.dialects.openai_responses.contract.stores import list_of

_METADATA = mapping(text(0, 512), text(0, 64), 16)
_KEPT = obj(type=need(text(1)))
"""An item as the server keeps it: those of the input and of the output, with ids."""


_LIST = REPLY.beside(
    obj(
        object=need(word("list")),
        data=need(array(_KEPT)),
        first_id=need(text(1) | null),
        last_id=need(text(1) | null),
        has_more=need(boolean),
    ),
)
_CONVERSATION = REPLY.beside(
    obj(
        id=need(text(1)),
        object=need(word("conversation")),
        created_at=need(integer(0)),
        metadata=need(_METADATA | null),
    ),
)
_DELETED = REPLY.beside(
    obj(id=need(text(1)), object=need(known("response", "response.deleted")), deleted=need(boolean))
)
_CONVERSATION_DELETED = REPLY.beside(
    obj(id=need(text(1)), object=need(word("conversation.deleted")), deleted=need(boolean))
)
_COUNTED = only(
    FIELDS,
    *("input", "model", "instructions", "previous_response_id", "conversation", "truncation"),
    *("reasoning", "text", "tools", "tool_choice", "parallel_tool_calls"),
)
_COMPACTED = only(
    FIELDS,
    *("input", "model", "instructions", "previous_response_id", "service_tier", "image"),
    *("prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"),
)
_ADDED = array(ITEM, 0, 20)
"""Items that a request adds to a conversation (`item_create_params.py`, `conversation_create_params.py`: up to 20)."""
_STEER = obj(
    cite("OAR-Q-030"),
    closed_at(OPENAI),
    type=need(word("response.steer")),
    previous_response_id=need(text(1)),
    input=need(
        text() | array(obj(type=may(word("message")), role=need(word("user")), content=need(text() | ASKED)), 1)
    ),
)
_COUNT = integer(0)
_TIME = may(integer(0) | null)
_FILE = obj(
    id=need(text(1)),
    object=need(word("file")),
    bytes=need(_COUNT | null),
    created_at=need(_COUNT),
    filename=need(text()),
    purpose=need(text(1)),
    status=may(known("uploaded", "pending", "running", "processed", "error", "deleting", "deleted")),
    expires_at=_TIME,
    status_details=may(text() | null),
)
_RUNNING = ("validating", "in_progress", "finalizing", "cancelling")
_BATCH = obj(
    id=need(text(1)),
    object=need(word("batch")),
    endpoint=need(text()),
    input_file_id=need(text(1)),
    completion_window=need(text(1)),
    status=need(known(*_RUNNING, "completed", "failed", "expired", "cancelled")),
    created_at=need(_COUNT),
    in_progress_at=_TIME,
    expires_at=_TIME,
    finalizing_at=_TIME,
    completed_at=_TIME,
    failed_at=_TIME,
    expired_at=_TIME,
    cancelling_at=_TIME,
    cancelled_at=_TIME,
    output_file_id=may(text() | null),
    error_file_id=may(text() | null),
    errors=may(obj(data=may(array(obj()) | null)) | null),
    request_counts=may(obj(total=need(_COUNT), completed=need(_COUNT), failed=need(_COUNT)) | null),
    metadata=may(_METADATA | null),
)
_MODEL = obj(id=need(text(1)), object=need(word("model")), created=may(_COUNT), owned_by=may(text()))
_ENDS = obj(anchor=need(word("created_at")), seconds=need(integer(3600, 2592000)))
_BATCHED = obj(
    input_file_id=need(text(1)),
    endpoint=need(text(1)),
    completion_window=need(word("24h")),
    metadata=may(_METADATA | null),
    output_expires_after=may(_ENDS),
)


_FILE_DELETED = REPLY.beside(obj(id=need(text(1)), object=need(word("file")), deleted=need(boolean)))
CONTRACTS = {
    "steering": (REQUEST.beside(_STEER), None, CHUNK.beside(STEERING)),
    "response retrieved": (None, REPLY, CHUNK),
    "response canceled": (None, REPLY),
    "response deleted": (None, _DELETED),
    "input items": (None, _LIST),
    "input tokens": (
        REQUEST.beside(obj(HISTORIES, _COUNTED, personality=may(text(1)))),
        REPLY.beside(obj(object=need(word("response.input_tokens")), input_tokens=need(integer(0)))),
    ),
    "compaction": (
        REQUEST.beside(_COMPACTED),
        REPLY.beside(
            obj(
                id=need(text(1)),
                object=need(word("response.compaction")),
                created_at=need(integer(0)),
                output=need(array(_KEPT)),
                usage=need(USAGE),
            ),
        ),
    ),
    "conversation created": (
        REQUEST.beside(obj(metadata=may(_METADATA | null), items=may(_ADDED | null))),
        _CONVERSATION,
    ),
    "conversation changed": (REQUEST.beside(obj(metadata=need(_METADATA | null))), _CONVERSATION),
    "conversation retrieved": (None, _CONVERSATION),
    "conversation deleted": (None, _CONVERSATION_DELETED),
    "conversation items added": (REQUEST.beside(obj(items=need(_ADDED))), _LIST),
    "conversation items": (None, _LIST),
    "conversation item": (None, REPLY.beside(_KEPT)),
    "conversation item deleted": (None, _CONVERSATION),
    "files": (None, list_of(_FILE)),
    "file uploaded": (None, REPLY.beside(_FILE)),
    "file": (None, REPLY.beside(_FILE)),
    "file deleted": (None, _FILE_DELETED),
    "file content": (None, None),
    "batches": (None, list_of(_BATCH)),
    "batch created": (REQUEST.beside(_BATCHED), REPLY.beside(_BATCH)),
    "batch": (None, REPLY.beside(_BATCH)),
    "batch canceled": (None, REPLY.beside(_BATCH)),
    "models": (None, list_of(_MODEL)),
    "model": (None, REPLY.beside(_MODEL)),
    **STORES,
}
"""By the names in `Dialect.endpoints`: the contracts of the request, if it has a body, of the reply, and of events."""
