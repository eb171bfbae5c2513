"""Sources and examples of Messages for the neutral rules about a whole reply."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put

_MENTIONED = "Call get_weather before you speak about the weather."
_TOLD = (
    "You may use these tools:\n1. Name: get_weather\n   Description: Current weather at a place.\n"
    "   Parameters: {'type': 'object', 'properties': {'latitude': {'type': 'number'}}}"
)

EVIDENCE = {
    "tool-choice-ignored": evidence(
        "ANT-R-008 anthropic 2.11 types/tool_choice_any_param.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/answer",
                put("/0/request/body/tool_choice", {"type": "any"}),
                at="0 response /content",
            ),
            example(
                "anthropic-messages/none",
                insert(
                    "/0/response/body/content/1",
                    {
                        "type": "tool_use",
                        "id": "toolu_01",
                        "name": "get_weather",
                        "input": {"latitude": 37.57, "longitude": 126.98},
                    },
                ),
                at="0 response /content/1",
            ),
        ],
        conforming=[
            example(
                "anthropic-messages/stream-server-tool",
                put("/0/request/body/tool_choice", {"type": "tool", "name": "web_search"}),
            )
        ],
    ),
    "parallel-calls-unexpected": evidence(
        "ANT-R-008 anthropic 2.11 types/tool_choice_auto_param.py",
        basis="sdk-type",
        violating=[
            example(
                "anthropic-messages/required",
                put("/0/request/body/tool_choice/disable_parallel_tool_use", True),
                at="0 response /content/1",
            )
        ],
    ),
    "stop-reason-mismatch": evidence(
        "ANT-R-003 recorded traffic 108/108",
        violating=[
            example(
                "anthropic-messages/call", put("/0/response/body/stop_reason", "end_turn"), at="0 response /stop_reason"
            )
        ],
        bugs=["strands#1827", "strands#3206"],
    ),
    "announced-call-missing": evidence(
        "ANT-R-003 recorded traffic 275/275",
        violating=[
            example(
                "anthropic-messages/stream-answer",
                put("/0/response/events/6/data/delta/stop_reason", "tool_use"),
                at="0 response event/6/delta/stop_reason",
            )
        ],
    ),
    "tool-declaration-misplaced": evidence(
        violating=[
            example(
                "anthropic-messages/call",
                drop("/0/request/body/tools"),
                put("/0/request/body/system", _TOLD),
                at="0 request /system",
            )
        ],
        conforming=[example("anthropic-messages/call", put("/0/request/body/system", _MENTIONED))],
    ),
}
