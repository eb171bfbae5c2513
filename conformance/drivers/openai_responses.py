"""The official OpenAI SDK on Responses."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from conformance.drivers import ClientReading, DriverInput
from conformance.drivers.loop import Reply, since_kept
from conformance.drivers.openai_client import openai_client
from conformance.drivers.requests import ResponsesRequests

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.responses import Response

_PREVIOUS = "previous_response_id"
_WAITS = (0, 1, 2, 5, *(10,) * 30)
"""The seconds before each time that a response in the background is fetched."""
_READ = 4
"""How many events of a stream in the background are read before it is resumed."""
_TERMINAL = ("response.completed", "response.incomplete", "response.failed")


class OpenAIResponsesDriver(ResponsesRequests):
    name = "openai"
    package = "openai"
    since = "1.66"

    def client(self, inputs: DriverInput) -> OpenAI:
        return openai_client(inputs)

    def ask(self, client: OpenAI, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The model's items go back as they came, unless the server keeps them."""
        if not inputs.options.stored:
            return self.read(inputs, _response(client, self.body(inputs, history, turn)))
        new, previous = since_kept(history, _PREVIOUS)
        response = _response(client, {**self.body(inputs, new, turn), **previous})
        return replace(self.read(inputs, response), echo=[{_PREVIOUS: response.id}])

    def read(self, inputs: DriverInput, response: Response) -> Reply:
        """What the SDK made of a response."""
        return self.reply(inputs, [_echo(item) for item in response.output], response.output_text, response.status)


class OpenAIWebSocketDriver(OpenAIResponsesDriver):
    """One connection for a conversation: each request continues the response before it, which the server keeps."""

    name = "openai-websocket"
    since = "2.22"
    provider = "openai"
    needs = ("websockets",)
    modes = (True,)

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        with inputs.sockets.installed(), openai_client(inputs).responses.connect() as connection:
            super().act(replace(inputs, http_client=connection), reading)

    def client(self, inputs: DriverInput) -> Any:
        """The connection."""
        return inputs.http_client

    def ask(self, client: Any, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """What the server keeps is not sent again, and every answer streams."""
        new, previous = since_kept(history, _PREVIOUS)
        body = {**self.body(inputs, new, turn), **previous}
        del body["stream"]
        client.response.create(**body)
        response = _last_of(client)
        return replace(self.read(inputs, response), echo=[{_PREVIOUS: response.id}])


def _echo(item: Any) -> dict[str, Any]:
    """An output item to send back: the server's item, without what the SDK parsed from it."""
    echoed: dict[str, Any] = item.model_dump(mode="json", exclude_unset=True)
    echoed.pop("parsed_arguments", None)
    for part in echoed.get("content") or ():
        part.pop("parsed", None)
    return {key: value for key, value in echoed.items() if value is not None}


def _response(client: OpenAI, body: dict[str, Any]) -> Response:
    if "stream" not in body:
        response: Response = client.responses.create(**body)
        for seconds in _WAITS if "background" in body else ():  # otherwise a server that is not done is at fault
            if response.status not in ("queued", "in_progress"):
                break
            time.sleep(seconds)
            response = client.responses.retrieve(response.id)
        return response
    # Not the SDK's `responses.stream()`: it raises on a response that ends as `incomplete`.
    with client.responses.create(**body) as events:
        if "background" not in body:
            return _last_of(events)
        first, *_, last = islice(events, _READ)
    with client.responses.retrieve(first.response.id, stream=True, starting_after=last.sequence_number) as events:
        return _last_of(events)


def _last_of(events: Iterable[Any]) -> Response:
    for event in events:
        if event.type in _TERMINAL:
            ended: Response = event.response
            if event.type == "response.failed":  # the SDK raises for an `error` only
                reason = "without a reason" if ended.error is None else ended.error.message
                raise RuntimeError(f"the response failed: {reason}")
            return ended
        if event.type == "error":
            raise RuntimeError(f"the stream failed: {getattr(event, 'error', event).message}")
    raise RuntimeError("the stream ended without a terminal event")


DRIVERS = (OpenAIResponsesDriver(), OpenAIWebSocketDriver())
