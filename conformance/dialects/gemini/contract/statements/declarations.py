"""Statements and examples of the contract's rules about the tools of a Gemini request."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER = "gemini/call", "gemini/answer"
_TOOLS = "/0/request/body/tools"
_DECLARATION = f"{_TOOLS}/0/functionDeclarations/0"
_TYPES = "google-genai 2.34 google/genai/types.py"
_MOST = 512

STATEMENTS: Mapping[str, Statement] = {
    "gemini-tool-malformed": Statement(
        "A tool must be an object with `functionDeclarations` (an array) or with a built-in tool.",
        "The server refuses another dialect's tool; a converter may drop it, and the model has no tools.",
        cites=(f"GEM-Q-004 {_TYPES} Tool",),
        basis="sdk-type",
        bugs=("mozilla-ai/any-llm#1309",),
        violating=(
            example(
                _ANSWER,
                put(f"{_TOOLS}/0", {"type": "function", "function": {"name": "get_weather"}}),
                at="0 request /tools/0/function",
            ),
            example(_ANSWER, put(f"{_TOOLS}/0/functionDeclarations", "x")),
            example(_ANSWER, put(f"{_TOOLS}/0", "get_weather")),
            example(_ANSWER, put(_TOOLS, "get_weather")),
            example(_ANSWER, put(_DECLARATION, "get_weather")),
            example(_ANSWER, put(f"{_TOOLS}/0", {})),
        ),
        conforming=(
            example(_CALL),
            example(_CALL, put(f"{_TOOLS}/0", {"google_search": {}})),
            example("gemini/snake-case"),
        ),
    ),
    "gemini-tool-name-invalid": Statement(
        "A declaration's name must start with a letter or `_` and have at most 64 letters, digits, `_ . : -`.",
        "The server refuses the request; for 65 to 128 characters, it depends on the server's version.",
        cites=(
            f"GEM-Q-005 {_TYPES} FunctionDeclaration",
            "GEM-Q-005 kaitranntt/ccs#25",
            f"MAP-001 {_TYPES} FunctionDeclaration",
        ),
        basis="documented",
        violating=(
            example(_ANSWER, put(f"{_DECLARATION}/name", "1st tool")),
            example(_ANSWER, put(f"{_DECLARATION}/name", "n" * 65)),
            example(_ANSWER, put(f"{_DECLARATION}/name", "n" * 129)),
            example(_ANSWER, put(f"{_DECLARATION}/name", "")),
            example(_ANSWER, drop(f"{_DECLARATION}/name")),
        ),
        conforming=(example(_CALL), example(_ANSWER, put(f"{_DECLARATION}/name", "files.read:v1-a"))),
    ),
    "gemini-parameter-schemas-conflicting": Statement(
        "A declaration must not mix `parameters` with `parametersJsonSchema`, or `response` with `responseJsonSchema`.",
        "They exclude each other; the server refuses the request.",
        cites=(f"GEM-Q-006 {_TYPES} FunctionDeclaration",),
        basis="sdk-type",
        violating=(example(_CALL, put(f"{_DECLARATION}/parameters_json_schema", {"type": "object"})),),
        conforming=(example(_CALL), example("gemini/snake-case")),
    ),
    "gemini-declarations-too-many": Statement(
        "A tool must declare at most 512 functions.",
        "That is the server's limit; models choose less well with far fewer.",
        cites=(f"GEM-Q-016 {_TYPES} Tool",),
        basis="sdk-type",
        violating=(
            example(
                _ANSWER,
                put(
                    f"{_TOOLS}/0/functionDeclarations",
                    [{"name": f"tool_{number}"} for number in range(_MOST + 1)],
                ),
            ),
        ),
        conforming=(example(_CALL),),
    ),
}
