"""LangChain on its provider packages: `bind_tools` with plain JSON Schema, and the tool loop in its own messages.

Every model sends through the scene's HTTP client, tries once, and traces nothing. The packages are an optional extra.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from conformance.drivers import Scene, Seen, SeenCall, result_text
from conformance.model.transcript import ToolDefinition

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel, LanguageModelInput
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.runnables import Runnable

    Model = Runnable[LanguageModelInput, AIMessage]


_CUT_OFF = {"length", "max_tokens", "MAX_TOKENS", "incomplete"}
"""What the packages call the end of a turn that the token limit cut off."""


@dataclass(frozen=True, eq=False)
class LangChainDriver:
    """One provider package.

    `model` builds its chat model, `choices` maps the neutral choices that `bind_tools` calls otherwise, `parallel` says
    whether that knows parallel calls as an option, and `function` is what a tool's definition has besides.
    """

    dialect: str
    package: str
    model: Callable[[Scene], BaseChatModel]
    choices: Mapping[str, Any] = field(default_factory=dict)
    parallel: bool = True
    function: Mapping[str, Any] = field(default_factory=dict)
    name: str = "langchain"

    def act(self, scene: Scene, seen: Seen) -> None:
        """The usual loop; the message goes back as LangChain made it, and every call, valid or not, is answered."""
        from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
        from langsmith import tracing_context

        messages: list[BaseMessage] = [SystemMessage(scene.system)] if scene.system else []
        messages.append(HumanMessage(scene.user))
        model = self.model(scene)
        for turn in range(scene.max_turns):
            with tracing_context(enabled=False):  # whatever the environment says: nothing goes anywhere else
                message = _ask(self._bound(model, scene, turn), messages, stream=scene.stream)
            calls = list(_calls(message))
            seen.answer = str(message.text)
            ended = {message.response_metadata.get(key) for key in ("finish_reason", "stop_reason", "status")}
            if not calls or ended & _CUT_OFF:
                seen.finished = True
                return
            messages.append(message)
            for call in calls:
                seen.calls.append(call)
                outcome = scene.execute(call.name or "", call.arguments)
                messages.append(
                    ToolMessage(
                        result_text(outcome),
                        tool_call_id=call.id or "",
                        status="error" if outcome.is_error else "success",
                    )
                )

    def _bound(self, model: BaseChatModel, scene: Scene, turn: int) -> Model:
        """The model with the scene's tools, and with the tool choice of this turn."""
        if not scene.tools:
            return model
        tools = [{"type": "function", "function": {**_function(tool), **self.function}} for tool in scene.tools]
        options: dict[str, Any] = {}
        choice = scene.tool_choice(turn)
        if choice is not None:
            options["tool_choice"] = self.choices.get(choice, choice)
        if self.parallel and scene.options.parallel_tool_calls is not None:
            options["parallel_tool_calls"] = scene.options.parallel_tool_calls
        return model.bind_tools(tools, **options)


def _function(tool: ToolDefinition) -> Mapping[str, Any]:
    """A tool as every package takes it; some take none without a schema, not even one that has no arguments."""
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


def _calls(message: AIMessage) -> Iterator[SeenCall]:
    """The calls as LangChain shows them: those it could read, then those whose arguments are no JSON object."""
    for call in message.tool_calls:
        yield SeenCall(call["id"], call["name"], call["args"])
    for broken in message.invalid_tool_calls:
        yield SeenCall(broken["id"], broken["name"], broken["args"])


def _openai(scene: Scene, **api: Any) -> BaseChatModel:
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    return ChatOpenAI(
        model=scene.model,
        api_key=SecretStr(scene.api_key),
        base_url=scene.base_url("/v1"),
        http_client=scene.http_client,
        max_completion_tokens=scene.options.max_tokens,
        max_retries=0,
        timeout=scene.timeout,
        stream_usage=True,
        **api,
    )


def _chat(scene: Scene) -> BaseChatModel:
    return _openai(scene, use_responses_api=False)


def _responses(scene: Scene) -> BaseChatModel:
    """Stateless: each request carries all earlier items."""
    reasoning = {"effort": "low", "summary": "auto"} if scene.options.reasoning else None
    include = ["reasoning.encrypted_content"]
    return _openai(scene, use_responses_api=True, store=False, include=include, reasoning=reasoning)


def _messages(scene: Scene) -> BaseChatModel:
    from functools import cached_property

    from anthropic import Anthropic
    from langchain_anthropic import ChatAnthropic
    from pydantic import SecretStr

    class Injected(ChatAnthropic):
        """The package takes no HTTP client; its SDK client is a property, which a subclass may give."""

        @cached_property
        def _client(self) -> Anthropic:
            return Anthropic(**self._client_params, http_client=scene.http_client)

    return Injected(
        model_name=scene.model,
        api_key=SecretStr(scene.api_key),
        base_url=scene.base_url("/v1", ends="/v1"),
        max_tokens_to_sample=scene.options.max_tokens,
        thinking={"type": "adaptive"} if scene.options.reasoning else None,
        max_retries=0,
        timeout=scene.timeout,
        stop=None,
    )


def _gemini(scene: Scene) -> BaseChatModel:
    from google.genai import Client, types
    from langchain_google_genai import ChatGoogleGenerativeAI

    # It logs each key of a schema that it drops; without a handler that would land on stderr.
    logging.getLogger("langchain_google_genai").addHandler(_SILENCE)
    model = ChatGoogleGenerativeAI(
        model=scene.model,
        api_key=scene.api_key,
        base_url=scene.origin,
        vertexai=False,
        max_output_tokens=scene.options.max_tokens,
        include_thoughts=scene.options.reasoning or None,
        max_retries=1,  # counts the first try as well; 0 would mean the SDK's own number
        timeout=scene.timeout,
    )
    # The package takes arguments for an HTTP client, not a client; its SDK client is a field.
    options = types.HttpOptions(
        base_url=scene.origin, api_version=scene.path("/v1beta").strip("/"), httpx_client=scene.http_client
    )
    model.client = Client(api_key=scene.api_key, vertexai=False, http_options=options)
    return model


_SILENCE = logging.NullHandler()
_ANTHROPIC_CHOICES = {"required": "any", "none": {"type": "none"}}

DRIVERS = (
    LangChainDriver("openai-chat", "langchain-openai", _chat),
    # A function that does not say whether it is strict is strict, and a scenario's schema need not suit that.
    LangChainDriver("openai-responses", "langchain-openai", _responses, function={"strict": False}),
    LangChainDriver("anthropic-messages", "langchain-anthropic", _messages, choices=_ANTHROPIC_CHOICES),
    LangChainDriver("gemini", "langchain-google-genai", _gemini, parallel=False),
)
