"""The form of tool definitions in Chat requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.model.exchange import Request, json_request
from conformance.model.tool_form import ToolForm


def _request(tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:  # noqa: ARG001 - as others
    body = {"model": model or "gpt-4o-mini", "messages": [{"role": "user", "content": "."}], "tools": list(tools)}
    return json_request("/v1/chat/completions", body)


TOOL_FORM = ToolForm(
    tools_at="/tools",
    heading_at="/function",
    schema_at="/function/parameters",
    strict_at="/function/strict",
    fixed={"type": "function"},
    request=_request,
)
