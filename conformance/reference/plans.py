"""A script as a model plays it that plans ahead: all calls in its first turn, before any of them has run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from conformance.model.jsontext import same
from conformance.model.transcript import ResultOf
from conformance.scenario.executor.scripted import ScriptedExecutor
from conformance.scenario.model import Conversation, Scenario, ScriptedCall, ScriptedTurn


def why_not_sequential(scenario: Scenario) -> str | None:
    """Why a plan of the scenario's calls is no sequence of calls; None if it is one, or need not be."""
    if "sequential-tool-calls" not in scenario.exercise or any(
        _refers(each, scenario) for each in scenario.conversations
    ):
        return None
    return (
        "A plan is written before any tool runs: calls are sequential only if one has as its arguments all that an "
        "earlier one returns, as in geocode-then-weather."
    )


def _refers(conversation: Conversation, scenario: Scenario) -> bool:
    calls = (call for turn in planned(conversation, scenario).model for call in turn.calls)
    return any(isinstance(call.arguments, ResultOf) for call in calls)


def planned(conversation: Conversation, scenario: Scenario) -> Conversation:
    """The conversation with its turns of calls made one.

    Where the script gives a call what an earlier call of another turn returns, the call refers to it: the value is
    not known yet.
    """
    steps = list(takewhile(_plannable, conversation.model))
    if len(steps) < 2:
        return conversation
    plan = ScriptedTurn(
        text=" ".join(turn.text for turn in steps if turn.text) or None,
        calls=tuple(_calls(steps, scenario)),
        reasoning=" ".join(turn.reasoning for turn in steps if turn.reasoning) or None,
    )
    return replace(conversation, model=(plan, *conversation.model[len(steps) :]))


def _plannable(turn: ScriptedTurn) -> bool:
    return bool(turn.calls) and not turn.cut_off and turn.error is None


def _calls(steps: Sequence[ScriptedTurn], scenario: Scenario) -> Iterator[ScriptedCall]:
    run = ScriptedExecutor(scenario)
    returned: list[Any] = []
    for turn in steps:
        known = len(returned)
        for call in turn.calls:
            source = next((place for place in range(known) if same(returned[place], call.arguments)), None)
            returned.append(run(call.tool, call.arguments).value)
            yield call if source is None else replace(call, arguments=ResultOf(source), text=None)
