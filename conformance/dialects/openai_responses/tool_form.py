"""The form of tool definitions in Responses requests."""

from __future__ import annotations

from conformance.model.tool_form import ToolForm

TOOL_FORM = ToolForm(
    path="/v1/responses",
    model="gpt-4o-mini",
    body={"input": "."},
    tools_at="/tools",
    heading_at="",
    schema_at="/parameters",
    strict_at="/strict",
    fixed={"type": "function"},
)
