"""LangChain on its provider packages: `bind_tools` with plain JSON Schema, and the tool loop in its own messages.

Every model sends through the scene's HTTP client, tries once, and traces nothing. The packages are an optional extra.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.drivers import TIMEOUT_SECONDS, Scene, Seen, SeenCall, result_text

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel, LanguageModelInput
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.runnables import Runnable

    Model = Runnable[LanguageModelInput, AIMessage]


@dataclass(frozen=True)
class LangChainDriver:
    """One provider package; `model` builds its chat model with the scene's tools bound to it."""

    dialect: str
    package: str
    model: Callable[[Scene], Model]
    name: str = "langchain"

    def act(self, scene: Scene, seen: Seen) -> None:
        """The usual loop; the message goes back as LangChain made it, and every call, valid or not, is answered."""
        from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage
        from langsmith import tracing_context

        messages: list[BaseMessage] = [SystemMessage(scene.system)] if scene.system else []
        messages.append(HumanMessage(scene.user))
        model = self.model(scene)
        for _ in range(scene.max_turns):
            with tracing_context(enabled=False):  # whatever the environment says: nothing goes anywhere else
                message = _ask(model, messages, stream=scene.stream)
            calls = list(_calls(message))
            seen.answer = str(message.text)
            if not calls:
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


def _ask(model: Model, messages: list[BaseMessage], *, stream: bool) -> AIMessage:
    """The model's message; of a stream, the sum of its chunks."""
    from langchain_core.messages import message_chunk_to_message

    if not stream:
        return model.invoke(messages)
    chunks: Iterator[Any] = model.stream(messages)
    whole = next(chunks)
    for chunk in chunks:
        whole += chunk
    message: Any = message_chunk_to_message(whole)  # typed as any message; that of AI chunks is an AI message
    return message


def _calls(message: AIMessage) -> Iterator[SeenCall]:
    """The calls as LangChain shows them: those it could read, then those whose arguments are no JSON object."""
    for call in message.tool_calls:
        yield SeenCall(call["id"], call["name"], call["args"])
    for broken in message.invalid_tool_calls:
        yield SeenCall(broken["id"], broken["name"], broken["args"])


def _bound(
    model: BaseChatModel,
    scene: Scene,
    *,
    choices: Mapping[str, Any] | None = None,
    parallel: bool = True,
    **function: Any,
) -> Model:
    """The model with the scene's tools; `choices` maps the neutral choices that the package calls otherwise.

    `parallel` is whether the package knows the option, `function` what a tool's definition has besides.
    """
    if not scene.tools:
        return model
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                # Some of the packages take no tool without a schema, not even one that has no arguments.
                "parameters": tool.parameters if tool.parameters is not None else {"type": "object", "properties": {}},
                **function,
            },
        }
        for tool in scene.tools
    ]
    options: dict[str, Any] = {}
    if scene.options.tool_choice is not None:
        options["tool_choice"] = (choices or {}).get(scene.options.tool_choice, scene.options.tool_choice)
    if parallel and scene.options.parallel_tool_calls is not None:
        options["parallel_tool_calls"] = scene.options.parallel_tool_calls
    return model.bind_tools(tools, **options)


def _openai(scene: Scene, **api: Any) -> BaseChatModel:
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    return ChatOpenAI(
        model=scene.model,
        api_key=SecretStr(scene.api_key),
        base_url=f"{scene.origin}/v1",
        http_client=scene.http_client,
        max_completion_tokens=scene.options.max_tokens,
        max_retries=0,
        timeout=TIMEOUT_SECONDS,
        stream_usage=True,
        **api,
    )


def _chat(scene: Scene) -> Model:
    return _bound(_openai(scene, use_responses_api=False), scene)


def _responses(scene: Scene) -> Model:
    """Stateless. A function that does not say whether it is strict is strict, and a scenario's schema need not suit."""
    model = _openai(scene, use_responses_api=True, store=False, include=["reasoning.encrypted_content"])
    return _bound(model, scene, strict=False)


def _messages(scene: Scene) -> Model:
    from functools import cached_property

    from anthropic import Anthropic
    from langchain_anthropic import ChatAnthropic
    from pydantic import SecretStr

    class Injected(ChatAnthropic):
        """The package takes no HTTP client; its SDK client is a property, which a subclass may give."""

        @cached_property
        def _client(self) -> Anthropic:
            return Anthropic(**self._client_params, http_client=scene.http_client)

    model = Injected(
        model_name=scene.model,
        api_key=SecretStr(scene.api_key),
        base_url=scene.origin,
        max_tokens_to_sample=scene.options.max_tokens,
        max_retries=0,
        timeout=TIMEOUT_SECONDS,
        stop=None,
    )
    return _bound(model, scene, choices={"required": "any", "none": {"type": "none"}})


def _gemini(scene: Scene) -> Model:
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
        max_retries=1,  # counts the first try as well; 0 would mean the SDK's own number
        timeout=TIMEOUT_SECONDS,
    )
    # The package takes arguments for an HTTP client, not a client; its SDK client is a field.
    options = types.HttpOptions(base_url=scene.origin, httpx_client=scene.http_client)
    model.client = Client(api_key=scene.api_key, vertexai=False, http_options=options)
    return _bound(model, scene, parallel=False)


_SILENCE = logging.NullHandler()

DRIVERS = (
    LangChainDriver("openai-chat", "langchain-openai", _chat),
    LangChainDriver("openai-responses", "langchain-openai", _responses),
    LangChainDriver("anthropic-messages", "langchain-anthropic", _messages),
    LangChainDriver("gemini", "langchain-google-genai", _gemini),
)
