"""The input of a Responses request: messages, calls and their outputs, reasoning, and items of hosted tools."""

from __future__ import annotations

from conformance.contract.citation import Citations
from conformance.contract.nodes import Field, Foreign, Node, Object
from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract import parts
from conformance.dialects.openai_responses.contract.formats import CHANGED_FORMAT
from conformance.dialects.openai_responses.contract.hosted import CALLER, items
from conformance.dialects.openai_responses.contract.parts import MALFORMED
from conformance.dialects.openai_responses.contract.places import ELSEWHERE, OPENAI, SENT
from conformance.model.finding import Severity

_TOO_LONG = cite("OAR-Q-008", rule="responses-call-id-too-long", refused=400)
CALL_ID = need(text(1, 64), MALFORMED, empty=_TOO_LONG, length=_TOO_LONG)
_ID = may(text(1))
_STATUS = may(word("in_progress", "completed", "incomplete"))
_NAMESPACE = may(text(1, 64, "[a-zA-Z0-9_-]+"))

# Messages ---------------------------------------------------------------------------------------------------------
_UNKNOWN_ROLE = cite("OAR-Q-006", rule="responses-message-role-unknown", refused=400)
_ROLE: Citations = {**MALFORMED, "value": _UNKNOWN_ROLE}
_SISTERS = foreign(
    refusal("OAR-Q-006"),
    only=OPENAI,
    tool_calls="items of type `function_call`",
    tool_call_id="an item of type `function_call_output`",
    function_call="an item of type `function_call`",
)
_MESSAGE_FIELDS = {"phase": may(word("commentary", "final_answer")), "id": _ID, "status": _STATUS}


def _content(node: Node) -> Field:
    return need(text() | node)


_USER = obj(MALFORMED, _MESSAGE_FIELDS, _SISTERS, content=_content(parts.ASKED))
MESSAGE = by(
    "role",
    _ROLE,
    dict.fromkeys(("user", "system", "developer"), _USER),
    assistant=obj(MALFORMED, _MESSAGE_FIELDS, _SISTERS, content=_content(parts.SENT_BACK)),
)

# Calls and outputs ------------------------------------------------------------------------------------------------
_OUTPUT = need(text(0, 10_485_760) | parts.ASKED)
_CALLED = {
    "id": _ID,
    "call_id": CALL_ID,
    "name": need(text(1)),
    "namespace": may(text(1)),
    "caller": may(CALLER),
    "status": _STATUS,
    "async": may(boolean),
    "parsed_arguments": first(may(Foreign("`arguments`"), refusal("OAR-Q-007"), only=OPENAI)),
}
_ANSWERED = {"id": _ID, "call_id": CALL_ID, "output": _OUTPUT, "caller": may(CALLER), "status": _STATUS}
_EFFORT = word("none", "minimal", "low", "medium", "high", "xhigh", "max")
OWN: dict[str, Node] = {
    "message": MESSAGE,
    "function_call": obj(_CALLED, arguments=need(text())),
    "custom_tool_call": obj(_CALLED, input=need(text())),
    # The newest document has a nullable `call_id`; without one an ordinary function's output is refused (OAR-Q-008).
    "function_call_output": obj(_ANSWERED, name=may(text(1, 128)), namespace=_NAMESPACE),
    "custom_tool_call_output": obj(_ANSWERED),
    "reasoning": obj(
        summary=need(parts.TEXTS),
        content=may(parts.REASONINGS),
        encrypted_content=may(text()),
        id=_ID,  # the document requires it; 58 without it were accepted
        status=_STATUS,
    ),
    "item_reference": obj(id=need(text(1))),
    "compaction_trigger": obj(id=may(text())),
    "configuration_update": obj(
        id=may(text()),
        reasoning=may(obj(closed_at(OPENAI), effort=may(_EFFORT))),
        text=may(obj(format=CHANGED_FORMAT)),
    ),
}
_TAG: Citations = {**MALFORMED, "value": cite("OAR-Q-006", refused=400)}
_TAG_ELSEWHERE: Citations = {
    **MALFORMED,
    "value": cite("OAR-Q-006", Severity.WARNING, because="other servers have items of their own"),
}
_KINDS: dict[str, Node] = {
    name: obj(MALFORMED, node) if isinstance(node, Object) else node for name, node in {**items(SENT), **OWN}.items()
}


def _item(kinds: Node) -> Node:
    # Without a type, it is a message, or a reference with only an id.
    others = ((name, kinds) for name in ("call_id", "status", "summary", "encrypted_content", "output"))
    return cases(("type", kinds), ("role", MESSAGE), *others, ("id", OWN["item_reference"]), otherwise=kinds)


_WRONG = cite("OAR-Q-006", rule="responses-request-field-wrong-type", refused=400)
ITEM = _item(by(_KINDS, _TAG))
INPUT = first(
    may(text() | array(_item(by_known(_KINDS, _TAG_ELSEWHERE))), {"type": _WRONG}, only=ELSEWHERE),
    may(text() | array(ITEM), {"type": _WRONG}),
)
