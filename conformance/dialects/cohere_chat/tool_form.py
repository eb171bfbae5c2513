"""The form of tool definitions in Cohere chat requests."""

from __future__ import annotations

from conformance.model.tool_form import ToolForm

TOOL_FORM = ToolForm(
    path="/v2/chat",
    body={"messages": [{"role": "user", "content": "."}]},
    tools_at="/tools",
    heading_at="/function",
    schema_at="/function/parameters",
    fixed={"type": "function"},
)
