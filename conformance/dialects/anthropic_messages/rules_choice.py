"""How free the model of a Messages request is to call and to think, docs/contract/anthropic-messages.md, ANT-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.shape import extra, misshapen
from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL = "anthropic-messages/call"
_CHOICE = "/0/request/body/tool_choice"
_THINKING_TYPES = ("enabled", "disabled", "adaptive", "between_tools")
_LEAST_BUDGET = 1024
_CHOICES = {
    "auto": {"disable_parallel_tool_use": "?boolean|null"},
    "any": {"disable_parallel_tool_use": "?boolean|null"},
    "tool": {"name": "string+", "disable_parallel_tool_use": "?boolean|null"},
    "none": {},
}


@rule(
    "messages-tool-choice-invalid",
    scope="request",
    basis="sdk-type",
    cites=[
        "ANT-Q-008 anthropic 2.11 types/tool_choice_param.py",
        "ANT-Q-010 anthropic 2.11 types/tool_choice_any_param.py",
        "LCB-Q-003 requests of langchain-anthropic 1.7.7",
    ],
    conforming=[
        example("anthropic-messages/required"),
        example("anthropic-messages/named-serial"),
        example("anthropic-messages/none"),
    ],
    violating=[
        example(_CALL, put(_CHOICE, "auto")),
        example(_CALL, put(_CHOICE, {"type": "required"}), at="0 request /tool_choice/type"),
        example(_CALL, put(_CHOICE, {"type": "tool"})),
        example(_CALL, put(_CHOICE, {"type": "tool", "name": "get_time"}), at="0 request /tool_choice/name"),
        example(
            _CALL,
            put(_CHOICE, {"type": "auto", "disable_parallel_tool_use": "true"}),
            at="0 request /tool_choice/disable_parallel_tool_use",
        ),
    ],
)
def tool_choice_invalid(view: View) -> Iterator[Hit]:
    """A tool choice must be an object of type auto, any, tool or none; type tool must name a declared tool.

    The server refuses the bare words and the nested objects of other dialects.
    """
    choice = view.request.get("tool_choice") if isinstance(view.request, dict) else None
    if choice is None:
        return
    at = "/tool_choice"
    if not isinstance(choice, dict):
        yield Hit(at, "the tool choice is not an object", "an object with a type", brief(choice))
        return
    wire = choice.get("type")
    shape = _CHOICES.get(wire) if isinstance(wire, str) else None
    if shape is None:
        where = join(at, "type") if "type" in choice else at
        yield Hit(where, "the tool choice has an unknown type", "auto, any, tool or none", brief(wire))
        return
    yield from misshapen(choice, shape, at)
    for key in extra(choice, frozenset({"type", *shape})):
        known = ", ".join(("type", *shape))
        yield Hit(
            join(at, key), f"a tool choice of type {wire} has no member {key}", known, key, severity=Severity.WARNING
        )
    tools, name = view.ask.tools, choice.get("name")
    declared = [tool.name for tool in tools or ()]
    if wire == "tool" and tools is not None and isinstance(name, str) and name and name not in declared:
        yield Hit(join(at, "name"), f"the tool choice names {name}, which is not declared", f"one of {declared}", name)
    if view.complete and not tools and wire != "none":
        yield Hit(at, "a tool choice without tools", "tools", "no tools", severity=Severity.WARNING)


@rule(
    "messages-tool-choice-conflicting",
    scope="request",
    basis="observed",
    cites=["ANT-Q-009 langchain-ai/langchain#35544", "ANT-Q-009 can1357/oh-my-pi#341"],
    bugs=["langchain-ai/langchain#35544"],
    conforming=[
        example("anthropic-messages/required", put("/0/request/body/thinking", {"type": "disabled"})),
        example("anthropic-messages/thinking-run", put(_CHOICE, {"type": "auto"})),
    ],
    violating=[
        example("anthropic-messages/thinking-run", put(_CHOICE, {"type": "any"}), at="0 request /tool_choice/type")
    ],
)
def tool_choice_conflicting(view: View) -> Iterator[Hit]:
    """A request with thinking enabled must not force a tool call.

    The server returns 400. Structured output with a forced tool fails once thinking is turned on.
    """
    thinking = view.request.get("thinking") if isinstance(view.request, dict) else None
    choice = view.ask.choice
    enabled = isinstance(thinking, dict) and thinking.get("type") == "enabled"
    if enabled and choice is not None and choice.mode in ("required", "named"):
        yield Hit(
            "/tool_choice/type", "the tool choice forces a call while thinking is enabled", "auto or none", choice.mode
        )


@rule(
    "messages-thinking-option-invalid",
    scope="request",
    basis="sdk-type",
    cites=["ANT-Q-001 anthropic 2.11 types/thinking_config_enabled_param.py"],
    conforming=[
        example("anthropic-messages/thinking-run"),
        example(_CALL, put("/0/request/body/thinking", {"type": "adaptive"})),
    ],
    violating=[
        example(_CALL, put("/0/request/body/thinking", {"type": "enabled"})),
        example(_CALL, put("/0/request/body/thinking", {"budget_tokens": 1024})),
        example("anthropic-messages/thinking-run", put("/0/request/body/thinking/budget_tokens", 512)),
    ],
)
def thinking_option_invalid(view: View) -> Iterator[Hit]:
    """Thinking must have a type, and, if enabled, a budget of at least 1024 tokens.

    The server refuses the request, or the model does not think although the caller asked for it.
    """
    thinking = view.request.get("thinking") if isinstance(view.request, dict) else None
    if not isinstance(thinking, dict):
        return
    at = "/thinking"
    enabled = thinking.get("type") == "enabled"
    yield from misshapen(thinking, {"type": "string+", **({"budget_tokens": "integer"} if enabled else {})}, at)
    wire, budget = thinking.get("type"), thinking.get("budget_tokens")
    if isinstance(wire, str) and wire and wire not in _THINKING_TYPES:
        known = ", ".join(_THINKING_TYPES)
        yield Hit(join(at, "type"), f"{wire} is not a known type of thinking", known, wire, severity=Severity.WARNING)
    if enabled and isinstance(budget, int) and not isinstance(budget, bool) and budget < _LEAST_BUDGET:
        yield Hit(join(at, "budget_tokens"), "budget_tokens is too small", f"at least {_LEAST_BUDGET}", brief(budget))
