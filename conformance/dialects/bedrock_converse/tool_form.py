"""The form of tool definitions in Converse requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.model.exchange import Request, json_request
from conformance.model.tool_form import ToolForm


def _request(tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:  # noqa: ARG001 - as others
    messages = [{"role": "user", "content": [{"text": "."}]}]
    return json_request(f"/model/{model or '-'}/converse", {"messages": messages, "toolConfig": {"tools": list(tools)}})


TOOL_FORM = ToolForm(
    tools_at="/toolConfig/tools",
    heading_at="/toolSpec",
    schema_at="/toolSpec/inputSchema/json",
    strict_at="/toolSpec/strict",
    request=_request,
)
