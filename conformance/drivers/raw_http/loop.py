"""The tool loop over plain HTTP that the four dialects share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.drivers import ClientReading, DriverInput, ReadCall
from conformance.executor import ToolOutcome


class AnswerError(Exception):
    """The provider answered with an error, as a status or in the middle of a stream."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One turn of the model: its text, its calls, and the messages that carry it back.

    `stop` is the provider's own stop reason; None if a stream ended without one.
    """

    text: str
    calls: Sequence[ReadCall]
    said: Sequence[Any]
    stop: str | None


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call."""

    call: ReadCall
    outcome: ToolOutcome


class RawHttpDriver(ABC):
    """The driver of one dialect: the form of its requests, and how its answers are read.

    `cut_off` is the provider's word for a turn that the token limit ended; what it began to call is not run. `root` is
    what the provider's own base URL has behind the host.
    """

    name = "raw-http"
    package = "httpx2"
    dialect: str
    cut_off: str
    root = "/v1"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """The usual loop: ask, run the calls, send the results, until the model has no more calls."""
        history = self.opening(inputs)
        for turn in range(inputs.max_turns):
            heard = self._ask(inputs, self.body(inputs, history, turn))
            reading.answer = heard.text
            if not heard.calls or heard.stop == self.cut_off:
                reading.finished = True
                return
            history.extend(heard.said)
            results = []
            for call in heard.calls:
                reading.calls.append(call)
                results.append(Result(call, inputs.execute(call.name or "", call.arguments)))
            history.extend(self.answers(results))

    def _ask(self, inputs: DriverInput, body: Mapping[str, Any]) -> Heard:
        from httpx2 import EventSource

        url = inputs.base_url(self.root) + self.path(inputs)
        headers = {"accept": "text/event-stream" if inputs.stream else "application/json", **self.credential(inputs)}
        with inputs.http_client.stream("POST", url, headers=headers, json=body) as response:
            if response.status_code != 200:
                text = response.read().decode(errors="replace")
                raise AnswerError(f"{response.status_code}: {' '.join(text.split())[:200]}")
            if not inputs.stream:
                response.read()
                return self.read(response.json())
            heard = self.read_events((event.event, event.data) for event in EventSource(response) if event.data)
        if heard.stop is None:
            raise AnswerError("the stream ended early")
        return heard

    @abstractmethod
    def opening(self, inputs: DriverInput) -> list[Any]:
        """The history before the model's first turn."""

    @abstractmethod
    def path(self, inputs: DriverInput) -> str:
        """The path of the endpoint below its base URL, with its query."""

    @abstractmethod
    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """The headers that carry the key, and whatever else the provider asks for."""

    @abstractmethod
    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> Mapping[str, Any]:
        """The body of a request; `turn` counts the requests of the conversation from 0."""

    @abstractmethod
    def read(self, body: Any) -> Heard:
        """The turn in a body."""

    @abstractmethod
    def read_events(self, events: Iterator[tuple[str, str]]) -> Heard:
        """The turn in a stream, from the name and the data of each event."""

    @abstractmethod
    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """The messages that carry the results."""
