"""Sources and examples of Messages for the neutral rules about single calls."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, put
from conformance.model.finding import Severity

_BEDROCK = (
    put(
        "/0/request/url",
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke",
    ),
    drop("/0/request/body/model"),
    put("/0/request/body/anthropic_version", "bedrock-2023-05-31"),
)
_LONG = "toolu_" + "0" * 59
_BLOCKS = "/0/request/body/messages"

EVIDENCE = {
    "arguments-malformed": evidence(
        "ANT-S-007 recorded traffic 21/21",
        violating=[
            example(
                "anthropic-messages/stream-call", drop("/0/response/events/9"), at="0 response event/6/content_block"
            ),
            example(
                "anthropic-messages/stream-server-tool",
                drop("/0/response/events/5"),
                at="0 response event/1/content_block",
            ),
        ],
        bugs=["sudocode#576"],
    ),
    "arguments-wrong-type": evidence(
        "ANT-R-004 recorded traffic 122/122",
        violating=[
            example(
                "anthropic-messages/call", put("/0/response/body/content/1/input", "{}"), at="0 response /content/1"
            ),
            example(
                "anthropic-messages/stream-call",
                drop("/0/response/events/9"),
                put("/0/response/events/8/data/delta/partial_json", "[1]"),
                at="0 response event/6/content_block",
            ),
        ],
    ),
    "arguments-schema-mismatch": evidence(
        "ANT-R-007 anthropic 2.11 types/tool_param.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/call",
                drop("/0/response/body/content/1/input/longitude"),
                at="0 response /content/1",
            )
        ],
        conforming=[
            example(
                "anthropic-messages/cut-off",
                put("/0/response/body/content/0/input", {"latitude": 37.57, "longitude": 126.98}),
            )
        ],
        bugs=["BerriAI/litellm#25836", "BerriAI/litellm#25390", "BerriAI/litellm#25561"],
    ),
    "tool-call-undeclared": evidence(
        "ANT-R-007 recorded traffic 122/122",
        violating=[
            example(
                "anthropic-messages/call",
                put("/0/response/body/content/1/name", "get_time"),
                at="0 response /content/1",
            )
        ],
    ),
    "tool-call-name-missing": evidence(
        "ANT-R-004 anthropic 2.11 types/tool_use_block.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/stream-call",
                drop("/0/response/events/6/data/content_block/name"),
                at="0 response event/6/content_block",
            )
        ],
    ),
    "history-call-name-missing": evidence(
        "ANT-Q-014 anthropic 2.11 types/tool_use_block_param.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/answer",
                drop("/0/request/body/messages/1/content/1/name"),
                at="0 request /messages/1/content/1",
            )
        ],
    ),
    "tool-call-name-invalid": evidence(
        "ANT-Q-005 home-assistant/core#147760",
        violating=[
            example(
                "anthropic-messages/call",
                put("/0/response/body/content/1/name", "get weather"),
                at="0 response /content/1",
            )
        ],
    ),
    "tool-call-id-unsupported": evidence(
        "0.4 earendil-works/pi#781",
        violating=[
            example(
                "anthropic-messages/answer",
                *_BEDROCK,
                put(f"{_BLOCKS}/1/content/1/id", _LONG),
                put(f"{_BLOCKS}/2/content/0/tool_use_id", _LONG),
                at="0 request /messages/1/content/1",
            )
        ],
        conforming=[example("anthropic-messages/answer", *_BEDROCK)],
        bugs=["earendil-works/pi#781"],
    ),
    "tool-call-id-ambiguous": evidence(
        violating=[
            example("anthropic-messages/call", put("/0/response/body/content/1/id", "0"), at="0 response /content/1"),
        ],
    ),
    "tool-call-id-duplicate": evidence(
        "ANT-R-006 recorded traffic 122/122",
        violating=[
            example(
                "anthropic-messages/call",
                put("/0/response/body/content/2/id", "toolu_01A1b2C3d4E5f6G7h8I9j0K1"),
                at="0 response /content/2",
            )
        ],
    ),
    "tool-call-id-reused": evidence(
        "ANT-C-006 trycua/cua#524",
        violating=[
            example(
                "anthropic-messages/answer",
                put("/0/request/body/messages/1/content/2/id", "toolu_01A1b2C3d4E5f6G7h8I9j0K1"),
                put("/0/request/body/messages/2/content/1/tool_use_id", "toolu_01A1b2C3d4E5f6G7h8I9j0K1"),
                at="0 request /messages/1/content/2",
            )
        ],
        severity=Severity.ERROR,
    ),
}
