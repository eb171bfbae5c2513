"""Conversations in the dialects that are written in text, made from their bases."""

from __future__ import annotations

from typing import Any

from conformance.judge.proofs.bases import base as exchanges_of
from conformance.model.exchange import Exchange
from conformance.model.transcript import ToolDefinition

_PLACE = {"latitude": {"type": "number"}, "longitude": {"type": "number"}}
WEATHER = ToolDefinition(
    "get_weather", "Current weather at a place.", {"type": "object", "properties": _PLACE, "required": list(_PLACE)}
)
"""The tool of the bases."""


def asked(base: str) -> Any:
    """The messages of a base's first request, or its prompt."""
    body = exchanges_of(base)[0]["request"]["body"]
    return body.get("messages", body.get("prompt"))


def answered(base: str) -> str:
    """The text of a base's first reply."""
    choice = exchanges_of(base)[0]["response"]["body"]["choices"][0]
    text: str = choice["message"]["content"] if "message" in choice else choice["text"]
    return text


def exchange(dialect: str, request: Any, reply: str, **more: Any) -> dict[str, Any]:
    """An exchange with these messages or this prompt, and this text as the reply; `more` are members of the request."""
    [record] = exchanges_of(f"{dialect}/call")
    body, choice = record["request"]["body"], record["response"]["body"]["choices"][0]
    body |= {"messages" if "messages" in body else "prompt": request, **more}
    choice.get("message", choice)["content" if "message" in choice else "text"] = reply
    choice["finish_reason"] = "stop"
    return record


def run_of(dialect: str, *exchanges: tuple[Any, str]) -> list[Exchange]:
    """A run of such exchanges, each reply with an id of its own."""
    records = [exchange(dialect, *each) for each in exchanges]
    for number, record in enumerate(records):
        record["response"]["body"]["id"] += str(number)
        record["response"]["body"]["usage"]["prompt_tokens"] += number
        record["response"]["body"]["usage"]["total_tokens"] += number
    return [Exchange.of(record, complete=True, group="seed") for record in records]
