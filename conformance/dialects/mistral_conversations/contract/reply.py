"""A response, an event of a stream and an error, field by field."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.mistral_conversations.contract.content import *
from conformance.model.finding import Severity

_MESSAGE, _CALL, _RUN = cite("MIC-R-002"), cite("MIC-R-003"), cite("MIC-R-004")
_OUTPUTS = {
    kind: node
    for kind, node in entries(_MESSAGE, _CALL, _RUN).items()
    if kind not in ("message.input", "function.result")
}
_USAGE = obj(
    cite("MIC-R-005"),
    prompt_tokens=should(COUNT),
    completion_tokens=should(COUNT),
    total_tokens=should(COUNT),
    connector_tokens=may(COUNT | null),
    connectors=may(mapping() | null),
)
_GROWS = "the list grows, and the official SDK keeps what it does not know"
REPLY = obj(
    object=may(word("conversation.response")),
    conversation_id=need(text(1)),
    outputs=need(
        array(by_known(_OUTPUTS, cite("MIC-R-002", Severity.WARNING, because=_GROWS)), 1),
        empty=cite("MIC-R-002", Severity.WARNING, because="no document has the least number of outputs"),
    ),
    usage=need(_USAGE, cite("MIC-R-005")),
    guardrails=may(array(mapping()) | null),
)

_STARTED, _PIECE, _FAILED = cite("MIC-S-002"), cite("MIC-S-003"), cite("MIC-S-004")
_MADE = {"created_at": may(text())}
_AT = {**_MADE, "output_index": may(COUNT)}
_OF = {"id": need(text(1))}
_TOOL = {"name": need(NAMED)}
_CONTENT = text() | by_known(chunks(_PIECE, output=True), _PIECE)
EVENT = by_known(
    "type",
    {
        "conversation.response.started": obj(_STARTED, _MADE, conversation_id=need(text(1))),
        "message.output.delta": obj(
            _PIECE,
            _AT,
            _OF,
            MADE_BY,
            content_index=may(COUNT),
            role=may(word("assistant")),
            content=need(_CONTENT),
        ),
        "function.call.delta": obj(
            _PIECE,
            _AT,
            _OF,
            MADE_BY,
            name=need(text(1)),
            tool_call_id=need(text(1)),
            arguments=need(text()),
            confirmation_status=CONFIRMED,
        ),
        "tool.execution.started": obj(_RUN, _AT, _OF, MADE_BY, _TOOL, arguments=need(text())),
        "tool.execution.delta": obj(_RUN, _AT, _OF, _TOOL, arguments=need(text())),
        "tool.execution.done": obj(_RUN, _AT, _OF, _TOOL, info=may(mapping())),
        "agent.handoff.started": obj(
            _RUN, _AT, _OF, previous_agent_id=need(text(1)), previous_agent_name=need(text(1))
        ),
        "agent.handoff.done": obj(_RUN, _AT, _OF, next_agent_id=need(text(1)), next_agent_name=need(text(1))),
        "conversation.response.done": obj(_STARTED, _MADE, usage=need(_USAGE, cite("MIC-R-005"))),
        "conversation.response.error": obj(_FAILED, _MADE, message=need(text()), code=need(integer())),
    },
    cite("MIC-S-001", Severity.WARNING, because=_GROWS),
)
# A refused key and an invalid body have a `detail`; anything else has an object with a `message`.
FAILURE = obj(
    some_of("message", "detail", cite=cite("MIC-R-006", rule="conversations-error-malformed")),
    object=may(known("error")),
    message=may(text(1) | mapping() | array(mapping())),
    type=may(text(1)),
    param=may(text() | null),
    code=may(text(1) | integer() | null),
    raw_status_code=may(integer()),
    detail=may(text(1) | array(obj(loc=should(array(text() | integer())), msg=should(text()), type=should(text())), 1)),
)
