"""Sources and examples of Responses for the neutral rules about single calls."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import example, put

_FIRST = "call_a1B2c3D4e5F6g7H8i9J0k1L2"

EVIDENCE = {
    "arguments-malformed": evidence(
        "OAR-R-005 recorded traffic 73/73",
        violating=[
            example(
                "openai-responses/call",
                put("/0/response/body/output/0/arguments", '{"latitude":'),
                at="0 response /output/0",
            )
        ],
    ),
    "arguments-wrong-type": evidence(
        "OAR-R-005 recorded traffic 73/73",
        violating=[
            example(
                "openai-responses/call", put("/0/response/body/output/0/arguments", "[1]"), at="0 response /output/0"
            )
        ],
    ),
    "arguments-schema-mismatch": evidence(
        "OAR-R-006 openai/openai-openapi openapi.json#/components/schemas/FunctionTool",
        basis="schema",
        violating=[
            example(
                "openai-responses/call",
                put("/0/response/body/output/0/arguments", '{"latitude":37.57}'),
                at="0 response /output/0",
            )
        ],
    ),
    "argument-key-duplicate": evidence(
        violating=[
            example(
                "openai-responses/call",
                put("/0/response/body/output/0/arguments", '{"latitude":37.57,"longitude":126.98,"latitude":35.18}'),
                at="0 response /output/0",
            )
        ]
    ),
    "history-arguments-malformed": evidence(
        "OAR-R-005 recorded traffic 73/73",
        violating=[
            example(
                "openai-responses/answer",
                put("/0/request/body/input/1/arguments", '{"latitude":'),
                at="0 request /input/1",
            )
        ],
    ),
    "tool-call-undeclared": evidence(
        "OAR-R-006 openai/openai-openapi openapi.json#/components/schemas/FunctionTool",
        basis="schema",
        violating=[
            example(
                "openai-responses/call", put("/0/response/body/output/0/name", "get_wether"), at="0 response /output/0"
            )
        ],
    ),
    "tool-call-name-missing": evidence(
        "OAR-R-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCallResource",
        basis="schema",
        violating=[
            example("openai-responses/call", put("/0/response/body/output/0/name", ""), at="0 response /output/0")
        ],
    ),
    "history-call-name-missing": evidence(
        "OAR-Q-007 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall",
        basis="schema",
        violating=[
            example("openai-responses/answer", put("/0/request/body/input/1/name", ""), at="0 request /input/1")
        ],
    ),
    "tool-call-name-invalid": evidence(
        "OAR-Q-002 openai/openai-openapi openapi.json#/components/schemas/FunctionToolParam",
        basis="schema",
        violating=[
            example(
                "openai-responses/call",
                put("/0/response/body/output/0/name", 'get_weather("'),
                at="0 response /output/0",
            )
        ],
    ),
    "tool-call-id-ambiguous": evidence(
        violating=[
            example("openai-responses/call", put("/0/response/body/output/1/call_id", "1"), at="0 response /output/1")
        ]
    ),
    "tool-call-id-duplicate": evidence(
        "OAR-R-004 recorded traffic 73/73",
        violating=[
            example(
                "openai-responses/call", put("/0/response/body/output/1/call_id", _FIRST), at="0 response /output/1"
            )
        ],
    ),
    "tool-call-id-reused": evidence(
        violating=[
            example(
                "openai-responses/answer",
                put("/0/request/body/input/2/call_id", _FIRST),
                put("/0/request/body/input/4/call_id", _FIRST),
                at="0 request /input/2",
            )
        ]
    ),
}
