"""`check`: the library's way to ask which providers accept tools."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any

from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs import read_tools, tools_of_value
from conformance.tool_definitions.result import ToolsResult, result_of

_NAME = "tools"
"""What messages call tools that are Python values."""


def check(
    tools: Any,
    *,
    profiles: str | Sequence[str] = (),
    form: str | None = None,
    sdk: str | None = None,
) -> ToolsResult:
    """What becomes of tools at providers.

        result = conformance.tool_definitions.check(tools, profiles=["openai", "google/3"])
        assert result.accepted, result

    Args:
        tools: Definitions in any provider's form (a dict or a list of them), tool objects of LangChain, pydantic-ai and
            the like, functions (with `sdk`), or what `conformance tools` reads: a path, a URL, `module:name`.
        profiles: The names of profiles, `openai`, or of their variants, `openai/chat-strict`; by default
            all profiles, without strict modes and earlier versions.
        form: The name of the form of a file, a URL or a recording; by default, recognised by the content.
        sdk: The SDK that reads functions: `google-genai`, `langchain`, `openai-agents`, `pydantic-ai`.

    Raises:
        ConformanceError: there is no such profile, or the tools cannot be read; the message states what and where.
    """
    named = (profiles,) if isinstance(profiles, str) else tuple(profiles)
    return result_of(_read(tools, form, sdk), named)


def _read(tools: Any, form: str | None, sdk: str | None) -> list[GivenTool]:
    if isinstance(tools, (str, PathLike)):
        return read_tools(fspath(tools), form=form, sdk=sdk)
    if isinstance(tools, GivenTool):
        return [tools]
    if isinstance(tools, Sequence) and tools and all(isinstance(each, GivenTool) for each in tools):
        return list(tools)
    if isinstance(tools, dict):
        return tools_of_value(tools, _NAME)
    return tools_of_value(list(tools) if isinstance(tools, Sequence) else tools, _NAME, sdk)
