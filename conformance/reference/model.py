"""The reference model: says what the scenario scripts, from what the client really sent."""

from __future__ import annotations

import json
from collections.abc import Mapping

from conformance.model.transcript import Ask, Malformed, Part, Reasoning, Text, ToolCall, Turn
from conformance.scenario import templates, tool_values
from conformance.scenario.model import Conversation, Scenario, ScriptedCall, ScriptedTurn


def script_of(ask: Ask, scenarios: Mapping[str, Scenario]) -> tuple[Scenario, Conversation] | None:
    """The scenario and the conversation whose user speaks in the request."""
    said = next((turn.text.strip() for turn in ask.history if turn.role == "user" and turn.text.strip()), None)
    for scenario in scenarios.values():
        for conversation in scenario.conversations:
            if conversation.user.strip() == said:
                return scenario, conversation
    return None


def next_turn(conversation: Conversation, ask: Ask) -> ScriptedTurn | None:
    """The model's next turn in the script; None when the script is at its end.

    How far the script is follows from the turns of the model in the request: the server keeps no state.
    """
    spoken = sum(turn.role == "assistant" for turn in ask.history)
    return conversation.model[spoken] if spoken < len(conversation.model) else None


def turn_of(speech: ScriptedTurn, ask: Ask) -> Turn:
    """The scripted turn, its text filled with what the tools returned according to the request."""
    parts: list[Part] = []
    if speech.reasoning:
        parts.append(Reasoning(speech.reasoning))
    if speech.text:
        parts.append(Text(templates.fill(speech.text, tool_values.returned(ask.history))))
    for number, call in enumerate(speech.calls):
        parts.append(_call(call, cut_off=speech.cut_off and number == len(speech.calls) - 1))
    if speech.cut_off:
        return Turn("assistant", tuple(parts), stop="length")
    return Turn("assistant", tuple(parts), stop="tool-calls" if speech.calls else "end")


def _call(call: ScriptedCall, *, cut_off: bool) -> ToolCall:
    if not cut_off:
        return ToolCall(None, call.tool, call.arguments, wire=call.text)
    text = call.text or json.dumps(call.arguments, ensure_ascii=False)
    half = text[: len(text) // 2]
    return ToolCall(None, call.tool, Malformed(half, "cut off"), wire=half)
