"""The form of tool definitions in Responses requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.model.exchange import Request, json_request
from conformance.model.tool_form import ToolForm


def _request(tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:  # noqa: ARG001 - as others
    return json_request("/v1/responses", {"model": model or "gpt-4o-mini", "input": ".", "tools": list(tools)})


TOOL_FORM = ToolForm(
    tools_at="/tools",
    heading_at="",
    schema_at="/parameters",
    strict_at="/strict",
    fixed={"type": "function"},
    request=_request,
)
