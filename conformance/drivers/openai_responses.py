"""The official OpenAI SDK on Responses, stateless: each request carries all earlier items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from conformance.drivers import TIMEOUT_SECONDS, Scene, Seen, SeenCall, arguments_of, result_text

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.responses import Response

_CHOICES = ("auto", "none", "required")


class OpenAIResponsesDriver:
    name = "openai"
    dialect = "openai-responses"
    package = "openai"

    def act(self, scene: Scene, seen: Seen) -> None:
        """The usual loop; the model's items go back as they came, each call's output after them."""
        from openai import OpenAI

        client = OpenAI(
            base_url=f"{scene.origin}/v1",
            api_key=scene.api_key,
            http_client=scene.http_client,
            max_retries=0,
            timeout=TIMEOUT_SECONDS,
        )
        items: list[Any] = [{"role": "user", "content": scene.user}]
        options = _options(scene)
        for _ in range(scene.max_turns):
            response = _ask(client, items, options, stream=scene.stream)
            calls = [item for item in response.output if item.type == "function_call"]
            seen.answer = response.output_text
            if not calls:
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


def _options(scene: Scene) -> Mapping[str, Any]:
    options: dict[str, Any] = {
        "model": scene.model,
        "max_output_tokens": scene.options.max_tokens,
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }
    if scene.system:
        options["instructions"] = scene.system
    if scene.tools:
        options["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
                "strict": False,
            }
            for tool in scene.tools
        ]
    choice = scene.options.tool_choice
    if choice is not None:
        options["tool_choice"] = choice if choice in _CHOICES else {"type": "function", "name": choice}
    if scene.options.parallel_tool_calls is not None:
        options["parallel_tool_calls"] = scene.options.parallel_tool_calls
    return options


def _ask(client: OpenAI, items: list[Any], options: Mapping[str, Any], *, stream: bool) -> Response:
    if not stream:
        response: Response = client.responses.create(input=items, **options)
        return response
    with client.responses.stream(input=items, **options) as events:
        return events.get_final_response()


DRIVERS = (OpenAIResponsesDriver(),)
