"""The endpoints beside creating a completion: what is stored of it.

From the types of OpenAI's SDK (openai 2.54: `types/chat/completion_update_params.py`, `chat_completion_deleted.py`,
`chat_completion_store_message.py`).
"""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.openai_chat.contract import REPLY, REQUEST
from conformance.dialects.openai_chat.contract.reply import COMPLETION

_METADATA = mapping(text(0, 512), text(0, 64), 16)
_PAGE = obj(
    object=need(word("list")),
    first_id=may(text() | null),
    last_id=may(text() | null),
    has_more=need(boolean),
)
_MESSAGE = obj(id=need(text()), role=need(text()), content=should(text() | null))
CONTRACTS = {
    "completions": (None, REPLY.beside(obj(_PAGE, data=need(array(COMPLETION))))),
    "completion retrieved": (None, REPLY),
    "completion changed": (REQUEST.beside(obj(metadata=need(_METADATA | null))), REPLY),
    "completion deleted": (
        None,
        REPLY.beside(obj(id=need(text()), object=need(word("chat.completion.deleted")), deleted=need(boolean))),
    ),
    "completion messages": (None, REPLY.beside(obj(_PAGE, data=need(array(_MESSAGE))))),
}
"""By the names in `Dialect.endpoints`: the contracts of the request, if it has a body, and of the reply."""
