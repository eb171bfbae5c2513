"""Anthropic Messages over plain HTTP, as with curl: the key in its own header, and the older API version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drivers import DriverInput, ReadCall, arguments_of
from conformance.drivers.loop import Reply
from conformance.drivers.raw_http.raw import AnswerError, RawHttpDriver
from conformance.drivers.requests import MessagesRequests

_GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class Messages(MessagesRequests, RawHttpDriver):
    def path(self, inputs: DriverInput) -> str:
        """One path for both modes."""
        return "/messages"

    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """The plain key, and the version of 2023, which the SDK no longer uses."""
        return {"x-api-key": inputs.api_key, "anthropic-version": "2023-06-01"}

    def read(self, body: Any) -> Reply:
        """All blocks of the content."""
        return _reply(body["content"], body["stop_reason"])

    def read_events(self, events: Iterator[tuple[str, str]]) -> Reply:
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
        return _reply([blocks[number] for number in sorted(blocks)], stop)


def _reply(blocks: Sequence[Any], stop: str | None) -> Reply:
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    calls = [ReadCall(block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"]
    # Requests refuse fields that are null in an answer, and empty texts.
    echo = [
        {key: value for key, value in block.items() if value is not None}
        for block in blocks
        if block["type"] != "text" or block["text"]
    ]
    return Reply(text, calls, [{"role": "assistant", "content": echo}], stop)
