"""Anthropic Messages over plain HTTP, as with curl: the key in its own header, and the older API version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drivers import DriverInput, ReadCall, arguments_of, result_text
from conformance.drivers.raw_http.loop import AnswerError, Heard, RawHttpDriver, Result

_CHOICES = {"auto": "auto", "none": "none", "required": "any"}
_GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class Messages(RawHttpDriver):
    dialect = "anthropic-messages"
    cut_off = "max_tokens"

    def opening(self, inputs: DriverInput) -> list[Any]:
        """The user's message; the system's words have a field of their own."""
        return [{"role": "user", "content": inputs.user}]

    def path(self, inputs: DriverInput) -> str:
        """One path for both modes."""
        return "/messages"

    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """The plain key, and the version of 2023, which the SDK no longer uses."""
        return {"x-api-key": inputs.api_key, "anthropic-version": "2023-06-01"}

    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> Mapping[str, Any]:
        """The request."""
        body: dict[str, Any] = {
            "model": inputs.model,
            "max_tokens": inputs.options.max_tokens,
            "messages": history,
        }
        if inputs.stream:
            body["stream"] = True
        if inputs.options.reasoning:
            body["thinking"] = {"type": "adaptive"}
        if inputs.system:
            body["system"] = inputs.system
        if inputs.tools:
            body["tools"] = [
                {
                    **tool.heading,
                    "input_schema": tool.parameters if tool.parameters is not None else {"type": "object"},
                }
                for tool in inputs.tools
            ]
        choice = inputs.tool_choice(turn)
        parallel = inputs.options.parallel_tool_calls
        if choice is not None or parallel is not None:
            kind = _CHOICES.get(choice or "auto")
            wanted: dict[str, Any] = {"type": kind} if kind else {"type": "tool", "name": choice}
            if parallel is not None and kind != "none":
                wanted["disable_parallel_tool_use"] = not parallel
            body["tool_choice"] = wanted
        return body

    def read(self, body: Any) -> Heard:
        """All blocks of the content."""
        return _heard(body["content"], body["stop_reason"])

    def read_events(self, events: Iterator[tuple[str, str]]) -> Heard:
        """The blocks by their index, each grown by its deltas; a call's input is whole when its block is closed."""
        blocks: dict[int, Any] = {}
        inputs: dict[int, str] = {}
        stop = None
        for name, data in events:
            event = json.loads(data)
            if name == "error":
                raise AnswerError(str(event["error"]))
            if name == "content_block_start":
                blocks[event["index"]] = dict(event["content_block"])
            elif name == "content_block_delta":
                number, delta = event["index"], event["delta"]
                if delta["type"] == "input_json_delta":
                    inputs[number] = inputs.get(number, "") + delta["partial_json"]
                elif delta["type"] in _GROWING:
                    key = _GROWING[delta["type"]]
                    blocks[number][key] = blocks[number].get(key, "") + delta[key]
            elif name == "message_delta":
                stop = event["delta"]["stop_reason"]
        for number, text in inputs.items():
            if text:  # a call without arguments has an empty text, and the empty object that its block began with
                blocks[number]["input"] = arguments_of(text)
        return _heard([blocks[number] for number in sorted(blocks)], stop)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """All results in one message of the user."""
        return [{"role": "user", "content": [_result(result) for result in results]}]


def _heard(blocks: Sequence[Any], stop: str | None) -> Heard:
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    calls = [ReadCall(block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"]
    # Requests refuse fields that are null in an answer, and empty texts.
    said = [
        {key: value for key, value in block.items() if value is not None}
        for block in blocks
        if block["type"] != "text" or block["text"]
    ]
    return Heard(text, calls, [{"role": "assistant", "content": said}], stop)


def _result(result: Result) -> Mapping[str, Any]:
    block = {"type": "tool_result", "tool_use_id": result.call.id, "content": result_text(result.outcome)}
    return {**block, "is_error": True} if result.outcome.is_error else block
