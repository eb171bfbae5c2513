"""Sources and examples of Gemini for the neutral rules about declared tools."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put

_DECLARATION = "/0/request/body/tools/0/functionDeclarations/0"
_ARRAY = {"type": "array", "items": {"type": "number"}}
_PARAMETERS = f"{_DECLARATION}/parameters"

EVIDENCE = {
    "tool-array-items-missing": evidence(
        violating=[
            example(
                "gemini/call",
                put(f"{_PARAMETERS}/properties/days", {"type": "ARRAY"}),
                at="0 request /tools/0/functionDeclarations/0",
            )
        ],
    ),
    "tool-name-duplicate": evidence(
        violating=[
            example(
                "gemini/call",
                insert(
                    "/0/request/body/tools/0/functionDeclarations/1",
                    {"name": "get_weather", "description": "Weather of the week."},
                ),
                at="0 request /tools/0/functionDeclarations/1",
            )
        ]
    ),
    "tool-schema-invalid": evidence(
        "GEM-Q-007 google-genai 2.34 google/genai/types.py Schema",
        basis="sdk-type",
        violating=[
            example(
                "gemini/call",
                put("/0/request/body/tools/0/functionDeclarations/0/parameters/required", "latitude"),
                at="0 request /tools/0/functionDeclarations/0",
            )
        ],
        bugs=["router-for-me/CLIProxyAPI#97"],
    ),
    "tool-required-property-undeclared": evidence(
        "GEM-Q-007 google-genai 2.34 google/genai/types.py Schema",
        basis="sdk-type",
        violating=[
            example(
                "gemini/call",
                drop("/0/request/body/tools/0/functionDeclarations/0/parameters/properties/longitude"),
                at="0 request /tools/0/functionDeclarations/0",
            )
        ],
    ),
    "tool-description-missing": evidence(
        violating=[
            example(
                "gemini/call",
                put("/0/request/body/tools/0/functionDeclarations/0/description", ""),
                at="0 request /tools/0/functionDeclarations/0",
            )
        ]
    ),
    "tool-root-wrong-type": evidence(
        "GEM-Q-007 spring-projects/spring-ai#1373",
        violating=[
            example(
                "gemini/call",
                put(_PARAMETERS, {"type": "ARRAY", "items": {"type": "NUMBER"}}),
                at="0 request /tools/0/functionDeclarations/0",
            ),
            example(
                "gemini/call",
                drop(_PARAMETERS),
                put(f"{_DECLARATION}/parametersJsonSchema", _ARRAY),
                at="0 request /tools/0/functionDeclarations/0",
            ),
        ],
        conforming=[
            example("gemini/call", put(f"{_DECLARATION}/parameters/type", 6)),
            example("gemini/call", drop(_PARAMETERS)),
        ],
        bugs=["spring-projects/spring-ai#1373"],
    ),
    "tool-schema-empty": evidence(
        "GEM-Q-008 pipecat-ai/pipecat-flows#110",
        violating=[example("gemini/call", put(_PARAMETERS, {}), at="0 request /tools/0/functionDeclarations/0")],
        conforming=[example("gemini/call", drop(_PARAMETERS))],
    ),
    "tool-mcp-field-leaked": evidence(
        violating=[
            example(
                "gemini/call",
                put("/0/request/body/tools/0/functionDeclarations/0/outputSchema", {"type": "object"}),
                at="0 request /tools/0/functionDeclarations/0/outputSchema",
            )
        ]
    ),
}
