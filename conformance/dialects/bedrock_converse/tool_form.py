"""The form of tool definitions in Converse requests."""

from __future__ import annotations

from conformance.model.tool_form import ToolForm

TOOL_FORM = ToolForm(
    path="/model/{model}/converse",
    body={"messages": [{"role": "user", "content": [{"text": "."}]}]},
    tools_at="/toolConfig/tools",
    heading_at="/toolSpec",
    schema_at="/toolSpec/inputSchema/json",
    strict_at="/toolSpec/strict",
)
