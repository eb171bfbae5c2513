"""The official OpenAI SDK on Responses, stateless: each request has all earlier items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from conformance.drivers import ClientReading, DriverInput, ReadCall, arguments_of, result_text

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.responses import Response

_NO_PARAMETERS = {"type": "object", "properties": {}}
_TERMINAL = ("response.completed", "response.incomplete", "response.failed")
_CHOICES = ("auto", "none", "required")


class OpenAIResponsesDriver:
    name = "openai"
    dialect = "openai-responses"
    package = "openai"
    since = "1.66"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """The usual loop; the model's items go back as they came, each call's output after them."""
        from openai import OpenAI

        client = OpenAI(
            base_url=inputs.base_url("/v1"),
            api_key=inputs.api_key,
            http_client=inputs.http_client,
            max_retries=0,
            timeout=inputs.timeout,
        )
        items: list[Any] = [{"role": "user", "content": inputs.user}]
        for turn in range(inputs.max_turns):
            response = _ask(client, items, _options(inputs, turn), stream=inputs.stream)
            calls = [item for item in response.output if item.type == "function_call"]
            reading.answer = response.output_text
            if not calls or response.status == "incomplete":
                reading.finished = True
                return
            items += [_echo(item) for item in response.output]
            for call in calls:
                arguments = arguments_of(call.arguments)
                reading.calls.append(ReadCall(call.call_id, call.name, arguments))
                output = result_text(inputs.execute(call.name, arguments))
                items.append({"type": "function_call_output", "call_id": call.call_id, "output": output})


def _echo(item: Any) -> dict[str, Any]:
    """An output item to send back: the server's item, without what the SDK parsed from it."""
    echoed: dict[str, Any] = item.model_dump(mode="json", exclude_unset=True)
    echoed.pop("parsed_arguments", None)
    for part in echoed.get("content") or ():
        part.pop("parsed", None)
    return {key: value for key, value in echoed.items() if value is not None}


def _options(inputs: DriverInput, turn: int) -> Mapping[str, Any]:
    options: dict[str, Any] = {
        "model": inputs.model,
        "max_output_tokens": inputs.options.max_tokens,
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }
    if inputs.options.reasoning:
        options["reasoning"] = {"effort": "low", "summary": "auto"}
    if inputs.system:
        options["instructions"] = inputs.system
    if inputs.tools:
        options["tools"] = [
            {
                "type": "function",
                **tool.heading,
                "parameters": tool.parameters if tool.parameters is not None else _NO_PARAMETERS,
                "strict": False,
            }
            for tool in inputs.tools
        ]
    choice = inputs.tool_choice(turn)
    if choice is not None:
        options["tool_choice"] = choice if choice in _CHOICES else {"type": "function", "name": choice}
    if inputs.options.parallel_tool_calls is not None:
        options["parallel_tool_calls"] = inputs.options.parallel_tool_calls
    return options


def _ask(client: OpenAI, items: list[Any], options: Mapping[str, Any], *, stream: bool) -> Response:
    if not stream:
        response: Response = client.responses.create(input=items, **options)
        return response
    # Not the SDK's `responses.stream()`: it raises on a response that ends as `incomplete`.
    final: Response | None = None
    with client.responses.create(input=items, stream=True, **options) as events:
        for event in events:
            if event.type in _TERMINAL:
                final = event.response
            elif event.type == "error":
                raise RuntimeError(f"the stream failed: {event.message}")
    if final is None:
        raise RuntimeError("the stream ended without a terminal event")
    return final


DRIVERS = (OpenAIResponsesDriver(),)
