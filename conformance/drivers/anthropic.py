"""The official Anthropic SDK on Messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall
from conformance.drivers.installed import known_options
from conformance.drivers.loop import Reply
from conformance.drivers.requests import MessagesRequests

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message


class AnthropicDriver(MessagesRequests):
    name = "anthropic"
    package = "anthropic"
    since = "0.40"

    def client(self, inputs: DriverInput) -> Anthropic:
        from anthropic import Anthropic

        return Anthropic(
            base_url=inputs.base_url("/v1", ends="/v1"),
            api_key=inputs.api_key,
            http_client=inputs.http_client,
            max_retries=0,
            timeout=inputs.timeout,
        )

    def ask(self, client: Anthropic, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The model's content goes back unchanged."""
        message = _message(client, self.body(inputs, history, turn))
        text = "".join(block.text for block in message.content if block.type == "text")
        calls = [ReadCall(block.id, block.name, block.input) for block in message.content if block.type == "tool_use"]
        echo = {"role": "assistant", "content": [_echo(block) for block in message.content]}
        return Reply(text, calls, [echo], message.stop_reason)


def _echo(block: Any) -> dict[str, Any]:
    """A content block to send back: the server's block, without what the SDK filled in or parsed."""
    echoed: dict[str, Any] = block.model_dump(mode="json", exclude_unset=True)
    echoed.pop("parsed_output", None)
    return {key: value for key, value in echoed.items() if value is not None}


def _message(client: Anthropic, body: dict[str, Any]) -> Message:
    if not body.pop("stream", False):
        message: Message = client.messages.create(**known_options(client.messages.create, body))
        return message
    with client.messages.stream(**known_options(client.messages.stream, body)) as events:
        return events.get_final_message()


DRIVERS = (AnthropicDriver(),)
