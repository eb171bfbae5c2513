"""Sources and examples of Responses for the neutral rules about a whole reply."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, put

_TOLD = (
    "You may use these tools:\n1. Name: get_weather\n   Description: Current weather at a place.\n"
    "   Parameters: {'type': 'object', 'properties': {'latitude': {'type': 'number'}}}"
)

EVIDENCE = {
    "call-replacement-character-unexpected": evidence(
        violating=[
            example(
                "openai-responses/call",
                put("/0/request/body/tools/0/strict", False),
                drop("/0/request/body/tools/0/parameters/additionalProperties"),
                put("/0/response/body/output/0/arguments", '{"latitude":37.57,"longitude":126.98,"place":"\ufffd"}'),
                at="0 response /output/0",
            )
        ]
    ),
    "tool-choice-ignored": evidence(
        "OAR-R-008 openai/openai-openapi openapi.json#/components/schemas/ToolChoiceParam",
        basis="schema",
        violating=[
            example("openai-responses/answer", put("/0/request/body/tool_choice", "required"), at="0 response /output")
        ],
    ),
    "parallel-calls-unexpected": evidence(
        "OAR-R-008 openai/openai-openapi openapi.json#/components/schemas/ParallelToolCalls",
        basis="schema",
        violating=[
            example(
                "openai-responses/call", put("/0/request/body/parallel_tool_calls", False), at="0 response /output/1"
            )
        ],
    ),
    "tool-declaration-misplaced": evidence(
        violating=[
            example(
                "openai-responses/call",
                drop("/0/request/body/tools"),
                put("/0/request/body/instructions", _TOLD),
                at="0 request /instructions",
            )
        ]
    ),
}
