"""The Responses API over plain HTTP, stateless: each request has all earlier items."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drivers import DriverInput, ReadCall, arguments_of, result_text
from conformance.drivers.raw_http.loop import AnswerError, Heard, RawHttpDriver, Result

_NO_PARAMETERS = {"type": "object", "properties": {}}
_CHOICES = ("auto", "none", "required")


class Responses(RawHttpDriver):
    dialect = "openai-responses"
    cut_off = "incomplete"

    def opening(self, inputs: DriverInput) -> list[Any]:
        """The user's message; the system's words have a field of their own."""
        return [{"role": "user", "content": inputs.user}]

    def path(self, inputs: DriverInput) -> str:
        """One path for both modes."""
        return "/responses"

    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {inputs.api_key}"}

    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> Mapping[str, Any]:
        """The request; the server keeps nothing of it."""
        body: dict[str, Any] = {
            "model": inputs.model,
            "input": history,
            "max_output_tokens": inputs.options.max_tokens,
            "store": False,
            "include": ["reasoning.encrypted_content"],
        }
        if inputs.stream:
            body["stream"] = True
        if inputs.options.reasoning:
            body["reasoning"] = {"effort": "low", "summary": "auto"}
        if inputs.system:
            body["instructions"] = inputs.system
        if inputs.tools:
            body["tools"] = [
                {
                    "type": "function",
                    **tool.heading,
                    "parameters": tool.parameters if tool.parameters is not None else _NO_PARAMETERS,
                    "strict": False,
                }
                for tool in inputs.tools
            ]
        choice = inputs.tool_choice(turn)
        if choice is not None:
            body["tool_choice"] = choice if choice in _CHOICES else {"type": "function", "name": choice}
        if inputs.options.parallel_tool_calls is not None:
            body["parallel_tool_calls"] = inputs.options.parallel_tool_calls
        return body

    def read(self, body: Any) -> Heard:
        """All items of the output."""
        return _heard(body["output"], body["status"])

    def read_events(self, events: Iterator[tuple[str, str]]) -> Heard:
        """The items as each was declared done, in the order of the output."""
        items: dict[int, Any] = {}
        stop = None
        for _, data in events:
            event = json.loads(data)
            if event["type"] == "response.output_item.done":
                items[event["output_index"]] = event["item"]
            elif event["type"] in ("response.completed", "response.incomplete"):
                stop = event["response"]["status"]
            elif event["type"] in ("error", "response.failed"):
                raise AnswerError(data[:200])
        return _heard([items[index] for index in sorted(items)], stop)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """One item for each call."""
        return [
            {"type": "function_call_output", "call_id": result.call.id, "output": result_text(result.outcome)}
            for result in results
        ]


def _heard(items: Sequence[Any], stop: str | None) -> Heard:
    text = [
        part["text"]
        for item in items
        if item["type"] == "message"
        for part in item["content"]
        if part["type"] == "output_text"
    ]
    calls = [
        ReadCall(item["call_id"], item["name"], arguments_of(item["arguments"]))
        for item in items
        if item["type"] == "function_call"
    ]
    # Requests refuse fields that are null in an answer, such as a reasoning item's status.
    said = [{key: value for key, value in item.items() if value is not None} for item in items]
    return Heard("".join(text), calls, said, stop)
