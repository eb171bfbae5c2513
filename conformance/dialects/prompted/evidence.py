"""Sources and examples of prompted calls for the neutral rules."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import change, drop, example, put

_TAGGED = (
    '<function_call>{"id": "1", "name": "get_weather", "arguments": {"latitude": 1, "longitude": 2}}</function_call>'
    * 2
)

EVIDENCE = {
    "arguments-malformed": evidence(
        "PFC-R-002 ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts",
        violating=[
            example(
                "prompted/call",
                change(
                    "/0/response/body/choices/0/message/content",
                    '{"latitude": 37.57, "longitude": 126.98}',
                    '"{\\"latitude\\":"',
                ),
                at="0 response /choices/0/message/content",
            )
        ],
    ),
    "arguments-schema-mismatch": evidence(
        "PFC-R-005 ThinkInAIxyz/deepchat src/main/provider/baseProvider.ts",
        violating=[
            example(
                "prompted/call",
                change("/0/response/body/choices/0/message/content", "37.57", "null"),
                at="0 response /choices/0/message/content",
            )
        ],
    ),
    "tool-call-undeclared": evidence(
        "PFC-R-005 ThinkInAIxyz/deepchat src/main/provider/baseProvider.ts",
        violating=[
            example(
                "prompted/call",
                change("/0/response/body/choices/0/message/content", "get_weather", "get_wether"),
                at="0 response /choices/0/message/content",
            )
        ],
    ),
    "tool-call-id-duplicate": evidence(
        violating=[
            example(
                "prompted/call",
                put("/0/response/body/choices/0/message/content", _TAGGED),
                at="0 response /choices/0/message/content",
            )
        ]
    ),
    "tool-call-unanswered": evidence(
        "PFC-C-001 ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts",
        violating=[
            example("prompted/split-records", drop("/0/request/body/messages/4"), at="0 request /messages/2/content")
        ],
    ),
    "echoed-call-changed": evidence(
        violating=[
            example(
                "prompted/run",
                change("/1/request/body/messages/2/content", "37.57", "38.57"),
                at="1 request /messages/2/content",
            )
        ]
    ),
}
