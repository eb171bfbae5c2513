"""The official Google Gen AI SDK on the Gemini API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.drivers import ClientReading, DriverInput, ReadCall

if TYPE_CHECKING:
    from google.genai import Client, types

_MODES = {"auto": "AUTO", "none": "NONE", "required": "ANY"}


class GoogleGenAIDriver:
    name = "google-genai"
    dialect = "gemini"
    package = "google-genai"
    since = "1.46"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """The usual loop; the model's content goes back unchanged, all responses in one user content."""
        from google.genai import Client, types

        client = Client(
            api_key=inputs.api_key,
            vertexai=False,
            http_options=types.HttpOptions(
                base_url=inputs.origin,
                api_version=inputs.path("/v1beta").strip("/"),
                httpx_client=inputs.http_client,
                timeout=int(inputs.timeout * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
            ),
        )
        contents = [types.Content(role="user", parts=[types.Part(text=inputs.user)])]
        for turn in range(inputs.max_turns):
            content, stop = _ask(client, inputs.model, contents, _config(inputs, turn), stream=inputs.stream)
            parts = content.parts or []
            calls = [part.function_call for part in parts if part.function_call]
            reading.answer = "".join(part.text for part in parts if part.text and not part.thought)
            if not calls or stop == types.FinishReason.MAX_TOKENS:
                reading.finished = True
                return
            contents.append(content)
            responses = []
            for call in calls:
                arguments = call.args or {}
                reading.calls.append(ReadCall(call.id, call.name, arguments))
                outcome = inputs.execute(call.name or "", arguments)
                response = {"error" if outcome.is_error else "output": outcome.value}
                answer = types.FunctionResponse(id=call.id, name=call.name, response=response)
                responses.append(types.Part(function_response=answer))
            contents.append(types.Content(role="user", parts=responses))


def _config(inputs: DriverInput, turn: int) -> types.GenerateContentConfig:
    from google.genai import types

    config = types.GenerateContentConfig(
        system_instruction=inputs.system,
        max_output_tokens=inputs.options.max_tokens,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    if inputs.options.reasoning:
        config.thinking_config = types.ThinkingConfig(include_thoughts=True)
    if inputs.tools:
        declarations = [
            types.FunctionDeclaration(
                name=tool.name, description=tool.description, parameters_json_schema=tool.parameters
            )
            for tool in inputs.tools
        ]
        config.tools = [types.Tool(function_declarations=declarations)]
    choice = inputs.tool_choice(turn)
    if choice is not None:
        calling = types.FunctionCallingConfig(
            mode=types.FunctionCallingConfigMode(_MODES.get(choice, "ANY")),
            allowed_function_names=None if choice in _MODES else [choice],
        )
        config.tool_config = types.ToolConfig(function_calling_config=calling)
    return config


def _ask(
    client: Client, model: str, contents: list[Any], config: types.GenerateContentConfig, *, stream: bool
) -> tuple[types.Content, types.FinishReason | None]:
    """The model's content and why it stopped; of a stream, the parts of all chunks in their order."""
    from google.genai import types

    if stream:
        chunks = list(client.models.generate_content_stream(model=model, contents=contents, config=config))
    else:
        chunks = [client.models.generate_content(model=model, contents=contents, config=config)]
    candidates = [chunk.candidates[0] for chunk in chunks if chunk.candidates]
    said = [candidate.content.parts or [] for candidate in candidates if candidate.content]
    stop = next((candidate.finish_reason for candidate in reversed(candidates) if candidate.finish_reason), None)
    return types.Content(role="model", parts=[part for parts in said for part in parts]), stop


DRIVERS = (GoogleGenAIDriver(),)
