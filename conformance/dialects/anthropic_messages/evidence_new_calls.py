"""Sources and examples of Messages for the neutral rules about a reply and the history before it."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import Edit, drop, example, insert, put

_BODY = "/0/response/body"
_SEOUL = {"latitude": 37.57, "longitude": 126.98}
_ID = "toolu_01A1b2C3d4E5f6G7h8I9j0K1"
_STOP = put(f"{_BODY}/stop_reason", "tool_use")
_SILENT = {"input_tokens": 0, "output_tokens": 0}


def _calls(call_id: str) -> tuple[Edit, ...]:
    """A reply that continues with a call."""
    call = {"type": "tool_use", "id": call_id, "name": "get_weather", "input": _SEOUL}
    return _STOP, insert(f"{_BODY}/content/1", call)


EVIDENCE = {
    "new-call-id-reused": evidence(
        violating=[
            example("anthropic-messages/answer", *_calls(_ID)),
            # The reply continues the last turn: both calls are in one.
            example(
                "anthropic-messages/answer",
                drop("/0/request/body/messages/2"),
                *_calls(_ID),
                at="0 response /content/1",
            ),
        ],
        conforming=[example("anthropic-messages/answer", *_calls("toolu_01C4d5E6f7G8h9I0j1K2l3"))],
    ),
    "argument-markup-leaked": evidence(
        violating=[
            example(
                "anthropic-messages/call",
                put(f"{_BODY}/content/1/input", {**_SEOUL, "unit</parameter>": "celsius"}),
                at="0 response /content/1",
            )
        ],
    ),
    "call-arguments-leaked": evidence(
        violating=[
            example(
                "anthropic-messages/answer",
                put(f"{_BODY}/content/0/text", '{"latitude": 37.57, "longitude": 126.98}'),
                at="0 response /content/0",
            )
        ],
    ),
    "cut-call-result-unexpected": evidence(
        violating=[
            example(
                "anthropic-messages/run",
                put(f"{_BODY}/stop_reason", "max_tokens"),
                at="1 request /messages/2/content/1",
            )
        ],
        conforming=[
            example(
                "anthropic-messages/run",
                put(f"{_BODY}/stop_reason", "max_tokens"),
                put("/1/request/body/messages/2/content/1/is_error", True),
            )
        ],
    ),
    "usage-empty": evidence(
        violating=[example("anthropic-messages/call", put(f"{_BODY}/usage", _SILENT))],
    ),
}
