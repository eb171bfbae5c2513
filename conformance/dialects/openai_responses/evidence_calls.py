"""What Responses cites and shows for the neutral rules about calls, one by one."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import example, put

_FIRST = "call_a1B2c3D4e5F6g7H8i9J0k1L2"

EVIDENCE = {
    "malformed-arguments": evidence(
        "OAR-R-005 recorded traffic 73/73",
        violating=[
            example(
                "openai-responses/call",
                put("/0/response/body/output/0/arguments", '{"latitude":'),
                at="0 response /output/0",
            )
        ],
    ),
    "arguments-not-object": evidence(
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
    "duplicate-argument-key": evidence(
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
    "undeclared-tool-call": evidence(
        "OAR-R-006 openai/openai-openapi openapi.json#/components/schemas/FunctionTool",
        basis="schema",
        violating=[
            example(
                "openai-responses/call", put("/0/response/body/output/0/name", "get_wether"), at="0 response /output/0"
            )
        ],
    ),
    "tool-call-without-name": evidence(
        "OAR-R-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCallResource",
        basis="schema",
        violating=[
            example("openai-responses/call", put("/0/response/body/output/0/name", ""), at="0 response /output/0")
        ],
    ),
    "history-call-without-name": evidence(
        "OAR-Q-007 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall",
        basis="schema",
        violating=[
            example("openai-responses/answer", put("/0/request/body/input/1/name", ""), at="0 request /input/1")
        ],
    ),
    "tool-call-name-illegal": evidence(
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
    "tool-call-id-counter": evidence(
        violating=[
            example("openai-responses/call", put("/0/response/body/output/1/call_id", "1"), at="0 response /output/1")
        ]
    ),
    "duplicate-tool-call-id": evidence(
        "OAR-R-004 recorded traffic 73/73",
        violating=[
            example(
                "openai-responses/call", put("/0/response/body/output/1/call_id", _FIRST), at="0 response /output/1"
            )
        ],
    ),
    "reused-tool-call-id": evidence(
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
