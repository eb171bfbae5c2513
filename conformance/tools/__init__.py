"""Tool definitions against profiles: where they are accepted, what is lost, and what is refused."""

from conformance.tools.checking import check
from conformance.tools.judgement import State
from conformance.tools.result import ToolsResult

__all__ = ["State", "ToolsResult", "check"]
