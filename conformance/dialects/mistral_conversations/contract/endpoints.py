"""The endpoints beside running a conversation: what the server keeps of it. From the types of mistralai 3.7."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.mistral_conversations.contract import REPLY
from conformance.dialects.mistral_conversations.contract.content import entries

_MESSAGE, _CALL, _RUN = cite("MIC-R-002"), cite("MIC-R-003"), cite("MIC-R-004")
_ENTRIES = entries(_MESSAGE, _CALL, _RUN)
_NULLABLE = may(text() | null)
_CONVERSATION = obj(
    one_of("model", "agent_id"),
    id=need(text(1)),
    object=may(word("conversation")),
    created_at=need(text()),
    updated_at=need(text()),
    model=may(text(1)),
    agent_id=may(text(1)),
    agent_version=may(text() | integer() | null),
    instructions=_NULLABLE,
    tools=may(array(mapping())),
    completion_args=may(mapping()),
    guardrails=may(array(mapping()) | null),
    name=_NULLABLE,
    description=_NULLABLE,
    metadata=may(mapping() | null),
)
CONTRACTS = {
    "conversations": (None, REPLY.beside(array(_CONVERSATION))),
    "conversation retrieved": (None, REPLY.beside(_CONVERSATION)),
    "conversation deleted": (None, None),
    "conversation history": (
        None,
        REPLY.beside(
            obj(
                object=may(word("conversation.history")),
                conversation_id=need(text(1)),
                entries=need(array(by_known(_ENTRIES, _MESSAGE))),
            )
        ),
    ),
    "conversation messages": (
        None,
        REPLY.beside(
            obj(
                object=may(word("conversation.messages")),
                conversation_id=need(text(1)),
                messages=need(
                    array(by({kind: _ENTRIES[kind] for kind in ("message.input", "message.output")}, _MESSAGE))
                ),
            )
        ),
    ),
}
"""By the names in `Dialect.endpoints`: the contracts of the request, if it has a body, and of the reply."""
