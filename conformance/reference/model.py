"""The reference model: the scripted turn that follows the client's request, within what the request allows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from conformance.model.jsontext import brief
from conformance.model.transcript import (
    Ask,
    Malformed,
    Part,
    Reasoning,
    Stop,
    Text,
    ToolCall,
    ToolDefinition,
    Turn,
    Unknown,
)
from conformance.model.values import get, list_of
from conformance.reference import results
from conformance.reference.names import is_name_of, plain
from conformance.reference.plausible import arguments_for
from conformance.reference.samples import known_values, sample, schema_of_reply
from conformance.reference.searching import enables_search
from conformance.scenario.model import Scenario, ScriptedCall, ScriptedTurn
from conformance.scenario.templates import placeholders

_TEXT, _LONGEST = "conformance", 200


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a request allows the model: the names under which it declares the scenario's tools, and its tool choice.

    `names` maps a tool of the scenario to its declared name; a tool that is not declared is missing. With `reads_tools`
    false, the request's tools cannot be read, so every tool counts as declared. With `own`, the client declares none of
    the scenario's tools, and its own are called in their place, with arguments that fit their schemas.
    """

    scenario: Scenario
    ask: Ask
    body: Any = None
    reads_tools: bool = True
    names: Mapping[str, str] = field(default_factory=dict)
    own: bool = False

    @classmethod
    def of(cls, scenario: Scenario, ask: Ask, body: Any, *, reads_tools: bool, named: bool = False) -> Allowed:
        """What a request allows; `named` is whether the client asks for the scenario by its name."""
        declared = [tool.name for tool in ask.tools or () if tool.name]
        names = {each.name: found for each in scenario.tools if (found := _declared(each.name, declared))}
        functions = [tool.name for tool in ask.tools or () if tool.name and tool.kind == "function"]
        own = named and not names and reads_tools and bool(functions)
        if own:
            names = {each.name: functions[at % len(functions)] for at, each in enumerate(scenario.tools)}
        return cls(scenario, ask, body, reads_tools, names, own)

    @property
    def scripted_names(self) -> Mapping[str, str]:
        """The scenario's names of the declared tools."""
        return {declared: scripted for scripted, declared in self.names.items()}

    def name_of(self, tool: str) -> str | None:
        """The name to call a tool by; None if the client did not declare it.

        A tool that the scenario itself does not have is meant to be unknown: it is called as it is.
        """
        if not self.reads_tools or self.scenario.tool(tool) is None:
            return tool
        return self.names.get(tool)

    @property
    def forced(self) -> tuple[str, ...] | None:
        """The tools one of which the request forces; None if it forces none."""
        choice = self.ask.choice
        if choice is None or choice.mode not in ("named", "required"):
            return None
        return choice.names or tuple(tool.name for tool in self.ask.tools or () if tool.name)


def _declared(name: str, declared: Sequence[str]) -> str | None:
    """The declared name of a tool: its own, in another spelling, or behind a prefix (`mcp__server__get_weather`)."""
    if name in declared:
        return name
    near = [each for each in declared if plain(each) == plain(name)]
    near = near or [each for each in declared if is_name_of(each, name)]
    return near[0] if len(near) == 1 else None


def turn_of(scripted: ScriptedTurn | None, allowed: Allowed, history: Sequence[Turn]) -> tuple[Turn, list[str]]:
    """The model's turn, its text filled with the tool results in the history; and what the client should know.

    `scripted` is None after the end of the script: the model answers in plain text then.
    """
    notes: list[str] = []
    if scripted is None:
        scripted = ScriptedTurn(text="There is nothing more to say in this scenario.")
    parts: list[Part] = [Reasoning(scripted.reasoning)] if scripted.reasoning else []
    text = ""
    if scripted.text and allowed.own:
        text = _told(scripted.text, history)
    elif scripted.text:
        text, unread = results.filled(scripted.text, history, allowed.scripted_names)
        notes += unread
    calls, refused = _calls(scripted, allowed)
    items, unknown = _native(scripted, allowed)
    parts += items
    refused += unknown
    notes += refused
    if refused and not (calls or items):
        text = " ".join([*([text] if text else []), *(f"{each[0].upper()}{each[1:]}." for each in refused)])
    if not calls and allowed.forced is not None and not scripted.cut_off:
        calls = _forced(allowed, text, history)
    elif not calls and text and allowed.ask.json_reply:
        text = _json_reply(allowed, text, history)
    if text:
        parts.append(Text(text))
    parts += calls
    search = scripted.search
    if search is not None and not enables_search(allowed.ask, allowed.body):
        notes.append("the scenario searches the web, but the request does not enable the provider's own search")
        search = None
    if scripted.cut_off:
        return Turn("assistant", tuple(parts), stop="length"), notes
    stop: Stop = "filter" if scripted.filtered else "tool-calls" if calls else "end"
    return Turn("assistant", tuple(parts), stop=stop, search=search), notes


def _native(scripted: ScriptedTurn, allowed: Allowed) -> tuple[list[Unknown], list[str]]:
    """The items of a turn, and why they are left out: the request does not declare what they need."""
    native = allowed.scenario.native
    if not scripted.native or native is None:
        return [], []
    wanted = {each["type"] for each in native.request.get("tools", ())}
    declared = {get(each, "type") for each in list_of(get(allowed.body, "tools"))}
    if wanted - declared:
        return [], [f"the request declares no tool of type {', '.join(sorted(wanted - declared))}"]
    return [Unknown(each["type"], dict(each)) for each in scripted.native], []


def _calls(scripted: ScriptedTurn, allowed: Allowed) -> tuple[list[ToolCall], list[str]]:
    """The calls of a turn that the request allows, and why the others are not made."""
    made: list[ToolCall] = []
    refused: list[str] = []
    choice, forced = allowed.ask.choice, allowed.forced
    for number, call in enumerate(scripted.calls):
        name = allowed.name_of(call.tool)
        if choice is not None and choice.mode == "none":
            refused.append(f"tool_choice forbids the call of {call.tool}")
        elif name is None:
            declared = ", ".join(tool.name for tool in allowed.ask.tools or () if tool.name) or "no tool"
            refused.append(f"the scenario calls {call.tool}, but the request declares {declared}")
        elif forced is not None and forced and name not in forced and allowed.scenario.tool(call.tool) is not None:
            refused.append(f"tool_choice forces {', '.join(forced)} in place of the scenario's {call.tool}")
        else:
            call = _of_own_tool(call, name, allowed, number)  # noqa: PLW2901 - the same call, of another tool
            made.append(_call(call, name, cut_off=scripted.cut_off and number == len(scripted.calls) - 1))
    return made, refused


def _of_own_tool(call: ScriptedCall, name: str, allowed: Allowed, number: int) -> ScriptedCall:
    """The call with arguments that fit the client's own tool, if it is one."""
    tool = allowed.ask.tool(name) if allowed.own else None
    if tool is None or allowed.scenario.tool(call.tool) is None or not isinstance(call.arguments, dict):
        return call
    return replace(call, arguments=arguments_for(tool.parameters or {"type": "object"}, _TEXT, number), text=None)


def _told(text: str, history: Sequence[Turn]) -> str:
    """A text about what the client's own tools returned, whose members no script knows."""
    if not any(placeholders(text)):
        return text
    last = next((turn for turn in reversed(history) if turn.results), None)
    contents = [brief(each.content, _LONGEST) for each in last.results] if last is not None else []
    return f"The tools returned: {'; '.join(contents)}." if contents else "The tools returned nothing."


def _forced(allowed: Allowed, text: str, history: Sequence[Turn]) -> list[ToolCall]:
    """The call that the request forces where the script has none: of a tool that the scenario lacks, if there is one.

    Frameworks declare a tool of their own for the final answer, or for structured output.
    """
    own = set(allowed.names.values())
    tools = [tool for name in allowed.forced or () if (tool := allowed.ask.tool(name)) is not None]
    tools.sort(key=lambda tool: tool.name in own)
    return [ToolCall(None, tool.name, _sampled(tool, allowed, text, history)) for tool in tools[:1]]


def _sampled(tool: ToolDefinition, allowed: Allowed, text: str, history: Sequence[Turn]) -> Any:
    made = sample(tool.parameters or {"type": "object"}, text, _values(allowed, history))
    return made if isinstance(made, dict) else {}


def _json_reply(allowed: Allowed, text: str, history: Sequence[Turn]) -> str:
    schema = schema_of_reply(allowed.body) or {"type": "object", "properties": {"answer": {}}, "required": ["answer"]}
    return json.dumps(sample(schema, text, _values(allowed, history)), ensure_ascii=False)


def _values(allowed: Allowed, history: Sequence[Turn]) -> dict[str, Any]:
    """What tools returned in the history; before that, what the scenario's tools return."""
    scripted = {tool.name: [each.result for each in reversed(tool.returns)] for tool in allowed.scenario.tools}
    returned = results.returned(history, allowed.scripted_names)
    return known_values({**scripted, **returned}, results.layers)


def _call(call: ScriptedCall, name: str, *, cut_off: bool) -> ToolCall:
    if not cut_off:
        return ToolCall(None, name, call.arguments, wire=call.text)
    text = call.text or json.dumps(call.arguments, ensure_ascii=False)
    half = text[: len(text) // 2]
    return ToolCall(None, name, Malformed(half, "cut off"), wire=half)
