"""The form of functions in requests for conversations."""

from __future__ import annotations

from conformance.model.tool_form import ToolForm

TOOL_FORM = ToolForm(
    path="/v1/conversations",
    body={"inputs": "."},
    tools_at="/tools",
    heading_at="/function",
    schema_at="/function/parameters",
    fixed={"type": "function"},
)
