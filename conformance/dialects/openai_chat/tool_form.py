"""The form of tool definitions in Chat requests."""

from __future__ import annotations

from conformance.model.tool_form import ToolForm

TOOL_FORM = ToolForm(
    path="/v1/chat/completions",
    model="gpt-4o-mini",
    body={"messages": [{"role": "user", "content": "."}]},
    tools_at="/tools",
    heading_at="/function",
    schema_at="/function/parameters",
    strict_at="/function/strict",
    fixed={"type": "function"},
)
