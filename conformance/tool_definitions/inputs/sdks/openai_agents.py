"""openai-agents: a function as `function_tool` declares it, strict by default."""

from __future__ import annotations

import importlib
from typing import Any

from conformance.tool_definitions.inputs.sdk import Sdk


def _declared(value: Any) -> Any:
    agents = importlib.import_module("agents")
    tool = value if isinstance(value, agents.FunctionTool) else agents.function_tool(value)
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.params_json_schema,
        "strict": tool.strict_json_schema,
    }


SDK = Sdk(
    name="openai-agents",
    module="agents",
    install="pip install openai-agents",
    owns=("agents",),
    declared=_declared,
)
