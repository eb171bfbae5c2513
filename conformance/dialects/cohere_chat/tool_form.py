"""The form of tool definitions in Cohere chat requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.model.exchange import Request, json_request
from conformance.model.tool_form import ToolForm


def _request(tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:  # noqa: ARG001 - as others
    messages = [{"role": "user", "content": "."}]
    return json_request("/v2/chat", {"model": model or "-", "messages": messages, "tools": list(tools)})


TOOL_FORM = ToolForm(
    tools_at="/tools",
    heading_at="/function",
    schema_at="/function/parameters",
    fixed={"type": "function"},
    request=_request,
)
