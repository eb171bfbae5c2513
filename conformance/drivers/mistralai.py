"""The official Mistral package on Mistral's Chat Completions and on its Conversations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall, arguments_of, result_text
from conformance.drivers.loop import LoopDriver, Reply, Result
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
    provider = "mistral"

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
    plain = all(each["type"] == "text" for each in content)
    text: Any = "".join(each["text"] for each in content) if plain else content
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


class ConversationsDriver(LoopDriver):
    """Continues the conversation that the server keeps; the history has its id in place of its entries."""

    name = "mistralai"
    dialect = "mistral-conversations"
    package = "mistralai"
    since = "3.0"
    cut_off = ()
    stores = True

    def client(self, inputs: DriverInput) -> Mistral:
        return client_of(inputs)

    def opening(self, inputs: DriverInput) -> list[Any]:
        return [{"type": "message.input", "role": "user", "content": inputs.user}]

    def ask(self, client: Mistral, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """What the server keeps is not sent again; only the first request has the settings of the conversation."""
        kept = max((place for place, each in enumerate(history) if isinstance(each, str)), default=-1)
        conversations: Any = client.beta.conversations  # its types have no dictionaries made at run time
        arguments = _completion_args(inputs, turn)
        sent: dict[str, Any] = {"inputs": history[kept + 1 :], **({"completion_args": arguments} if arguments else {})}
        if kept >= 0:
            run = conversations.append_stream if inputs.stream else conversations.append
            sent["conversation_id"] = history[kept]
        else:
            run = conversations.start_stream if inputs.stream else conversations.start
            sent |= {"model": inputs.model, "tools": _tools(inputs), "instructions": inputs.system}
        if not self.stores:
            sent["store"] = False
        answered = run(**{key: value for key, value in sent.items() if value is not None})
        conversation, outputs = _outputs(answered) if inputs.stream else (answered.conversation_id, answered.outputs)
        called = [each for each in outputs if each.type == "function.call"]
        calls = [ReadCall(each.tool_call_id, each.name, _arguments(each.arguments)) for each in called]
        text = "".join(text_of(each.content) for each in outputs if each.type == "message.output")
        return Reply(text, calls, [conversation] if self.stores else outputs, None)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [
            {"type": "function.result", "tool_call_id": each.call.id, "result": result_text(each.outcome)}
            for each in results
        ]


class StatelessConversationsDriver(ConversationsDriver):
    """Nothing is stored: every entry goes back as the package read it."""

    name = "mistralai-stateless"
    stores = False


def _tools(inputs: DriverInput) -> list[Any] | None:
    empty = {"type": "object", "properties": {}}
    return [
        {"type": "function", "function": {**tool.heading, "parameters": tool.parameters or empty}}
        for tool in inputs.tools
    ] or None


def _completion_args(inputs: DriverInput, turn: int) -> dict[str, Any]:
    """A tool can be forced, but not which one; the conversation keeps that until it is set anew."""
    choice = inputs.tool_choice(turn) or ("auto" if inputs.options.tool_choice else None)
    given = {
        "max_tokens": inputs.options.max_tokens,
        "tool_choice": choice if choice in (None, "auto", "none") else "required",
        "reasoning_effort": "high" if inputs.options.reasoning else None,
        **inputs.options.sampling(temperature="temperature", top_p="top_p", stop="stop"),
    }
    return {key: value for key, value in given.items() if value is not None}


def _outputs(events: Any) -> tuple[str | None, list[Any]]:
    """The conversation and the entries of a stream, as the package's own loop puts them together."""
    from mistralai.extra.run.result import reconstitue_entries

    conversation = None
    found: dict[int, list[Any]] = {}
    for event in events:
        data = event.data
        if data.type == "conversation.response.started":
            conversation = data.conversation_id
        elif data.type == "conversation.response.error":
            raise RuntimeError(f"the stream failed: {data.message}")
        elif hasattr(data, "output_index"):
            found.setdefault(data.output_index, []).append(data)
    return conversation, list(reconstitue_entries(found))


DRIVERS = (MistralChatDriver(), ConversationsDriver(), StatelessConversationsDriver())
