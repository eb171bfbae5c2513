"""Which scenario a request plays, and where in its history the scenario begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from conformance.model.exchange import Response
from conformance.model.transcript import Ask, Turn
from conformance.scenario.model import Conversation, Scenario


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation of a scenario.

    `opening` is the number of the turn that begins it, -1 for all of the history. `recorded` has the responses of a
    recording, each with its turn, and is empty for a scenario; `begun` is how many turns of the model the recording's
    first request has. `named` is whether the client asks for the scenario by its name, and not by its words alone.
    """

    scenario: Scenario
    conversation: Conversation
    opening: int
    recorded: Sequence[tuple[Response, Turn | None]] = ()
    begun: int = 0
    named: bool = False

    def position(self, history: Sequence[Turn]) -> int:
        """How many turns the model has had since the opening; neighbouring turns of the model are one."""
        roles = (turn.role for turn in history[self.opening + 1 :])
        return sum(role == "assistant" for role, _ in groupby(roles)) - self.begun


def script_of(ask: Ask, scenarios: Mapping[str, Scenario], wanted: str | None = None) -> Script | None:
    """The script of a request; None if neither its words nor its model belong to a scenario.

    The latest user message that is the first message of a scenario decides, then one that contains it (a longer
    prompt), then the name of the model. `wanted` is the id of the scenario that the client asked for otherwise.
    """
    wanted = wanted or _of_model(ask.model, scenarios) or ""
    script = _script(ask, scenarios, wanted)
    return None if script is None else replace(script, named=bool(wanted))


def _script(ask: Ask, scenarios: Mapping[str, Scenario], wanted: str) -> Script | None:
    known = {name: each for name, each in scenarios.items() if wanted in ("", name)}
    turns = reversed(list(enumerate(ask.history)))
    messages = [(number, text) for number, turn in turns if turn.role == "user" and (text := turn.text.strip())]
    for number, text in messages:
        for scenario, conversation in _conversations(known):
            if conversation.user.strip() == text:
                return Script(scenario, conversation, number)
    for number, text in messages:
        inside = [pair for pair in _conversations(known) if pair[1].user.strip() in text]
        if inside:
            return Script(*max(inside, key=lambda pair: len(pair[1].user)), number)
    prompt = " ".join(turn.text for turn in ask.history if turn.role == "system")
    for scenario, conversation in _conversations(known):
        if conversation.user.strip() in prompt:
            return Script(scenario, conversation, -1)
    if wanted in known:
        return Script(known[wanted], known[wanted].conversations[0], messages[-1][0] if messages else -1)
    return None


def _conversations(scenarios: Mapping[str, Scenario]) -> Iterator[tuple[Scenario, Conversation]]:
    return ((scenario, each) for scenario in scenarios.values() for each in scenario.conversations)


def _of_model(model: str | None, scenarios: Mapping[str, Scenario]) -> str | None:
    """The scenario that the name of a model names: `weather`, or `gpt-4o-mini@weather`."""
    name = (model or "").rpartition("@")[2]
    return name if name in scenarios else None
