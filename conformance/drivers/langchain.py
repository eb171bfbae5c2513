"""LangChain on its provider packages: `bind_tools` with plain JSON Schema, and the tool loop in its own messages.

Every model sends through the given HTTP client, tries once, and traces nothing. The packages are an optional extra.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from conformance.drivers import DriverInput, ReadCall, result_text
from conformance.drivers.google_genai import http_options, unused_clients
from conformance.drivers.loop import LoopDriver, Reply, Result
from conformance.model.transcript import ToolDefinition

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel, LanguageModelInput
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.runnables import Runnable

    Model = Runnable[LanguageModelInput, AIMessage]


@dataclass(frozen=True, eq=False)
class LangChainDriver(LoopDriver):
    """One provider package.

    `model` builds its chat model, `choices` maps the neutral choices that `bind_tools` calls otherwise, `parallel` is
    whether that knows parallel calls as an option, and `function` is what a tool's definition has besides.
    """

    dialect: str
    package: str
    model: Callable[[DriverInput], BaseChatModel]
    choices: Mapping[str, Any] = field(default_factory=dict)
    parallel: bool = True
    function: Mapping[str, Any] = field(default_factory=dict)
    name: str = "langchain"
    cut_off: Collection[str] = ("length", "max_tokens", "MAX_TOKENS", "incomplete")

    def client(self, inputs: DriverInput) -> BaseChatModel:
        return self.model(inputs)

    def opening(self, inputs: DriverInput) -> list[Any]:
        from langchain_core.messages import HumanMessage, SystemMessage

        return [*([SystemMessage(inputs.system)] if inputs.system else []), HumanMessage(inputs.user)]

    def ask(self, client: BaseChatModel, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The message goes back as LangChain made it."""
        from langsmith import tracing_context

        with tracing_context(enabled=False):  # whatever the environment sets: nothing goes anywhere else
            message = _message(self._bound(client, inputs, turn), history, stream=inputs.stream)
        stops = (message.response_metadata.get(key) for key in ("finish_reason", "stop_reason", "status"))
        return Reply(str(message.text), list(_calls(message)), [message], next(filter(None, stops), None))

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """Every call, valid or not, is answered."""
        from langchain_core.messages import ToolMessage

        return [
            ToolMessage(
                result_text(result.outcome),
                tool_call_id=result.call.id or "",
                status="error" if result.outcome.is_error else "success",
            )
            for result in results
        ]

    def _bound(self, model: BaseChatModel, inputs: DriverInput, turn: int) -> Model:
        """The model with the scenario's tools, and with the tool choice of this turn."""
        if not inputs.tools:
            return model
        tools = [{"type": "function", "function": {**_function(tool), **self.function}} for tool in inputs.tools]
        options: dict[str, Any] = {}
        choice = inputs.tool_choice(turn)
        if choice is not None:
            options["tool_choice"] = self.choices.get(choice, choice)
        if self.parallel and inputs.options.parallel_tool_calls is not None:
            options["parallel_tool_calls"] = inputs.options.parallel_tool_calls
        return model.bind_tools(tools, **options)


def _function(tool: ToolDefinition) -> Mapping[str, Any]:
    """A tool in the form that every package accepts; some require a schema even without arguments."""
    parameters = tool.parameters if tool.parameters is not None else {"type": "object", "properties": {}}
    return {"name": tool.name, "description": tool.description, "parameters": parameters}


def _message(model: Model, messages: list[BaseMessage], *, stream: bool) -> AIMessage:
    """The model's message; of a stream, the sum of its chunks."""
    from langchain_core.messages import message_chunk_to_message

    if not stream:
        return model.invoke(messages)
    chunks: Iterator[Any] = model.stream(messages)
    whole = next(chunks)
    for chunk in chunks:
        whole += chunk
    return cast("AIMessage", message_chunk_to_message(whole))


def _calls(message: AIMessage) -> Iterator[ReadCall]:
    """The calls as LangChain shows them: those it could read, then those whose arguments are not a JSON object."""
    for call in message.tool_calls:
        yield ReadCall(call["id"], call["name"], call["args"])
    for broken in message.invalid_tool_calls:
        yield ReadCall(broken["id"], broken["name"], broken["args"])


def _openai(inputs: DriverInput, **api: Any) -> BaseChatModel:
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    return ChatOpenAI(
        model=inputs.model,
        api_key=SecretStr(inputs.api_key),
        base_url=inputs.base_url("/v1"),
        http_client=inputs.http_client,
        max_completion_tokens=inputs.options.max_tokens,
        max_retries=0,
        timeout=inputs.timeout,
        stream_usage=True,
        **api,
    )


def _chat(inputs: DriverInput) -> BaseChatModel:
    return _openai(inputs, use_responses_api=False)


def _responses(inputs: DriverInput) -> BaseChatModel:
    """Stateless: each request has all earlier items."""
    reasoning = {"effort": "low", "summary": "auto"} if inputs.options.reasoning else None
    include = ["reasoning.encrypted_content"]
    return _openai(inputs, use_responses_api=True, store=False, include=include, reasoning=reasoning)


def _messages(inputs: DriverInput) -> BaseChatModel:
    from functools import cached_property

    from anthropic import Anthropic
    from langchain_anthropic import ChatAnthropic
    from pydantic import SecretStr

    class Injected(ChatAnthropic):
        """The package takes no HTTP client; its SDK client is a property, which a subclass may give."""

        @cached_property
        def _client(self) -> Anthropic:
            return Anthropic(**self._client_params, http_client=inputs.http_client)

    return Injected(
        model_name=inputs.model,
        api_key=SecretStr(inputs.api_key),
        base_url=inputs.base_url("/v1", ends="/v1"),
        max_tokens_to_sample=inputs.options.max_tokens,
        thinking={"type": "adaptive"} if inputs.options.reasoning else None,
        max_retries=0,
        timeout=inputs.timeout,
        stop=None,
    )


def _gemini(inputs: DriverInput) -> BaseChatModel:
    from google.genai import Client
    from langchain_google_genai import ChatGoogleGenerativeAI

    # It logs each key of a schema that it drops; without a handler that would land on stderr.
    logging.getLogger("langchain_google_genai").addHandler(_SILENCE)
    model = ChatGoogleGenerativeAI(
        model=inputs.model,
        api_key=inputs.api_key,
        base_url=inputs.origin,
        vertexai=False,
        max_output_tokens=inputs.options.max_tokens,
        include_thoughts=inputs.options.reasoning or None,
        max_retries=1,  # counts the first attempt too; 0 would mean the SDK's own number
        timeout=inputs.timeout,
        client_args=unused_clients(),
    )
    # The package takes arguments for an HTTP client, not a client; its SDK client is a field.
    model.client = Client(api_key=inputs.api_key, vertexai=False, http_options=http_options(inputs))
    return model


_SILENCE = logging.NullHandler()
_ANTHROPIC_CHOICES = {"required": "any", "none": {"type": "none"}}

DRIVERS = (
    LangChainDriver("openai-chat", "langchain-openai", _chat),
    # A function without `strict` is strict, but a scenario's schema may not be.
    LangChainDriver("openai-responses", "langchain-openai", _responses, function={"strict": False}),
    LangChainDriver("anthropic-messages", "langchain-anthropic", _messages, choices=_ANTHROPIC_CHOICES),
    LangChainDriver("gemini", "langchain-google-genai", _gemini, parallel=False),
)
