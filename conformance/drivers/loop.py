"""The tool loop that drivers share: ask, run the calls, send the results, until the model has no more calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.drivers import ClientReading, DriverInput, ReadCall
from conformance.model.transcript import readable
from conformance.scenario.executor import ToolOutcome


@dataclass(frozen=True, slots=True)
class Reply:
    """One turn of the model as the client read it: its text, its calls, and the messages that carry it back.

    `stop` is the provider's own stop reason; None if a stream ended without one. `answers` are the messages that the
    scenario itself has for what the model sent.
    """

    text: str
    calls: Sequence[ReadCall]
    echo: Sequence[Any]
    stop: str | None
    answers: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a call; `in_parts` is whether it is sent in parts, where the dialect can."""

    call: ReadCall
    outcome: ToolOutcome
    in_parts: bool = False


class LoopDriver(ABC):
    """A driver whose client leaves the tool loop to the program.

    `cut_off` are the stop reasons of a turn that the token limit ended; the calls that it began are not run.
    """

    name: str
    dialect: str
    package: str
    cut_off: Collection[str] = ("length",)

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """Runs the whole loop; the client's own errors pass through."""
        client = self.client(inputs)
        history, in_parts = self.opening(inputs), inputs.options.in_parts
        for turn in range(inputs.max_turns):
            reply = self.ask(client, inputs, history, turn)
            reading.answer = reply.text
            if not (reply.calls or reply.answers) or reply.stop in self.cut_off:
                reading.finished = True
                return
            history.extend(reply.echo)
            results = []
            for call in reply.calls:
                reading.calls.append(call)
                if not call.native:
                    results.append(Result(call, inputs.execute(call.name or "", readable(call.arguments)), in_parts))
            history.extend([*self.answers(results), *reply.answers])

    @abstractmethod
    def client(self, inputs: DriverInput) -> Any:
        """The client that the requests are sent through."""

    @abstractmethod
    def opening(self, inputs: DriverInput) -> list[Any]:
        """The history before the model's first turn."""

    @abstractmethod
    def ask(self, client: Any, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The model's reply to the history; `turn` counts the requests of the conversation from 0."""

    @abstractmethod
    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """The messages that carry the results."""


def since_kept(history: Sequence[Any], key: str) -> tuple[list[Any], dict[str, Any]]:
    """What a server that keeps conversations does not have yet, and the field with the id of what it has."""
    kept = max((place for place, each in enumerate(history) if key in each), default=-1)
    return list(history[kept + 1 :]), history[kept] if kept >= 0 else {}
