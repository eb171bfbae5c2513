"""The official OpenAI SDK on Responses, stateless: each request carries all earlier items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from conformance.drivers import Scene, Seen, SeenCall, arguments_of, result_text

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

    def act(self, scene: Scene, seen: Seen) -> None:
        """The usual loop; the model's items go back as they came, each call's output after them."""
        from openai import OpenAI

        client = OpenAI(
            base_url=scene.base_url("/v1"),
            api_key=scene.api_key,
            http_client=scene.http_client,
            max_retries=0,
            timeout=scene.timeout,
        )
        items: list[Any] = [{"role": "user", "content": scene.user}]
        for turn in range(scene.max_turns):
            response = _ask(client, items, _options(scene, turn), stream=scene.stream)
            calls = [item for item in response.output if item.type == "function_call"]
            seen.answer = response.output_text
            if not calls or response.status == "incomplete":
                seen.finished = True
                return
            items += [_echo(item) for item in response.output]
            for call in calls:
                arguments = arguments_of(call.arguments)
                seen.calls.append(SeenCall(call.call_id, call.name, arguments))
                output = result_text(scene.execute(call.name, arguments))
                items.append({"type": "function_call_output", "call_id": call.call_id, "output": output})


def _echo(item: Any) -> dict[str, Any]:
    """An output item as it goes back: what the server sent, without what the SDK parsed out of it."""
    echoed: dict[str, Any] = item.model_dump(mode="json", exclude_unset=True)
    echoed.pop("parsed_arguments", None)
    for part in echoed.get("content") or ():
        part.pop("parsed", None)
    return {key: value for key, value in echoed.items() if value is not None}


def _options(scene: Scene, turn: int) -> Mapping[str, Any]:
    options: dict[str, Any] = {
        "model": scene.model,
        "max_output_tokens": scene.options.max_tokens,
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }
    if scene.options.reasoning:
        options["reasoning"] = {"effort": "low", "summary": "auto"}
    if scene.system:
        options["instructions"] = scene.system
    if scene.tools:
        options["tools"] = [
            {
                "type": "function",
                **tool.heading,
                "parameters": tool.parameters if tool.parameters is not None else _NO_PARAMETERS,
                "strict": False,
            }
            for tool in scene.tools
        ]
    choice = scene.tool_choice(turn)
    if choice is not None:
        options["tool_choice"] = choice if choice in _CHOICES else {"type": "function", "name": choice}
    if scene.options.parallel_tool_calls is not None:
        options["parallel_tool_calls"] = scene.options.parallel_tool_calls
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
