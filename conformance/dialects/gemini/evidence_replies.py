"""Sources and examples of Gemini for the neutral rules about a whole reply."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, put
from conformance.model.finding import Severity

_TOLD = (
    "You may use these tools:\n1. Name: get_weather\n   Description: Current weather at a place.\n"
    "   Parameters: {'type': 'object', 'properties': {'latitude': {'type': 'number'}}}"
)

EVIDENCE = {
    "call-replacement-character-unexpected": evidence(
        violating=[
            example(
                "gemini/call",
                put("/0/response/body/candidates/0/content/parts/0/functionCall/args/place", "서\ufffd"),
                at="0 response /candidates/0/content/parts/0/functionCall",
            )
        ]
    ),
    "tool-choice-ignored": evidence(
        "GEM-R-006 google-genai 2.34 google/genai/types.py FunctionCallingConfig",
        basis="sdk-type",
        violating=[
            example(
                "gemini/forced-call",
                put("/0/response/body/candidates/0/content/parts", [{"text": "Warm."}]),
                at="0 response /candidates/0",
            )
        ],
        severity=Severity.WARNING,
    ),
    "tool-declaration-misplaced": evidence(
        violating=[
            example(
                "gemini/call",
                drop("/0/request/body/tools"),
                put("/0/request/body/systemInstruction", {"parts": [{"text": _TOLD}]}),
                at="0 request /systemInstruction",
            )
        ]
    ),
}
