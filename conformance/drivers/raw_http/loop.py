"""The tool loop over plain HTTP: what the four dialects have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.drivers import Scene, Seen, SeenCall
from conformance.executor import ToolOutcome


class AnswerError(Exception):
    """The provider answered with an error, as a status or in the middle of a stream."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One turn of the model: its text, its calls, and the messages that carry it back."""

    text: str
    calls: Sequence[SeenCall]
    said: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call."""

    call: SeenCall
    outcome: ToolOutcome


class RawHttpDriver(ABC):
    """The driver of one dialect: says how its requests look and how its answers are read."""

    name = "raw-http"
    package = "httpx2"
    dialect: str

    def act(self, scene: Scene, seen: Seen) -> None:
        """The usual loop: ask, run the calls, send the results, until the model has no more calls."""
        history = self.opening(scene)
        for _ in range(scene.max_turns):
            heard = self._ask(scene, history)
            seen.answer = heard.text
            if not heard.calls:
                seen.finished = True
                return
            history.extend(heard.said)
            results = []
            for call in heard.calls:
                seen.calls.append(call)
                results.append(Result(call, scene.execute(call.name or "", call.arguments)))
            history.extend(self.answers(results))

    def _ask(self, scene: Scene, history: list[Any]) -> Heard:
        from httpx2 import EventSource

        url = scene.origin + self.path(scene)
        headers = {"accept": "text/event-stream" if scene.stream else "application/json", **self.credential(scene)}
        with scene.http_client.stream("POST", url, headers=headers, json=self.body(scene, history)) as response:
            if response.status_code != 200:
                raise AnswerError(f"{response.status_code}: {response.read().decode(errors='replace')[:200]}")
            if scene.stream:
                return self.read_events((event.event, event.data) for event in EventSource(response) if event.data)
            response.read()
            return self.read(response.json())

    @abstractmethod
    def opening(self, scene: Scene) -> list[Any]:
        """The history before the model has said anything."""

    @abstractmethod
    def path(self, scene: Scene) -> str:
        """The path of the endpoint, with its query."""

    @abstractmethod
    def credential(self, scene: Scene) -> Mapping[str, str]:
        """The headers that carry the key, and whatever else the provider asks for."""

    @abstractmethod
    def body(self, scene: Scene, history: list[Any]) -> Mapping[str, Any]:
        """The body of a request."""

    @abstractmethod
    def read(self, body: Any) -> Heard:
        """The turn in a body."""

    @abstractmethod
    def read_events(self, events: Iterator[tuple[str, str]]) -> Heard:
        """The turn in a stream, from the name and the data of each event."""

    @abstractmethod
    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """The messages that carry the results."""
