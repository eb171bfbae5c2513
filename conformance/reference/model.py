"""The reference model: the scripted turn that follows the client's request."""

from __future__ import annotations

import json
from collections.abc import Mapping

from conformance.model.transcript import Ask, Malformed, Part, Reasoning, Text, ToolCall, Turn
from conformance.scenario import templates, tool_values
from conformance.scenario.model import Conversation, Scenario, ScriptedCall, ScriptedTurn


def script_of(ask: Ask, scenarios: Mapping[str, Scenario]) -> tuple[Scenario, Conversation] | None:
    """The scenario and the conversation that begin with the request's first user message."""
    first = next((turn.text.strip() for turn in ask.history if turn.role == "user" and turn.text.strip()), None)
    for scenario in scenarios.values():
        for conversation in scenario.conversations:
            if conversation.user.strip() == first:
                return scenario, conversation
    return None


def next_turn(conversation: Conversation, ask: Ask) -> ScriptedTurn | None:
    """The model's next turn in the script; None at the end of the script.

    The server keeps no state: the number of model turns in the request is the position in the script.
    """
    done = sum(turn.role == "assistant" for turn in ask.history)
    return conversation.model[done] if done < len(conversation.model) else None


def turn_of(scripted: ScriptedTurn, ask: Ask) -> Turn:
    """The scripted turn, its text filled with the tool results in the request."""
    parts: list[Part] = []
    if scripted.reasoning:
        parts.append(Reasoning(scripted.reasoning))
    if scripted.text:
        parts.append(Text(templates.fill(scripted.text, tool_values.returned(ask.history))))
    for number, call in enumerate(scripted.calls):
        parts.append(_call(call, cut_off=scripted.cut_off and number == len(scripted.calls) - 1))
    if scripted.cut_off:
        return Turn("assistant", tuple(parts), stop="length")
    return Turn("assistant", tuple(parts), stop="tool-calls" if scripted.calls else "end")


def _call(call: ScriptedCall, *, cut_off: bool) -> ToolCall:
    if not cut_off:
        return ToolCall(None, call.tool, call.arguments, wire=call.text)
    text = call.text or json.dumps(call.arguments, ensure_ascii=False)
    half = text[: len(text) // 2]
    return ToolCall(None, call.tool, Malformed(half, "cut off"), wire=half)
