"""The Gemini API over plain HTTP, streamed as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drivers import DriverInput, ReadCall
from conformance.drivers.loop import Reply, Result
from conformance.drivers.raw_http.raw import AnswerError, RawHttpDriver
from conformance.drivers.requests import IMAGE, IMAGE_TYPE, system_parts
from conformance.model.transcript import ToolDefinition

_MODES = {"auto": "AUTO", "none": "NONE", "required": "ANY"}


class Gemini(RawHttpDriver):
    dialect = "gemini"
    cut_off = ("MAX_TOKENS",)
    root = "/v1beta"

    def opening(self, inputs: DriverInput) -> list[Any]:
        """The user's content; the system's words have a field of their own."""
        image = [{"inlineData": {"mimeType": IMAGE_TYPE, "data": IMAGE}}] if inputs.options.image else []
        return [{"role": "user", "parts": [{"text": inputs.user}, *image]}]

    def path(self, inputs: DriverInput) -> str:
        """The model and the mode are in the path."""
        method = "streamGenerateContent?alt=sse" if inputs.stream else "generateContent"
        return f"/models/{inputs.model}:{method}"

    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """The key in a header, not in the query, which logs contain."""
        return {"x-goog-api-key": inputs.api_key}

    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> Mapping[str, Any]:
        """The request, in the camel case of the documentation."""
        config: dict[str, Any] = {
            "maxOutputTokens": inputs.options.max_tokens,
            **inputs.options.sampling(temperature="temperature", top_p="topP", stop="stopSequences"),
        }
        if inputs.options.reasoning:
            config["thinkingConfig"] = {"includeThoughts": True}
        if inputs.options.output is not None:
            config |= {"responseMimeType": "application/json", "responseJsonSchema": inputs.options.output}
        body: dict[str, Any] = {"contents": history, "generationConfig": config}
        if inputs.system:
            body["systemInstruction"] = {"parts": [{"text": each} for each in system_parts(inputs)]}
        if inputs.tools:
            body["tools"] = [{"functionDeclarations": [_declaration(tool) for tool in inputs.tools]}]
        if inputs.options.search:
            body["tools"] = [*body.get("tools", ()), {"googleSearch": {}}]
        choice = inputs.tool_choice(turn)
        if choice is not None:
            calling: dict[str, Any] = {"mode": _MODES.get(choice, "ANY")}
            if choice not in _MODES:
                calling["allowedFunctionNames"] = [choice]
            body["toolConfig"] = {"functionCallingConfig": calling}
        return body

    def read(self, body: Any) -> Reply:
        """The first candidate's parts."""
        return _reply([body])

    def read_events(self, events: Iterator[tuple[str, str]]) -> Reply:
        """The parts of all chunks in their order: text comes in pieces, a call comes whole."""
        return _reply([json.loads(data) for _, data in events])

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """All responses in one content of the user, each with the id of its call if that has one."""
        return [{"role": "user", "parts": [{"functionResponse": _response(result)} for result in results]}]


def _declaration(tool: ToolDefinition) -> Mapping[str, Any]:
    declaration = tool.heading
    return declaration if tool.parameters is None else {**declaration, "parametersJsonSchema": tool.parameters}


def _reply(bodies: Sequence[Any]) -> Reply:
    parts: list[Any] = []
    stop = None
    for body in bodies:
        if "error" in body:
            raise AnswerError(str(body["error"]))
        for candidate in body.get("candidates", ())[:1]:
            parts += (candidate.get("content") or {}).get("parts", ())
            stop = candidate.get("finishReason", stop)
    text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
    called = [part["functionCall"] for part in parts if "functionCall" in part]
    calls = [ReadCall(call.get("id"), call["name"], call.get("args") or {}) for call in called]
    return Reply(text, calls, [{"role": "model", "parts": parts}], stop)


def _response(result: Result) -> Mapping[str, Any]:
    key = "error" if result.outcome.is_error else "output"
    response = {"name": result.call.name, "response": {key: result.outcome.value}}
    return response if result.call.id is None else {"id": result.call.id, **response}
