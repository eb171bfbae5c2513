"""The contract of tiny-chat."""

from __future__ import annotations

from conformance.contract import Contract
from conformance.contract.notation import anything, array, boolean, by, cite, mapping, may, need, obj, text, word

_CALL = obj(id=need(text(1)), name=need(text(1)), arguments=need(mapping()))
_MESSAGE = by(
    "role",
    {
        "system": obj(text=need(text())),
        "user": obj(text=need(text())),
        "assistant": obj(text=may(text()), calls=may(array(_CALL, 1))),
        "tool": obj(id=need(text(1)), result=need(anything)),
    },
)
_TOOL = obj(name=need(text(1)), description=may(text()), parameters=may(mapping()))

REQUEST = Contract(
    "tiny",
    "request",
    obj(
        cite("TNY-Q-001"),
        model=need(text(1)),
        messages=need(array(_MESSAGE, 1)),
        tools=may(array(_TOOL)),
        stream=may(boolean),
    ),
    "request",
    "TNY-Q-001",
)
REPLY = Contract(
    "tiny",
    "reply",
    obj(
        cite("TNY-R-001"),
        text=need(text()),
        calls=may(array(_CALL, 1)),
        stop=need(word("end", "calls", "length")),
    ),
    "reply",
    "TNY-R-001",
)
