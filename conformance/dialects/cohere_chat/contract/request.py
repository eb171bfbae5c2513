"""A request, field by field."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.cohere_chat.contract.content import *

_FOREIGN = cite("COH-Q-002", rule="cohere-field-ignored")
_FORMAT = cite("COH-Q-010")
_JSON = is_("response_format.type", "json_object")
_DATA = mapping() | text(1)
"""The pages have an object, or its JSON text; the types only the object."""
_DOCUMENT = obj(cite("COH-Q-008"), data=need(_DATA), id=may(text(1)))
_PICTURE = obj(cite("COH-Q-004"), image_url=need(obj(url=need(text(1)), detail=may(word("auto", "low", "high")))))
_BLOCKS = cite("COH-Q-004")
_MESSAGE = by(
    "role",
    cite("COH-Q-003"),
    system=obj(content=need(text() | array(by({"value": _BLOCKS}, text=TEXT), 1))),
    user=obj(content=need(text() | array(by({"value": _BLOCKS}, text=TEXT, image_url=_PICTURE), 1))),
    assistant=obj(
        some_of(filled("content"), filled("tool_calls"), cite=cite("COH-Q-005")),
        content=may(text() | array(by(SAID, {"value": _BLOCKS}))),
        tool_plan=may(text()),
        tool_calls=may(array(call("COH-Q-005"))),
        citations=may(array(CITATION)),
    ),
    tool=obj(
        cite("COH-Q-006"),
        tool_call_id=need(text(1), cite(refused=400)),
        content=need(text() | array(by(text=TEXT, document=obj(document=need(_DOCUMENT))))),
    ),
)
_TOOL = obj(
    cite("COH-Q-007"),
    type=need(word("function")),
    function=need(obj(name=need(text(1)), description=may(text()), parameters=need(mapping()))),
)
_PENALTY = may(number(0, 1))
_RESPONSE_FORMAT = by(
    text=obj(json_schema=may(Foreign("the type `json_object`"))),
    json_object=obj(json_schema=may(mapping()), schema=may(mapping())),
)
REQUEST = obj(
    foreign(
        _FOREIGN,
        message="`messages`",
        chat_history="`messages`",
        preamble="a message with the role `system`",
        conversation_id="`messages`",
        tool_results="messages with the role `tool`",
        connectors="tools",
        search_queries_only="tools",
        prompt_truncation="shorter messages",
        force_single_step="nothing",
        citation_quality="`citation_options`",
        max_completion_tokens="`max_tokens`",
        top_p="`p`",
        top_k="`k`",
        stop="`stop_sequences`",
        parallel_tool_calls="nothing",
        reasoning_effort="`thinking`",
        n="several requests",
    ),
    needs(
        is_("tool_choice", "REQUIRED"),
        filled("tools"),
        cite=cite("COH-Q-009", rule="cohere-tool-choice-orphaned", refused=400),
    ),
    needs("strict_tools", filled("tools"), cite=cite("COH-Q-012")),
    excludes(_JSON, filled("tools"), cite=_FORMAT),
    excludes(_JSON, filled("documents"), cite=_FORMAT),
    excludes("safety_mode", filled("tools"), cite=cite("COH-Q-011")),
    excludes("safety_mode", filled("documents"), cite=cite("COH-Q-011")),
    excludes(over("frequency_penalty", 0), over("presence_penalty", 0), cite=cite("COH-Q-015")),
    model=need(text(1), cite(refused=400)),
    messages=need(array(_MESSAGE, 1), cite(refused=400)),
    tools=may(array(_TOOL)),
    tool_choice=may(word("REQUIRED", "NONE"), cite("COH-Q-009")),
    strict_tools=may(boolean, cite("COH-Q-012")),
    documents=may(array(text(1) | _DOCUMENT), cite("COH-Q-008")),
    citation_options=may(obj(mode=may(known("ENABLED", "DISABLED", "FAST", "ACCURATE", "OFF"))), cite("COH-Q-013")),
    response_format=may(_RESPONSE_FORMAT, _FORMAT),
    safety_mode=first(
        may(word("CONTEXTUAL", "STRICT"), cite("COH-Q-011"), only=when(model="^command-(r7b|a)-")),
        may(known("CONTEXTUAL", "STRICT", "OFF"), cite("COH-Q-011")),
    ),
    stream=may(boolean),
    max_tokens=may(integer(0)),
    stop_sequences=may(array(text(1), 0, 5)),
    temperature=may(number(0, 1)),
    seed=may(integer(0, 2**64 - 1)),
    frequency_penalty=_PENALTY,
    presence_penalty=_PENALTY,
    k=may(integer(0, 500)),
    p=may(number(0.01, 0.99)),
    logprobs=may(boolean),
    thinking=may(obj(type=need(word("enabled", "disabled")), token_budget=may(integer(1))), cite("COH-Q-014")),
    priority=may(integer(0, 999)),
)
