"""Chat Completions over plain HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drivers import DriverInput, ReadCall, arguments_of
from conformance.drivers.loop import Reply
from conformance.drivers.raw_http.raw import AnswerError, RawHttpDriver
from conformance.drivers.requests import ChatRequests


class Chat(ChatRequests, RawHttpDriver):
    def path(self, inputs: DriverInput) -> str:
        """One path for both modes."""
        return "/chat/completions"

    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {inputs.api_key}"}

    def read(self, body: Any) -> Reply:
        """The first choice's message."""
        choice = body["choices"][0]
        message = choice["message"]
        return _reply(message.get("content"), message.get("tool_calls") or [], choice["finish_reason"])

    def read_events(self, events: Iterator[tuple[str, str]]) -> Reply:
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
        return _reply("".join(text) or None, [calls[index] for index in sorted(calls)], stop)


def _reply(text: str | None, calls: Sequence[Mapping[str, Any]], stop: str | None) -> Reply:
    functions = [call for call in calls if call["type"] == "function"]
    seen = [
        ReadCall(call["id"], call["function"]["name"], arguments_of(call["function"]["arguments"]))
        for call in functions
    ]
    return Reply(text or "", seen, [{"role": "assistant", "content": text, "tool_calls": functions}], stop)
