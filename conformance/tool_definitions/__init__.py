"""Tool definitions against profiles: where they are accepted, what is lost, and what is refused."""

from conformance.tool_definitions.checking import check
from conformance.tool_definitions.judgement import State
from conformance.tool_definitions.result import ToolsResult

__all__ = ["State", "ToolsResult", "check"]
