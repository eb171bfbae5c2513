"""A request that starts, continues or restarts a conversation, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Field, Node
from conformance.contract.notation import *
from conformance.contract.situation import When
from conformance.dialects.mistral_conversations.contract.content import *

_STARTS = when(path=r"/conversations/?$")
_APPENDS = when(path=r"/conversations/[^/]+/?$")
_RESTARTS = when(path=r"/conversations/[^/]+/restart/?$")
_CONTINUES = when(path=r"/conversations/[^/]+(/restart)?/?$")
_ENTRY, _RESULT = cite("MIC-Q-003"), cite("MIC-Q-004")
_TOOL, _ARGS, _OPTION = cite("MIC-Q-005"), cite("MIC-Q-006"), cite("MIC-Q-007")
_ELSEWHERE = cite("MIC-Q-008", rule="conversations-field-misplaced", refused=422)
_FOREIGN = cite("MIC-Q-009", refused=422)
_CONFIGURED = {
    "tool_configuration": may(
        obj(_TOOL, {each: may(array(text(1))) for each in ("include", "exclude", "requires_confirmation")})
    )
}
_TOOLS = by(
    "type",
    {
        "function": obj(
            _TOOL,
            function=need(
                obj(
                    _TOOL,
                    name=need(text(1)),
                    description=may(text()),
                    parameters=need(mapping()),
                    strict=may(boolean),
                )
            ),
        ),
        "web_search": obj(_TOOL, _CONFIGURED),
        "web_search_premium": obj(_TOOL, _CONFIGURED),
        "code_interpreter": obj(_TOOL, _CONFIGURED),
        "image_generation": obj(_TOOL, _CONFIGURED),
        "document_library": obj(_TOOL, _CONFIGURED, library_ids=need(array(text(1), 1))),
        "connector": obj(
            _TOOL,
            _CONFIGURED,
            connector_id=need(text(1)),
            authorization=may(
                by_known(
                    "type",
                    {"api-key": obj(_TOOL, value=need(text(1))), "oauth2-token": obj(_TOOL, value=need(text(1)))},
                )
            ),
        ),
    },
    _TOOL,
)
_SCHEMA = obj(_ARGS, name=need(text(1)), description=may(text() | null), schema=need(mapping()), strict=may(boolean))
_FORMAT = by(
    "type",
    {
        "text": obj(json_schema=may(_SCHEMA | null)),
        "json_object": obj(json_schema=may(_SCHEMA | null)),
        "json_schema": obj(_ARGS, json_schema=need(_SCHEMA)),
    },
    _ARGS,
    absent="text",
)
_COMPLETION = obj(
    _ARGS,
    stop=may(text(1) | array(text(1))),
    presence_penalty=may(number()),
    frequency_penalty=may(number()),
    temperature=may(number(0)),
    top_p=may(number(0, 1)),
    max_tokens=may(COUNT),
    random_seed=may(COUNT),
    prediction=may(obj(_ARGS, type=may(word("content")), content=may(text()))),
    response_format=may(_FORMAT),
    tool_choice=may(known("auto", "none", "any", "required")),
    reasoning_effort=may(known("none", "minimal", "low", "medium", "high", "xhigh", "max")),
)
_JUDGED = may(
    obj(
        _OPTION,
        model_name=may(text(1)),
        custom_category_thresholds=may(mapping()),
        ignore_other_categories=may(boolean),
        action=may(known("none", "block")),
    )
)
_GUARDRAIL = obj(_OPTION, block_on_error=may(boolean), moderation_llm_v1=_JUDGED, moderation_llm_v2=_JUDGED)
_CONFIRMED = obj(cite("MIC-Q-010"), tool_call_id=need(text(1)), confirmation=need(word("allow", "deny")))
_ENTRIES = by(entries(_ENTRY, _RESULT, _ENTRY), _ENTRY, absent="message.input")


_BEGUN, _ADDED = "the request that starts the conversation", "a request that continues the conversation"


def _part(node: Node, *only: When, instead: str = _BEGUN, least: bool = False) -> Field:
    """A field that only some of the three requests have; another one with it is refused."""
    rows = [need(node, _OPTION, only=where) if least else may(node, _OPTION, only=where) for where in only]
    return first(*rows, may(Foreign(instead), _ELSEWHERE))


REQUEST = obj(
    foreign(
        _FOREIGN,
        messages="`inputs`",
        input="`inputs`",
        items="`inputs`",
        temperature="`completion_args.temperature`",
        top_p="`completion_args.top_p`",
        max_tokens="`completion_args.max_tokens`",
        stop="`completion_args.stop`",
        random_seed="`completion_args.random_seed`",
        tool_choice="`completion_args.tool_choice`",
        response_format="`completion_args.response_format`",
        conversation_id="the id in the path",
        previous_response_id="the id in the path",
        parallel_tool_calls="no such field: parallel calls cannot be turned off",
        system_prompt="`instructions`",
    ),
    some_of("model", "agent_id", cite=cite("MIC-Q-002", refused=422), only=_STARTS),
    excludes("model", "agent_id", cite=cite("MIC-Q-002"), only=_STARTS),
    some_of("inputs", "tool_confirmations", cite=cite("MIC-Q-002"), only=_APPENDS),
    needs("agent_version", "agent_id", cite=cite("MIC-Q-002"), only=_STARTS),
    inputs=first(
        # The SDK sends an empty array beside confirmations.
        may(text(1) | array(_ENTRIES), cite("MIC-Q-003"), only=_CONTINUES),
        need(text(1) | array(_ENTRIES, 1), cite("MIC-Q-003")),
    ),
    stream=may(boolean, _OPTION),
    store=may(boolean, _OPTION),
    handoff_execution=may(word("client", "server"), _OPTION),
    completion_args=may(_COMPLETION, _ARGS),
    model=_part(text(1), _STARTS),
    agent_id=_part(text(1), _STARTS),
    instructions=_part(text(), _STARTS),
    tools=_part(array(_TOOLS), _STARTS),
    name=_part(text(), _STARTS),
    description=_part(text(), _STARTS),
    agent_version=_part(text(1) | COUNT, _STARTS, _RESTARTS),
    guardrails=_part(array(_GUARDRAIL), _STARTS, _RESTARTS),
    metadata=_part(mapping(), _STARTS, _RESTARTS),
    tool_confirmations=_part(array(_CONFIRMED), _APPENDS, instead=_ADDED),
    from_entry_id=_part(text(1), _RESTARTS, instead="a request to `/restart`", least=True),
)
