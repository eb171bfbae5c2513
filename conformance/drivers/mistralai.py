"""The official Mistral package on Mistral's Chat Completions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall, arguments_of
from conformance.drivers.loop import Reply
from conformance.drivers.requests import ChatRequests

if TYPE_CHECKING:
    from mistralai.client import Mistral
    from mistralai.client.models import AssistantMessage


def client_of(inputs: DriverInput) -> Mistral:
    """A client that sends each request once."""
    from mistralai.client import Mistral

    return Mistral(
        api_key=inputs.api_key,
        server_url=inputs.base_url("/v1", ends="/v1"),
        client=inputs.http_client,
        timeout_ms=int(inputs.timeout * 1000),
    )


class MistralChatDriver(ChatRequests):
    name = "mistralai"
    package = "mistralai"
    since = "3.0"

    def client(self, inputs: DriverInput) -> Mistral:
        return client_of(inputs)

    def ask(self, client: Mistral, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The limit has its older name, and whether a reply streams is the choice of a method."""
        body = self.body(inputs, history, turn)
        sent = {key: value for key, value in body.items() if key not in ("stream", "stream_options")}
        sent["max_tokens"] = sent.pop("max_completion_tokens")
        if inputs.options.reasoning:
            sent["reasoning_effort"] = "high"
        for tool in sent.get("tools", ()):
            tool["function"].setdefault("parameters", {"type": "object", "properties": {}})  # required
        chat: Any = client.chat  # its types have no dictionaries whose keys are made at run time
        if inputs.stream:
            with chat.stream(**sent) as events:
                message, stop = _gathered(event.data for event in events)
        else:
            choice = chat.complete(**sent).choices[0]
            message, stop = choice.message, choice.finish_reason
        calls = [
            ReadCall(each.id, each.function.name, _arguments(each.function.arguments))
            for each in message.tool_calls or ()
        ]
        return Reply(text_of(message.content), calls, [message], stop)


def text_of(content: Any) -> str:
    """The text of a message, without its thoughts."""
    if isinstance(content, str):
        return content
    return "".join(each.text for each in content or () if each.type == "text")


def _arguments(given: Any) -> Any:
    return arguments_of(given) if isinstance(given, str) else given


def _gathered(chunks: Iterable[Any]) -> tuple[AssistantMessage, str | None]:
    """The message of a stream, which the package leaves to the program to put together."""
    from mistralai.client.models import AssistantMessage

    content: list[dict[str, Any]] = []
    calls: dict[int, Any] = {}
    stop = None
    for chunk in chunks:
        choice = chunk.choices[0]
        stop = choice.finish_reason or stop
        for piece in _pieces(choice.delta.content):
            _grow(content, piece)
        for call in choice.delta.tool_calls or ():
            if call.index in calls:
                calls[call.index].function.arguments += call.function.arguments
            else:
                calls[call.index] = call
    text = "".join(each["text"] for each in content) if all(each["type"] == "text" for each in content) else content
    return AssistantMessage(content=text, tool_calls=list(calls.values()) or None), stop


def _pieces(content: Any) -> list[dict[str, Any]]:
    """The chunks of a delta's content; a text is one."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [each.model_dump(mode="json", exclude_none=True) for each in content or ()]


def _grow(content: list[dict[str, Any]], piece: dict[str, Any]) -> None:
    """A chunk continues the last one of its type."""
    if not content or content[-1]["type"] != piece["type"]:
        content.append(piece)
    elif piece["type"] == "text":
        content[-1]["text"] += piece["text"]
    elif piece["type"] == "thinking":
        thoughts = content[-1]["thinking"]
        for each in piece["thinking"]:
            if thoughts and thoughts[-1]["type"] == each["type"] == "text":
                thoughts[-1]["text"] += each["text"]
            else:
                thoughts.append(each)
        content[-1] |= {key: value for key, value in piece.items() if key not in ("type", "thinking")}
    else:
        content.append(piece)


DRIVERS = (MistralChatDriver(),)
