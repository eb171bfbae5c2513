"""The form of functions in requests for conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.model.exchange import Request, json_request
from conformance.model.tool_form import ToolForm


def _request(tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:  # noqa: ARG001 - as others
    body = {"model": model or "mistral-medium-latest", "inputs": ".", "tools": list(tools)}
    return json_request("/v1/conversations", body)


TOOL_FORM = ToolForm(
    tools_at="/tools",
    heading_at="/function",
    schema_at="/function/parameters",
    fixed={"type": "function"},
    request=_request,
)
