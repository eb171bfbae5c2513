"""Sources and examples of Gemini for the neutral rules about single calls."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, put

EVIDENCE = {
    "arguments-wrong-type": evidence(
        "GEM-R-003 google-genai 2.34 google/genai/types.py FunctionCall",
        basis="sdk-type",
        violating=[
            example(
                "gemini/call",
                put("/0/response/body/candidates/0/content/parts/0/functionCall/args", "37.57"),
                at="0 response /candidates/0/content/parts/0/functionCall",
            )
        ],
    ),
    "arguments-schema-mismatch": evidence(
        "GEM-R-006 google-genai 2.34 google/genai/types.py FunctionDeclaration",
        basis="sdk-type",
        violating=[
            example(
                "gemini/call",
                drop("/0/response/body/candidates/0/content/parts/1/functionCall/args/longitude"),
                at="0 response /candidates/0/content/parts/1/functionCall",
            )
        ],
    ),
    "tool-call-undeclared": evidence(
        "GEM-R-006 google-genai 2.34 google/genai/types.py FunctionDeclaration",
        basis="sdk-type",
        violating=[
            example(
                "gemini/call",
                put("/0/response/body/candidates/0/content/parts/0/functionCall/name", "get_wether"),
                at="0 response /candidates/0/content/parts/0/functionCall",
            )
        ],
    ),
    "tool-call-name-missing": evidence(
        "GEM-R-003 google-genai 2.34 google/genai/types.py FunctionCall",
        basis="sdk-type",
        violating=[
            example(
                "gemini/call",
                put("/0/response/body/candidates/0/content/parts/1/functionCall/name", ""),
                at="0 response /candidates/0/content/parts/1/functionCall",
            )
        ],
    ),
    "history-call-name-missing": evidence(
        "GEM-Q-013 google-genai 2.34 google/genai/types.py FunctionCall",
        basis="sdk-type",
        violating=[
            example(
                "gemini/answer",
                put("/0/request/body/contents/1/parts/0/functionCall/name", ""),
                put("/0/request/body/contents/2/parts/0/functionResponse/name", "x"),
                at="0 request /contents/1/parts/0/functionCall",
            )
        ],
    ),
    "tool-call-name-invalid": evidence(
        "GEM-Q-005 google-genai 2.34 google/genai/types.py FunctionDeclaration",
        basis="sdk-type",
        violating=[
            example(
                "gemini/call",
                put("/0/response/body/candidates/0/content/parts/0/functionCall/name", "get weather"),
                at="0 response /candidates/0/content/parts/0/functionCall",
            )
        ],
    ),
    "tool-call-id-duplicate": evidence(
        "GEM-C-004 google-genai 2.34 google/genai/types.py FunctionCall.id",
        basis="sdk-type",
        violating=[
            example(
                "gemini/call",
                put("/0/response/body/candidates/0/content/parts/1/functionCall/id", "dv8szvqe"),
                at="0 response /candidates/0/content/parts/1/functionCall",
            )
        ],
        bugs=["brainlid/langchain#620", "eino-ext#984"],
    ),
}
