"""The reference model: says what the scenario scripts, from what the client really sent."""

from __future__ import annotations

from collections.abc import Mapping

from conformance import facts, templates
from conformance.scenario import Scenario
from conformance.transcript import Ask, Part, Text, ToolCall, Turn


def scenario_of(ask: Ask, scenarios: Mapping[str, Scenario]) -> Scenario | None:
    """The scenario whose user speaks in the request."""
    said = [turn.text.strip() for turn in ask.history if turn.role == "user" and turn.text.strip()]
    return next((each for each in scenarios.values() if said and each.user.strip() == said[0]), None)


def speak(scenario: Scenario, ask: Ask) -> Turn | None:
    """The model's next turn; None when the script is at its end.

    How far the script is follows from the turns of the model in the request: the server keeps no state.
    """
    spoken = sum(turn.role == "assistant" for turn in ask.history)
    if spoken >= len(scenario.model):
        return None
    speech = scenario.model[spoken]
    parts: list[Part] = []
    if speech.text:
        parts.append(Text(templates.fill(speech.text, facts.returned(ask.history))))
    parts += [ToolCall(None, call.tool, dict(call.arguments)) for call in speech.calls]
    return Turn("assistant", tuple(parts), stop="tool-calls" if speech.calls else "end")
