"""The form of function declarations in Gemini requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.dialects.gemini.schema import to_json_schema
from conformance.model.exchange import Request, json_request
from conformance.model.tool_form import ToolForm


def _request(tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:  # noqa: ARG001 - as others
    body = {
        "contents": [{"role": "user", "parts": [{"text": "."}]}],
        "tools": [{"functionDeclarations": list(tools)}],
    }
    return json_request(f"/v1beta/models/{model or 'gemini-3-flash-preview'}:generateContent", body)


TOOL_FORM = ToolForm(
    tools_at="/tools/0/functionDeclarations",
    heading_at="",
    schema_at="/parameters",
    request=_request,
    to_json_schema=to_json_schema,
)
