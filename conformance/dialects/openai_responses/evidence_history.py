"""What Responses cites and shows for the neutral rules about the calls and results of a history."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put, swap

EVIDENCE = {
    "unanswered-tool-call": evidence(
        "OAR-C-001 continuedev/continue#11785",
        violating=[
            example("openai-responses/answer", drop("/0/request/body/input/4"), at="0 request /input/2"),
            example(
                "openai-responses/run-previous", drop("/1/request/body/input/1"), at="1 request /previous_response_id"
            ),
        ],
    ),
    "orphan-tool-result": evidence(
        "OAR-C-002 james-6-23/codex2api#414",
        violating=[
            example(
                "openai-responses/answer",
                put("/0/request/body/input/3/call_id", "call_of_nobody"),
                at="0 request /input/3",
            )
        ],
        bugs=["router-for-me/CLIProxyAPI#5692"],
    ),
    "tool-call-answered-twice": evidence(
        violating=[
            example(
                "openai-responses/answer",
                insert(
                    "/0/request/body/input/5",
                    {"type": "function_call_output", "call_id": "call_m3N4o5P6q7R8s9T0u1V2w3X4", "output": "17.9"},
                ),
                at="0 request /input/5",
            )
        ]
    ),
    "tool-result-order": evidence(
        violating=[
            example(
                "openai-responses/answer",
                swap("/0/request/body/input/3", "/0/request/body/input/4"),
                at="0 request /input/4",
            )
        ]
    ),
    "echoed-call-changed": evidence(
        "OAR-C-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall",
        basis="schema",
        violating=[
            example(
                "openai-responses/run",
                put("/1/request/body/input/1/arguments", '{"latitude":1,"longitude":126.98}'),
                at="1 request /input/1",
            )
        ],
    ),
    "echoed-calls-differ": evidence(
        "OAR-C-001 recorded traffic 82/82",
        violating=[
            example(
                "openai-responses/run",
                drop("/1/request/body/input/4"),
                drop("/1/request/body/input/2"),
                at="1 request /input/1",
            )
        ],
    ),
    "earlier-call-changed": evidence(
        "OAR-C-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall", basis="schema"
    ),
    "server-result-without-call": evidence("OAR-C-002 recorded traffic 24/24"),
    "server-result-stray": evidence("OAR-R-003 recorded traffic 8/8"),
}
