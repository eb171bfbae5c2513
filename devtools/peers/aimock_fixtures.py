"""Fixtures of aimock that play our scenarios: its own format, made of the scripts that the reference server plays.

    python -m devtools.peers.aimock_fixtures > fixtures.json

What it can not express is left out, and so are the scenarios that need it: several conversations, a provider's
error, a turn that is cut off, JSON text to the letter. Answers are filled in from what the scripted tools return,
because a fixture knows no placeholders: they show the wire of aimock, not that a result travelled.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from conformance.scenario import templates
from conformance.scenario.executor.scripted import ScriptedExecutor
from conformance.scenario.load import all_scenarios
from conformance.scenario.model import Scenario


def fixtures() -> Iterator[dict[str, Any]]:
    """One fixture for each turn of the model; the turn is told by the number of assistant messages before it."""
    for scenario in all_scenarios().values():
        if _fits(scenario):
            yield from _turns(scenario)


def _fits(scenario: Scenario) -> bool:
    speeches = [speech for conversation in scenario.conversations for speech in conversation.model]
    return len(scenario.conversations) == 1 and not any(speech.error or speech.cut_off for speech in speeches)


def _turns(scenario: Scenario) -> Iterator[dict[str, Any]]:
    conversation = scenario.conversations[0]
    tools = ScriptedExecutor(scenario)
    for number, speech in enumerate(conversation.model):
        returned: dict[str, list[object]] = {}
        for executed in tools.log:
            returned.setdefault(executed.tool, []).append(executed.outcome.value)
        response: dict[str, Any] = {}
        if speech.text:
            response["content"] = templates.fill(speech.text, returned)
        if speech.reasoning:
            response["reasoning"] = speech.reasoning
        if speech.calls:
            response["toolCalls"] = [{"name": call.tool, "arguments": call.arguments} for call in speech.calls]
        for call in speech.calls:
            tools(call.tool, call.arguments)
        yield {"match": {"userMessage": conversation.user.strip(), "turnIndex": number}, "response": response}


if __name__ == "__main__":
    print(json.dumps({"fixtures": list(fixtures())}, ensure_ascii=False, indent=2))  # noqa: T201
