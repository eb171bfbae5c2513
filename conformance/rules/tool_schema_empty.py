"""A tool's parameters that say nothing at all, in the dialects whose servers want the object spelled out."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_CHAT = "/0/request/body/tools/0/function/parameters"
_GEMINI = "/0/request/body/tools/0/functionDeclarations/0/parameters"


@rule(
    "tool-schema-empty",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    dialects=("openai-chat", "gemini"),
    cites=["OAC-Q-005 rossoctl/examples#856", "GEM-Q-008 pipecat-ai/pipecat-flows#110"],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/call", drop(_CHAT)),
        example("gemini/call"),
        example("gemini/call", drop(_GEMINI)),
    ],
    violating=[
        example("openai-chat/call", put(_CHAT, {}), at="0 request /tools/0"),
        example("gemini/call", put(_GEMINI, {}), at="0 request /tools/0/functionDeclarations/0"),
    ],
)
def tool_schema_empty(view: View) -> Iterator[Hit]:
    """The parameters of a tool, where they are given, are a schema that says something.

    An empty one has no type, and so is not that of an object: a tool without arguments leaves the parameters out.
    """
    for tool in view.ask.tools or ():
        if tool.parameters == {} and tool.kind == "function":
            yield Hit(tool.pointer, f"the schema of {tool.name} is empty", "no parameters, or type object", "{}")
