"""The requests over plain HTTP that the four dialects share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.drivers import DriverInput
from conformance.drivers.loop import LoopDriver, Reply


class AnswerError(Exception):
    """The provider answered with an error, as a status or in the middle of a stream."""


class RawHttpDriver(LoopDriver):
    """A driver of one dialect: the requests of its dialect, and how its answers are read.

    `root` is the path of the provider's own base URL.
    """

    name = "raw-http"
    package = "httpx2"
    root = "/v1"

    def client(self, inputs: DriverInput) -> Any:
        return inputs.http_client

    def ask(self, client: Any, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        from httpx2 import EventSource

        url = inputs.base_url(self.root) + self.path(inputs)
        headers = {"accept": "text/event-stream" if inputs.stream else "application/json", **self.credential(inputs)}
        with client.stream("POST", url, headers=headers, json=self.body(inputs, history, turn)) as response:
            if response.status_code != 200:
                text = response.read().decode(errors="replace")
                raise AnswerError(f"{response.status_code}: {' '.join(text.split())[:200]}")
            if not inputs.stream:
                response.read()
                return self.read(response.json())
            reply = self.read_events((event.event, event.data) for event in EventSource(response) if event.data)
        if reply.stop is None:
            raise AnswerError("the stream ended early")
        return reply

    @abstractmethod
    def path(self, inputs: DriverInput) -> str:
        """The path of the endpoint below its base URL, with its query."""

    @abstractmethod
    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """The headers that carry the key, and whatever else the provider asks for."""

    @abstractmethod
    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> Mapping[str, Any]:
        """The body of a request."""

    @abstractmethod
    def read(self, body: Any) -> Reply:
        """The turn in a body."""

    @abstractmethod
    def read_events(self, events: Iterator[tuple[str, str]]) -> Reply:
        """The turn in a stream, from the name and the data of each event."""
