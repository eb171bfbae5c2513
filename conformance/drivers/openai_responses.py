"""The official OpenAI SDK on Responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall, arguments_of
from conformance.drivers.loop import Reply
from conformance.drivers.openai_client import openai_client
from conformance.drivers.requests import ResponsesRequests

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.responses import Response

_TERMINAL = ("response.completed", "response.incomplete", "response.failed")


class OpenAIResponsesDriver(ResponsesRequests):
    name = "openai"
    package = "openai"
    since = "1.66"

    def client(self, inputs: DriverInput) -> OpenAI:
        return openai_client(inputs)

    def ask(self, client: OpenAI, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The model's items go back as they came."""
        response = _response(client, self.body(inputs, history, turn))
        called = [item for item in response.output if item.type == "function_call"]
        calls = [ReadCall(item.call_id, item.name, arguments_of(item.arguments)) for item in called]
        return Reply(response.output_text, calls, [_echo(item) for item in response.output], response.status)


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
        return response
    # Not the SDK's `responses.stream()`: it raises on a response that ends as `incomplete`.
    final: Response | None = None
    with client.responses.create(**body) as events:
        for event in events:
            if event.type in _TERMINAL:
                final = event.response
            elif event.type == "error":
                raise RuntimeError(f"the stream failed: {event.message}")
    if final is None:
        raise RuntimeError("the stream ended without a terminal event")
    return final


DRIVERS = (OpenAIResponsesDriver(),)
