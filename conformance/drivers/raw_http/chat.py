"""Chat Completions over plain HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drivers import DriverInput, ReadCall, arguments_of, result_text
from conformance.drivers.raw_http.loop import AnswerError, Heard, RawHttpDriver, Result
from conformance.model.transcript import ToolDefinition

_CHOICES = ("auto", "none", "required")


class Chat(RawHttpDriver):
    dialect = "openai-chat"
    cut_off = "length"

    def opening(self, inputs: DriverInput) -> list[Any]:
        """The system's message, if there is one, and the user's."""
        system = [{"role": "system", "content": inputs.system}] if inputs.system else []
        return [*system, {"role": "user", "content": inputs.user}]

    def path(self, inputs: DriverInput) -> str:
        """One path for both modes."""
        return "/chat/completions"

    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {inputs.api_key}"}

    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> Mapping[str, Any]:
        """The request."""
        body: dict[str, Any] = {
            "model": inputs.model,
            "messages": history,
            "max_completion_tokens": inputs.options.max_tokens,
        }
        if inputs.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if inputs.tools:
            body["tools"] = [{"type": "function", "function": _function(tool)} for tool in inputs.tools]
        choice = inputs.tool_choice(turn)
        if choice is not None:
            body["tool_choice"] = choice if choice in _CHOICES else {"type": "function", "function": {"name": choice}}
        if inputs.options.parallel_tool_calls is not None:
            body["parallel_tool_calls"] = inputs.options.parallel_tool_calls
        return body

    def read(self, body: Any) -> Heard:
        """The first choice's message."""
        choice = body["choices"][0]
        message = choice["message"]
        return _heard(message.get("content"), message.get("tool_calls") or [], choice["finish_reason"])

    def read_events(self, events: Iterator[tuple[str, str]]) -> Heard:
        """The first choice's deltas: text is concatenated, and so are the arguments of each index."""
        text: list[str] = []
        calls: dict[int, dict[str, Any]] = {}
        stop = None
        for _, data in events:
            if data == "[DONE]":
                break
            chunk = json.loads(data)
            if "error" in chunk:
                raise AnswerError(str(chunk["error"]))
            for choice in chunk["choices"][:1]:
                delta = choice["delta"]
                stop = choice["finish_reason"] or stop
                text.append(delta.get("content") or "")
                for piece in delta.get("tool_calls") or ():
                    function = piece.get("function") or {}
                    call = calls.setdefault(
                        piece["index"], {"type": "function", "function": {"name": "", "arguments": ""}}
                    )
                    call.update({key: piece[key] for key in ("id", "type") if piece.get(key)})
                    for key in ("name", "arguments"):
                        call["function"][key] += function.get(key) or ""
        return _heard("".join(text) or None, [calls[index] for index in sorted(calls)], stop)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """One message for each call."""
        return [
            {"role": "tool", "tool_call_id": result.call.id, "content": result_text(result.outcome)}
            for result in results
        ]


def _function(tool: ToolDefinition) -> Mapping[str, Any]:
    function = tool.heading
    return function if tool.parameters is None else {**function, "parameters": tool.parameters}


def _heard(text: str | None, calls: Sequence[Mapping[str, Any]], stop: str | None) -> Heard:
    functions = [call for call in calls if call["type"] == "function"]
    seen = [
        ReadCall(call["id"], call["function"]["name"], arguments_of(call["function"]["arguments"]))
        for call in functions
    ]
    return Heard(text or "", seen, [{"role": "assistant", "content": text, "tool_calls": functions}], stop)
