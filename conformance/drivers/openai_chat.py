"""The official OpenAI SDK on Chat Completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall, arguments_of
from conformance.drivers.loop import Reply
from conformance.drivers.openai_client import openai_client
from conformance.drivers.requests import ChatRequests

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat.chat_completion import Choice


class OpenAIChatDriver(ChatRequests):
    name = "openai"
    package = "openai"
    since = "1.55"

    def client(self, inputs: DriverInput) -> OpenAI:
        return openai_client(inputs)

    def ask(self, client: OpenAI, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        choice = _choice(client, self.body(inputs, history, turn))
        message = choice.message
        functions = [call for call in message.tool_calls or () if call.type == "function"]
        calls = [ReadCall(call.id, call.function.name, arguments_of(call.function.arguments)) for call in functions]
        echo = message.model_dump(exclude_none=True, exclude={"parsed", "function_call"})
        return Reply(message.content or "", calls, [echo], choice.finish_reason)


def _choice(client: OpenAI, body: dict[str, Any]) -> Choice:
    if "stream" not in body:
        answered: Choice = client.chat.completions.create(**body).choices[0]
        return answered
    state = _stream_state()
    with client.chat.completions.create(**body) as chunks:
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
