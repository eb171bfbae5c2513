"""The form of tool definitions in Messages requests."""

from __future__ import annotations

from conformance.model.tool_form import ToolForm

TOOL_FORM = ToolForm(
    path="/v1/messages",
    model="claude-sonnet-4-5",
    body={"max_tokens": 1024, "messages": [{"role": "user", "content": "."}]},
    version=("anthropic-version", "2026-10-21"),
    tools_at="/tools",
    heading_at="",
    schema_at="/input_schema",
    strict_at="/strict",
)
