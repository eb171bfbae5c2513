"""A reply, an event of a stream and the body of a failure, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Node, Object
from conformance.contract.notation import *
from conformance.dialects.cohere_chat.contract.content import *
from conformance.dialects.cohere_chat.message import STOPS

_COUNT = may(number(0))
_USAGE = obj(
    billed_units=may(obj(input_tokens=_COUNT, output_tokens=_COUNT, search_units=_COUNT, classifications=_COUNT)),
    tokens=may(obj(input_tokens=_COUNT, output_tokens=_COUNT, image_tokens=_COUNT, reasoning_tokens=_COUNT)),
    cached_tokens=_COUNT,
)
_COUNTED = {"usage": should(_USAGE, cite("COH-R-004"))}
_LOGPROB = obj(
    text=may(text()), token_ids=need(array(integer(0))), logprobs=may(array(number(None, 0)), range=cite("COH-R-005"))
)
_STOP = {"finish_reason": need(known(*STOPS), cite("COH-R-003"), value=cite(rule="cohere-finish-reason-unknown"))}
_ROLE = {"role": need(word("assistant"), cite("COH-R-002"))}
_CITATIONS = cite("COH-R-007")
_REPLY_MESSAGE = obj(
    _ROLE,
    content=may(array(by_known(SAID, cite("COH-R-002")), 1)),
    tool_plan=may(text()),
    tool_calls=may(array(call("COH-R-008"), 1)),
    citations=may(array(CITATION), _CITATIONS),
)
REPLY = obj(
    _STOP,
    _COUNTED,
    id=need(text(1)),
    message=need(_REPLY_MESSAGE),
    logprobs=may(array(_LOGPROB), cite("COH-R-005")),
)
FAILURE = obj(cite("COH-R-006", rule="cohere-error-malformed"), message=need(text(1)), id=may(text()))

# Streams ----------------------------------------------------------------------------------------------------------

_INDEX = {"index": need(integer(0), cite("COH-S-004"))}
_PIECE = cite("COH-S-005")


def _adds(name: str, value: Node) -> Object:
    """An event that adds to one member of the message."""
    return obj(delta=need(obj(message=need(obj({name: need(value)})))))


_PIECE_TYPES = {"text": may(text()), "thinking": may(text())}
_PIECES = obj(one_of("text", "thinking", cite=_PIECE), _PIECE_TYPES)
_BEGUN = obj(_PIECE_TYPES, type=need(known(*SAID)))
_MORE = obj(function=need(obj(arguments=need(text()))))
_STARTED = obj(
    _ROLE,
    {
        "content": may(array(anything)),
        "tool_plan": may(text()),
        "tool_calls": may(array(anything)),
        "citations": may(array(anything)),
    },
)
EVENT = by_known(
    {
        "message-start": obj(id=need(text(1)), delta=need(obj(message=need(_STARTED)))),
        "content-start": obj(_INDEX, _adds("content", _BEGUN)),
        "content-delta": obj(_INDEX, _adds("content", _PIECES), logprobs=may(_LOGPROB, cite("COH-R-005"))),
        "content-end": obj(_INDEX),
        "tool-plan-delta": _adds("tool_plan", text()),
        "tool-call-start": obj(_INDEX, _adds("tool_calls", call("COH-R-008"))),
        "tool-call-delta": obj(_INDEX, _adds("tool_calls", _MORE)),
        "tool-call-end": obj(_INDEX),
        "citation-start": obj(_INDEX, _adds("citations", CITATION)),
        "citation-end": obj(_INDEX),
        "message-end": obj(
            id=may(text()), delta=need(obj(_STOP, _COUNTED, error=may(text(1)), error_type=may(text(1))))
        ),
        "debug": obj(prompt=may(text())),
    },
)
