"""Answers to `tools/list`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.mcp.messages import Message, answered
from conformance.judge.view import View


def listed(view: View) -> Iterator[tuple[Message, Message, dict[str, Any]]]:
    """Each request for a page, with the response and the result in it."""
    for request, response in answered(view, "tools/list"):
        if response is not None and response.result is not None:
            yield request, response, response.result


def tools_of(result: dict[str, Any]) -> list[Any]:
    """The tools of a page, unchanged; empty if it has no array of tools."""
    tools = result.get("tools")
    return tools if isinstance(tools, list) else []
