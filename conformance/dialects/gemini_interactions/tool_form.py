"""The form of functions in requests for interactions."""

from __future__ import annotations

from conformance.model.tool_form import ToolForm

TOOL_FORM = ToolForm(
    path="/v1beta/interactions",
    model="gemini-3-flash-preview",
    body={"input": "."},
    tools_at="/tools",
    heading_at="",
    schema_at="/parameters",
    fixed={"type": "function"},
)
