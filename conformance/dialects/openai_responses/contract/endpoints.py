"""The endpoints beside creating a response: what is kept of it, its tokens, compaction, conversations.

From the types of OpenAI's SDK (openai 2.54: `types/responses`, `types/conversations`).
"""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract import CHUNK, REPLY, REQUEST
from conformance.dialects.openai_responses.contract.chunk import STEERING
from conformance.dialects.openai_responses.contract.parts import ASKED
from conformance.dialects.openai_responses.contract.places import OPENAI
from conformance.dialects.openai_responses.contract.reply import USAGE
from conformance.dialects.openai_responses.contract.request import FIELDS, HISTORIES

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
_ADDED = array(_KEPT, 0, 20)
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
}
"""By the names in `Dialect.endpoints`: the contracts of the request, if it has a body, of the reply, and of events."""
