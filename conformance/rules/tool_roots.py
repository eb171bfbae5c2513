"""The root of a tool's parameters, in the dialects that do not judge it with the rest of the tool."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_RESPONSES = "/0/request/body/tools/0/parameters"
_DECLARATION = "/0/request/body/tools/0/functionDeclarations/0"
_ARRAY = {"type": "array", "items": {"type": "number"}}


@rule(
    "tool-root-wrong-type",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    cites=[
        "MAP-003 spring-projects/spring-ai#1373",
        "OAR-Q-001 vercel/ai#1485",
        "GEM-Q-007 spring-projects/spring-ai#1373",
    ],
    bugs=["spring-projects/spring-ai#1373"],
    dialects=("gemini", "openai-responses"),
    conforming=[
        example("openai-responses/call"),
        example("openai-responses/call", put("/0/request/body/tools/0/strict", False), put(_RESPONSES, {})),
        example("gemini/call"),
        example("gemini/call", put(f"{_DECLARATION}/parameters/type", 6)),
        example("gemini/call", drop(f"{_DECLARATION}/parameters")),
    ],
    violating=[
        example("openai-responses/call", put(_RESPONSES, _ARRAY), at="0 request /tools/0"),
        example(
            "gemini/call",
            put(f"{_DECLARATION}/parameters", {"type": "ARRAY", "items": {"type": "NUMBER"}}),
            at="0 request /tools/0/functionDeclarations/0",
        ),
        example(
            "gemini/call",
            drop(f"{_DECLARATION}/parameters"),
            put(f"{_DECLARATION}/parametersJsonSchema", _ARRAY),
            at="0 request /tools/0/functionDeclarations/0",
        ),
    ],
)
def tool_root_wrong_type(view: View) -> Iterator[Hit]:
    """The parameters of a tool are an object's, whatever their members are.

    A call has named arguments: the server refuses a schema whose root is an array or a plain value with a 400.
    """
    for tool in view.ask.tools or ():
        root = tool.parameters.get("type") if isinstance(tool.parameters, dict) else None
        if root is not None and root != "object":
            yield Hit(tool.pointer, f"the parameters of {tool.name} are no object's", "type object", brief(root))
