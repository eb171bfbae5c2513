"""The official Ollama package on Ollama's chat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall, result_text
from conformance.drivers.loop import LoopDriver, Reply, Result

if TYPE_CHECKING:
    from ollama import ChatResponse, Client


class OllamaDriver(LoopDriver):
    name = "ollama"
    dialect = "ollama-chat"
    package = "ollama"
    since = "0.5"

    def client(self, inputs: DriverInput) -> Client:
        from ollama import Client

        # The package makes an HTTP client of its own: it sends through ours by a transport.
        return Client(
            host=inputs.base_url(""),
            headers={"authorization": f"Bearer {inputs.api_key}"} if inputs.api_key else {},
            transport=_through(inputs.http_client),
            timeout=inputs.timeout,
            trust_env=False,
        )

    def opening(self, inputs: DriverInput) -> list[Any]:
        system = [{"role": "system", "content": inputs.system}] if inputs.system else []
        return [*system, {"role": "user", "content": inputs.user}]

    def ask(self, client: Client, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """Calls go back as the package read them, without their ids."""
        functions = [{**tool.heading, "parameters": tool.parameters or {"type": "object"}} for tool in inputs.tools]
        options = {
            "num_predict": inputs.options.max_tokens,
            **inputs.options.sampling(temperature="temperature", top_p="top_p", stop="stop"),
        }
        chat: Any = client.chat  # its types are one for a stream and one for a reply
        answered = chat(
            model=inputs.model,
            messages=history,
            tools=[{"type": "function", "function": each} for each in functions] or None,
            stream=inputs.stream,
            think=True if inputs.options.reasoning else None,
            options=options,
        )
        chunks = list(answered) if inputs.stream else [answered]
        message = _message(chunks)
        calls = [ReadCall(None, each.function.name, dict(each.function.arguments)) for each in message["tool_calls"]]
        return Reply(message["content"], calls, [message], chunks[-1].done_reason if chunks else None)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [{"role": "tool", "tool_name": each.call.name, "content": result_text(each.outcome)} for each in results]


def _message(chunks: Iterable[ChatResponse]) -> dict[str, Any]:
    """The message of a reply; of a stream, the pieces put together as the documents show it."""
    read = [chunk.message for chunk in chunks]
    thinking = "".join(each.thinking or "" for each in read)
    return {
        "role": "assistant",
        "content": "".join(each.content or "" for each in read),
        **({"thinking": thinking} if thinking else {}),
        "tool_calls": [call for each in read for call in each.tool_calls or ()],
    }


def _through(http_client: Any) -> Any:
    """A transport that sends each request through another client."""
    from httpx import BaseTransport, Request, Response

    class Through(BaseTransport):
        def handle_request(self, request: Request) -> Response:
            sent: Response = http_client.send(request, stream=True)
            return sent

    return Through()


DRIVERS = (OllamaDriver(),)
