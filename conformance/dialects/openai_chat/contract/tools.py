"""Tools and tool choice of a Chat request."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.openai_chat.contract.places import ELSEWHERE

_NESTED = cite("OAC-Q-003", rule="chat-tool-fields-misplaced", refused=400)
_NAMED = cite("OAC-Q-004", rule="chat-tool-name-invalid", refused=400)
_PARAMETERS = cite("OAC-Q-005", rule="chat-tool-parameters-wrong-type", refused=400)
_NAME = need(text(pattern="[a-zA-Z0-9_-]{1,64}"), _NAMED, missing=_NESTED, type=_NESTED)
_INNER = {"missing": _NESTED, "type": _NESTED}

PARAMETERS = obj(
    _PARAMETERS,
    needs("properties", "type"),
    type=may(word("object"), null=_PARAMETERS),
    properties=may(mapping(), null=_PARAMETERS),
)
"""The root of a tool's schema; the rules about schemas cover what is below it."""
FUNCTION = obj(name=_NAME, description=may(text()), parameters=may(PARAMETERS, _PARAMETERS))
_GRAMMAR = obj(definition=need(text(1)), syntax=need(word("lark", "regex")))
_FUNCTION = obj(
    FUNCTION,
    needs(is_("strict", True), "parameters", cite=refusal("OAC-Q-022")),
    strict=may(boolean),
)
_CUSTOM = obj(
    name=_NAME,
    description=may(text()),
    format=may(by(text=obj(closed), grammar=obj(closed, grammar=need(_GRAMMAR)))),
)
_KINDS = {
    "function": obj(function=need(_FUNCTION, _INNER)),
    "custom": obj(custom=need(_CUSTOM, _INNER)),
}
_BOUNDS = {
    "empty": cite("OAC-Q-007", rule="chat-tools-empty"),
    "count": refusal("OAC-Q-006", rule="chat-tools-too-many"),
}
_TAG = dict.fromkeys(("missing", "type", "value"), _NESTED)
TOOLS = may(array(by(_KINDS, _TAG), 1, 128), _BOUNDS)
TOOLS_ELSEWHERE = may(array(by_known(_KINDS, _TAG), 1, 128), _BOUNDS, only=ELSEWHERE)
"""Other providers have tool types of their own."""

_FUNCTION_CHOICE = obj(function=need(obj(name=need(text(1)))))
_CUSTOM_CHOICE = obj(custom=need(obj(name=need(text(1)))))
_UNKNOWN = cite("OAC-Q-010", rule="chat-tool-choice-unknown", refused=400)
_ALLOWED_TOOLS = obj(
    mode=need(word("auto", "required")),
    tools=need(array(by(function=_FUNCTION_CHOICE, custom=_CUSTOM_CHOICE), 1)),
)
TOOL_CHOICE = word("none", "auto", "required") | by(
    _UNKNOWN,
    function=_FUNCTION_CHOICE,
    custom=_CUSTOM_CHOICE,
    allowed_tools=obj(allowed_tools=need(_ALLOWED_TOOLS)),
)
