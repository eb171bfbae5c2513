"""LangChain on its provider packages: `bind_tools` with plain JSON Schema, and the tool loop in its own messages.

Every model sends through the scene's HTTP client, tries once, and traces nothing. The packages are an optional extra.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from conformance.drivers import ClientReading, DriverInput, ReadCall, result_text
from conformance.model.transcript import ToolDefinition

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel, LanguageModelInput
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.runnables import Runnable

    Model = Runnable[LanguageModelInput, AIMessage]


_CUT_OFF = {"length", "max_tokens", "MAX_TOKENS", "incomplete"}
"""The packages' stop reasons of a turn that the token limit truncated."""


@dataclass(frozen=True, eq=False)
class LangChainDriver:
    """One provider package.

    `model` builds its chat model, `choices` maps the neutral choices that `bind_tools` calls otherwise, `parallel` says
    whether that knows parallel calls as an option, and `function` is what a tool's definition has besides.
    """

    dialect: str
    package: str
    model: Callable[[DriverInput], BaseChatModel]
    choices: Mapping[str, Any] = field(default_factory=dict)
    parallel: bool = True
    function: Mapping[str, Any] = field(default_factory=dict)
    name: str = "langchain"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """The usual loop; the message goes back as LangChain made it, and every call, valid or not, is answered."""
        from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
        from langsmith import tracing_context

        messages: list[BaseMessage] = [SystemMessage(inputs.system)] if inputs.system else []
        messages.append(HumanMessage(inputs.user))
        model = self.model(inputs)
        for turn in range(inputs.max_turns):
            with tracing_context(enabled=False):  # whatever the environment says: nothing goes anywhere else
                message = _ask(self._bound(model, inputs, turn), messages, stream=inputs.stream)
            calls = list(_calls(message))
            reading.answer = str(message.text)
            ended = {message.response_metadata.get(key) for key in ("finish_reason", "stop_reason", "status")}
            if not calls or ended & _CUT_OFF:
                reading.finished = True
                return
            messages.append(message)
            for call in calls:
                reading.calls.append(call)
                outcome = inputs.execute(call.name or "", call.arguments)
                messages.append(
                    ToolMessage(
                        result_text(outcome),
                        tool_call_id=call.id or "",
                        status="error" if outcome.is_error else "success",
                    )
                )

    def _bound(self, model: BaseChatModel, inputs: DriverInput, turn: int) -> Model:
        """The model with the scene's tools, and with the tool choice of this turn."""
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


def _ask(model: Model, messages: list[BaseMessage], *, stream: bool) -> AIMessage:
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
    from google.genai import Client, types
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
    )
    # The package takes arguments for an HTTP client, not a client; its SDK client is a field.
    options = types.HttpOptions(
        base_url=inputs.origin, api_version=inputs.path("/v1beta").strip("/"), httpx_client=inputs.http_client
    )
    model.client = Client(api_key=inputs.api_key, vertexai=False, http_options=options)
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
