"""LangChain: a function, a tool or a model class as `bind_tools` of its chat models declares it."""

from __future__ import annotations

from typing import Any

from conformance.drivers.extras import install_hint
from conformance.tool_definitions.inputs.sdk import Sdk


def _declared(value: Any) -> Any:
    from langchain_core.utils.function_calling import convert_to_openai_tool

    return convert_to_openai_tool(value)


SDK = Sdk(
    name="langchain",
    module="langchain_core",
    install=install_hint("langchain_core"),
    owns=("langchain_core", "langchain"),
    declared=_declared,
)
