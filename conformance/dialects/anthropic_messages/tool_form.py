"""The form of tool definitions in Messages requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.model.exchange import Request, json_request
from conformance.model.tool_form import ToolForm

_VERSION = "2026-10-21"


def _request(tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:
    body = {
        "model": model or "claude-sonnet-4-5",
        "max_tokens": 1024,
        "messages": [{"role": "user", "content": "."}],
        "tools": list(tools),
    }
    return json_request("/v1/messages", body, ("anthropic-version", api_version or _VERSION))


TOOL_FORM = ToolForm(tools_at="/tools", heading_at="", schema_at="/input_schema", strict_at="/strict", request=_request)
