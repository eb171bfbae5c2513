"""Runs with both sides of a client: the model's provider, and the MCP server that runs the tools."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects.mcp.messages import Message, answered
from conformance.judge.view import View
from conformance.model.frozen import dataclass
from conformance.model.transcript import Malformed, ToolCall

_NAME = "mcp"


@dataclass(frozen=True, slots=True)
class Passed:
    """A call that the client forwarded to the server: the request, and the response if there is one."""

    number: int
    name: str
    arguments: Any
    response: Message | None

    @property
    def failure(self) -> tuple[str, ...] | None:
        """The server's texts about a failed call; None if the call did not fail."""
        if self.response is None:
            return None
        if self.response.error is not None:
            return tuple(_texts([self.response.error.get("message")]))
        result = self.response.result
        if result is None or result.get("isError") is not True:
            return None
        content = result.get("content")
        blocks = content if isinstance(content, list) else ()
        return tuple(_texts([block.get("text") for block in blocks if isinstance(block, dict)]))


def spelled(name: str | None) -> str:
    """A name without the characters that providers refuse, so that both spellings of a tool's name are equal."""
    return re.sub(r"[^A-Za-z0-9-]", "_", name or "")


def listed(view: View) -> dict[str, dict[str, Any]]:
    """The tools that servers listed in the run, by the key of their names; without those that share a key."""
    found: dict[str, dict[str, Any]] = {}
    unclear: set[str] = set()
    for each in view.other_dialects:
        if each.dialect.name != _NAME:
            continue
        for _, response in answered(each, "tools/list"):
            tools = response.result.get("tools") if response is not None and response.result else None
            for tool in tools if isinstance(tools, list) else ():
                if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
                    continue
                key = spelled(tool["name"])
                if key in found and found[key]["name"] != tool["name"]:
                    unclear.add(key)
                found[key] = tool
    return {key: tool for key, tool in found.items() if key not in unclear}


def passed_on(views: Sequence[View]) -> Iterator[Passed]:
    """The calls that the client forwarded to a server in these exchanges."""
    for view in views:
        if view.dialect.name == _NAME:
            for request, response in answered(view, "tools/call"):
                name, arguments = request.params.get("name"), request.params.get("arguments", {})
                if isinstance(name, str):
                    yield Passed(view.number, name, arguments, response)


def asked_for(view: View) -> tuple[ToolCall, ...]:
    """The calls of the latest model reply with calls before this exchange."""
    for each in reversed(view.other_dialects):
        calls = tuple(call for turn in each.replies for call in turn.calls)
        if calls and each.dialect.name != _NAME:
            return calls
    return ()


def readable(call: ToolCall) -> bool:
    """Whether the arguments of a call equal those of the model's call."""
    return call.kind == "function" and not isinstance(call.arguments, Malformed)


def has_text(content: Any, text: str) -> bool:
    """Whether a text is anywhere in what the client sends to the model, however it is wrapped."""
    wanted = " ".join(text.split())
    return any(wanted in " ".join(leaf.split()) for leaf in _leaves(content))


def _texts(values: Sequence[Any]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str) and value.strip())


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if value.lstrip()[:1] in ("{", "[", '"'):
            try:
                yield from _leaves(json.loads(value))
            except (ValueError, RecursionError):
                return
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
