"""Sources and examples of Responses for the neutral rules about declared tools."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put

_PARAMETERS = "/0/request/body/tools/0/parameters"
_ARRAY = {"type": "array", "items": {"type": "number"}}

EVIDENCE = {
    "tool-array-items-missing": evidence(
        violating=[
            example(
                "openai-responses/call",
                put("/0/request/body/tools/0/strict", False),
                put(f"{_PARAMETERS}/properties/days", {"type": "array"}),
            )
        ],
    ),
    "tool-name-duplicate": evidence(
        violating=[
            example(
                "openai-responses/call",
                insert(
                    "/0/request/body/tools/1",
                    {
                        "type": "function",
                        "name": "get_weather",
                        "description": "Weather of the week.",
                        "parameters": None,
                        "strict": False,
                    },
                ),
                at="0 request /tools/1",
            )
        ]
    ),
    "tool-schema-invalid": evidence(
        "OAR-Q-001 openai/openai-openapi openapi.json#/components/schemas/FunctionToolParam",
        basis="schema",
        violating=[
            example(
                "openai-responses/call",
                put("/0/request/body/tools/0/parameters/properties/latitude/type", "strng"),
                at="0 request /tools/0",
            )
        ],
    ),
    "tool-required-property-undeclared": evidence(
        "OAR-Q-001 openai/openai-openapi openapi.json#/components/schemas/FunctionToolParam",
        basis="schema",
        violating=[
            example(
                "openai-responses/call",
                drop("/0/request/body/tools/0/parameters/properties/longitude"),
                at="0 request /tools/0",
            )
        ],
    ),
    "tools-dropped": evidence(
        violating=[example("openai-responses/run", drop("/1/request/body/tools"), at="1 request")]
    ),
    "tool-description-missing": evidence(
        violating=[
            example("openai-responses/call", put("/0/request/body/tools/0/description", " "), at="0 request /tools/0")
        ]
    ),
    "tool-object-properties-missing": evidence(
        "OAR-Q-001 openai/codex#1150",
        violating=[
            example(
                "openai-responses/call",
                put("/0/request/body/tools/0/parameters", {"type": "object", "additionalProperties": False}),
                at="0 request /tools/0",
            )
        ],
    ),
    "tool-root-wrong-type": evidence(
        "OAR-Q-001 vercel/ai#1485",
        violating=[example("openai-responses/call", put(_PARAMETERS, _ARRAY), at="0 request /tools/0")],
        conforming=[
            example("openai-responses/call", put("/0/request/body/tools/0/strict", False), put(_PARAMETERS, {}))
        ],
    ),
    "tool-mcp-field-leaked": evidence(
        violating=[
            example("openai-responses/call", put("/0/request/body/tools/0/_meta", {}), at="0 request /tools/0/_meta")
        ]
    ),
}
