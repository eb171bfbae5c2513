"""The tools of recordings: those of each request, and those that an MCP server listed; each distinct list once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.model import jsontext
from conformance.model.exchange import Exchange
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs.definitions import definitions

_HOLDERS = ("tools", "functions", "toolConfig", "tool_config", "config")
"""The members of a request that may have tools, besides the items of a Responses request."""


def recorded_tools(path: str, *, format: str | None = None, stdin: IO[Any] | None = None) -> list[GivenTool]:  # noqa: A002
    """The tools of the recordings in a file or folder. The source of a tool names the exchange.

    Raises:
        ConformanceError: it is no recording, or none of its exchanges has tools.
    """
    found: list[GivenTool] = []
    seen: set[str] = set()
    for number, exchange in enumerate(read(path, format=format, stdin=stdin)):
        for tools in _lists(exchange, f"{exchange.source}, exchange {number}"):
            key = json.dumps([each.given for each in tools], sort_keys=True, default=str)
            if key not in seen:
                seen.add(key)
                found += tools
    if not found:
        raise ConformanceError(f"{path}: no exchange of the recording has tools", "pass a recording with tool use")
    return found


def _lists(exchange: Exchange, source: str) -> Iterator[list[GivenTool]]:
    """The tools of the request, and those of each page in the response to `tools/list`."""
    body = exchange.request.body.json
    if not isinstance(body, dict):
        return
    if body.get("method") == "tools/list":
        for reply in _replies(exchange):
            result = reply.get("result") if isinstance(reply, dict) else None
            if isinstance(result, dict) and isinstance(result.get("tools"), list):
                yield from _some(definitions(result, source, tolerant=True))
    elif body.keys() & {*_HOLDERS, "input"}:
        yield from _some(definitions(_with_tools(body), source, tolerant=True))


def _with_tools(body: dict[str, Any]) -> dict[str, Any]:
    """The members of a request that can have tools; nothing else in it is a tool definition."""
    kept: dict[str, Any] = {key: body[key] for key in _HOLDERS if key in body}
    items = body.get("input")
    if isinstance(items, list):
        kept["input"] = items
    return {**kept, "tools": kept.get("tools") or []}


def _some(tools: list[GivenTool]) -> Iterable[list[GivenTool]]:
    return [tools] if tools else []


def _replies(exchange: Exchange) -> Iterator[Any]:
    if exchange.response.is_event_stream:
        for event in exchange.response.events:
            yield jsontext.parse(event.data or "")
    else:
        yield exchange.response.body.json
