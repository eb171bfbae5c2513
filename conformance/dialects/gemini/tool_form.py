"""The form of function declarations in Gemini requests."""

from __future__ import annotations

from conformance.dialects.gemini.schema import to_json_schema
from conformance.model.tool_form import ToolForm

TOOL_FORM = ToolForm(
    path="/v1beta/models/{model}:generateContent",
    model="gemini-3-flash-preview",
    body={"contents": [{"role": "user", "parts": [{"text": "."}]}]},
    tools_at="/tools/0/functionDeclarations",
    heading_at="",
    schema_at="/parameters",
    to_json_schema=to_json_schema,
)
