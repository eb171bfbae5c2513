"""pydantic-ai: a function as `Agent.tool_plain` declares it."""

from __future__ import annotations

import importlib
from typing import Any

from conformance.tool_definitions.inputs.sdk import Sdk


def _declared(value: Any) -> Any:
    tools = importlib.import_module("pydantic_ai.tools")
    if isinstance(value, tools.ToolDefinition):
        definition = value
    else:
        definition = (value if isinstance(value, tools.Tool) else tools.Tool(value)).tool_def
    declared = {
        "name": definition.name,
        "description": definition.description,
        "parameters": definition.parameters_json_schema,
    }
    # `strict` is None until the profile of a model decides it.
    function = {**declared, "strict": definition.strict} if definition.strict is not None else declared
    return {"type": "function", "function": function}


SDK = Sdk(
    name="pydantic-ai",
    module="pydantic_ai",
    install="pip install pydantic-ai-slim",
    owns=("pydantic_ai",),
    declared=_declared,
)
