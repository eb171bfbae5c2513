"""The official OpenAI SDK on Chat Completions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from conformance.drivers import ClientReading, DriverInput, ReadCall, arguments_of, result_text

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletion
    from openai.types.chat.chat_completion import Choice

_CHOICES = ("auto", "none", "required")


class OpenAIChatDriver:
    name = "openai"
    dialect = "openai-chat"
    package = "openai"
    since = "1.55"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """The usual loop: ask, run the calls, send the results, until the model has no more calls."""
        from openai import OpenAI

        client = OpenAI(
            base_url=inputs.base_url("/v1"),
            api_key=inputs.api_key,
            http_client=inputs.http_client,
            max_retries=0,
            timeout=inputs.timeout,
        )
        messages: list[Any] = [{"role": "user", "content": inputs.user}]
        if inputs.system:
            messages.insert(0, {"role": "system", "content": inputs.system})
        for turn in range(inputs.max_turns):
            choice = _ask(client, messages, _options(inputs, turn), stream=inputs.stream)
            message = choice.message
            calls = [call for call in message.tool_calls or () if call.type == "function"]
            reading.answer = message.content or ""
            if not calls or choice.finish_reason == "length":
                reading.finished = True
                return
            messages.append(message.model_dump(exclude_none=True, exclude={"parsed", "function_call"}))
            for call in calls:
                arguments = arguments_of(call.function.arguments)
                reading.calls.append(ReadCall(call.id, call.function.name, arguments))
                outcome = inputs.execute(call.function.name, arguments)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result_text(outcome)})


def _options(inputs: DriverInput, turn: int) -> Mapping[str, Any]:
    options: dict[str, Any] = {"model": inputs.model, "max_completion_tokens": inputs.options.max_tokens}
    if inputs.tools:
        options["tools"] = [
            {
                "type": "function",
                "function": {
                    **tool.heading,
                    **({"parameters": tool.parameters} if tool.parameters is not None else {}),
                },
            }
            for tool in inputs.tools
        ]
    choice = inputs.tool_choice(turn)
    if choice is not None:
        named = {"type": "function", "function": {"name": choice}}
        options["tool_choice"] = choice if choice in _CHOICES else named
    if inputs.options.parallel_tool_calls is not None:
        options["parallel_tool_calls"] = inputs.options.parallel_tool_calls
    return options


def _ask(client: OpenAI, messages: list[Any], options: Mapping[str, Any], *, stream: bool) -> Choice:
    if not stream:
        completion: ChatCompletion = client.chat.completions.create(messages=messages, **options)
        return completion.choices[0]
    state = _stream_state()
    with client.chat.completions.create(
        messages=messages, stream=True, stream_options={"include_usage": True}, **options
    ) as chunks:
        for chunk in chunks:
            state.handle_chunk(chunk)
    choice: Choice = state.current_completion_snapshot.choices[0]
    return choice


def _stream_state() -> Any:
    """What puts the chunks together. Before 1.61 it is not public, and knows no defaults."""
    try:
        from openai.lib.streaming.chat import ChatCompletionStreamState
    except ImportError:
        from openai import NOT_GIVEN
        from openai.lib.streaming.chat import _completions

        given: dict[str, Any] = {"input_tools": NOT_GIVEN, "response_format": NOT_GIVEN}
        return _completions.ChatCompletionStreamState(**given)
    return ChatCompletionStreamState()


DRIVERS = (OpenAIChatDriver(),)
