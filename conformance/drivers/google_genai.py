"""The official Google Gen AI SDK on the Gemini API."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall
from conformance.drivers.loop import LoopDriver, Reply, Result
from conformance.drivers.requests import IMAGE, IMAGE_TYPE, system_parts

if TYPE_CHECKING:
    from google.genai import Client, types

_MODES = {"auto": "AUTO", "none": "NONE", "required": "ANY"}


def http_options(inputs: DriverInput, **more: Any) -> types.HttpOptions:
    """Where the SDK sends its requests: over the HTTP client of the input."""
    from google.genai import types

    return types.HttpOptions(
        base_url=inputs.origin,
        api_version=inputs.path("/v1beta").strip("/"),
        httpx_client=inputs.http_client,
        client_args=unused_clients(),
        async_client_args=unused_clients(),
        **more,
    )


def unused_clients() -> dict[str, Any]:
    """Arguments of the three clients that the SDK makes besides; without them, each loads all certificates in 20 ms."""
    import ssl

    trusts_none = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return {"verify": trusts_none, "ssl": trusts_none}


_NO_STATUS = 599
"""What no server answers."""


def client_of(inputs: DriverInput) -> Client:
    """The SDK's client of the Gemini API, which asks once: in version 2, one attempt is one more for interactions."""
    from google.genai import Client, types

    once = types.HttpRetryOptions(attempts=1, http_status_codes=[_NO_STATUS])
    options = http_options(inputs, timeout=int(inputs.timeout * 1000), retry_options=once)
    return Client(api_key=inputs.api_key, vertexai=False, http_options=options)


class GoogleGenAIDriver(LoopDriver):
    name = "google-genai"
    dialect = "gemini"
    package = "google-genai"
    since = "1.46"
    cut_off = ("MAX_TOKENS",)

    def client(self, inputs: DriverInput) -> Client:
        return client_of(inputs)

    def opening(self, inputs: DriverInput) -> list[Any]:
        from google.genai import types

        parts = [types.Part(text=inputs.user)]
        if inputs.options.image:
            parts.append(types.Part.from_bytes(data=base64.b64decode(IMAGE), mime_type=IMAGE_TYPE))
        return [types.Content(role="user", parts=parts)]

    def ask(self, client: Client, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The model's content goes back unchanged."""
        content, stop = _content(client, inputs.model, history, _config(inputs, turn), stream=inputs.stream)
        parts = content.parts or []
        called = [part.function_call for part in parts if part.function_call]
        text = "".join(part.text for part in parts if part.text and not part.thought)
        calls = [ReadCall(call.id, call.name, call.args or {}) for call in called]
        return Reply(text, calls, [content], stop)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """All responses in one content of the user."""
        from google.genai import types

        responses = [
            types.FunctionResponse(
                id=result.call.id,
                name=result.call.name,
                response={"error" if result.outcome.is_error else "output": result.outcome.value},
            )
            for result in results
        ]
        return [types.Content(role="user", parts=[types.Part(function_response=each) for each in responses])]


def _config(inputs: DriverInput, turn: int) -> types.GenerateContentConfig:
    from google.genai import types

    config = types.GenerateContentConfig(
        system_instruction=system_parts(inputs) if inputs.options.in_parts else inputs.system,
        max_output_tokens=inputs.options.max_tokens,
        **inputs.options.sampling(temperature="temperature", top_p="top_p", stop="stop_sequences"),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    if inputs.options.reasoning:
        config.thinking_config = types.ThinkingConfig(include_thoughts=True)
    if inputs.options.output is not None:
        config.response_mime_type, config.response_json_schema = "application/json", inputs.options.output
    if inputs.tools:
        declarations = [
            types.FunctionDeclaration(
                name=tool.name, description=tool.description, parameters_json_schema=tool.parameters
            )
            for tool in inputs.tools
        ]
        config.tools = [types.Tool(function_declarations=declarations)]
    if inputs.options.search:
        config.tools = [*(config.tools or ()), types.Tool(google_search=types.GoogleSearch())]
    choice = inputs.tool_choice(turn)
    if choice is not None:
        calling = types.FunctionCallingConfig(
            mode=types.FunctionCallingConfigMode(_MODES.get(choice, "ANY")),
            allowed_function_names=None if choice in _MODES else [choice],
        )
        config.tool_config = types.ToolConfig(function_calling_config=calling)
    return config


def _content(
    client: Client, model: str, contents: list[Any], config: types.GenerateContentConfig, *, stream: bool
) -> tuple[types.Content, types.FinishReason | None]:
    """The model's content and why it stopped; of a stream, the parts of all chunks in their order."""
    from google.genai import types

    if stream:
        chunks = list(client.models.generate_content_stream(model=model, contents=contents, config=config))
    else:
        chunks = [client.models.generate_content(model=model, contents=contents, config=config)]
    candidates = [chunk.candidates[0] for chunk in chunks if chunk.candidates]
    read = [candidate.content for candidate in candidates if candidate.content]
    stop = next((candidate.finish_reason for candidate in reversed(candidates) if candidate.finish_reason), None)
    return types.Content(role="model", parts=[part for each in read for part in each.parts or ()]), stop


DRIVERS = (GoogleGenAIDriver(),)
