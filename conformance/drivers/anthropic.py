"""The official Anthropic SDK on Messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from conformance.drivers import ClientReading, DriverInput, ReadCall, result_text
from conformance.drivers.installed import known_options

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

_CHOICES = {"auto": "auto", "none": "none", "required": "any"}


class AnthropicDriver:
    name = "anthropic"
    dialect = "anthropic-messages"
    package = "anthropic"
    since = "0.40"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """The usual loop; the model's content goes back unchanged, all results in one user message."""
        from anthropic import Anthropic

        client = Anthropic(
            base_url=inputs.base_url("/v1", ends="/v1"),
            api_key=inputs.api_key,
            http_client=inputs.http_client,
            max_retries=0,
            timeout=inputs.timeout,
        )
        messages: list[Any] = [{"role": "user", "content": inputs.user}]
        for turn in range(inputs.max_turns):
            message = _ask(client, messages, _options(inputs, turn), stream=inputs.stream)
            calls = [block for block in message.content if block.type == "tool_use"]
            reading.answer = "".join(block.text for block in message.content if block.type == "text")
            if not calls or message.stop_reason == "max_tokens":
                reading.finished = True
                return
            messages.append({"role": "assistant", "content": [_echo(block) for block in message.content]})
            results = []
            for call in calls:
                reading.calls.append(ReadCall(call.id, call.name, call.input))
                outcome = inputs.execute(call.name, call.input)
                result = {"type": "tool_result", "tool_use_id": call.id, "content": result_text(outcome)}
                results.append({**result, "is_error": True} if outcome.is_error else result)
            messages.append({"role": "user", "content": results})


def _echo(block: Any) -> dict[str, Any]:
    """A content block to send back: the server's block, without what the SDK filled in or parsed."""
    echoed: dict[str, Any] = block.model_dump(mode="json", exclude_unset=True)
    echoed.pop("parsed_output", None)
    return {key: value for key, value in echoed.items() if value is not None}


def _options(inputs: DriverInput, turn: int) -> Mapping[str, Any]:
    options: dict[str, Any] = {"model": inputs.model, "max_tokens": inputs.options.max_tokens}
    if inputs.options.reasoning:
        options["thinking"] = {"type": "adaptive"}
    if inputs.system:
        options["system"] = inputs.system
    if inputs.tools:
        options["tools"] = [
            {
                **tool.heading,
                "input_schema": tool.parameters if tool.parameters is not None else {"type": "object"},
            }
            for tool in inputs.tools
        ]
    choice = inputs.tool_choice(turn)
    parallel = inputs.options.parallel_tool_calls
    if choice is not None or parallel is not None:
        kind = _CHOICES.get(choice or "auto")
        wanted: dict[str, Any] = {"type": kind} if kind else {"type": "tool", "name": choice}
        if parallel is not None and kind != "none":
            wanted["disable_parallel_tool_use"] = not parallel
        options["tool_choice"] = wanted
    return options


def _ask(client: Anthropic, messages: list[Any], options: Mapping[str, Any], *, stream: bool) -> Message:
    if not stream:
        message: Message = client.messages.create(messages=messages, **known_options(client.messages.create, options))
        return message
    with client.messages.stream(messages=messages, **known_options(client.messages.stream, options)) as events:
        return events.get_final_message()


DRIVERS = (AnthropicDriver(),)
