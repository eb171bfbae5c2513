"""Sources and examples of Responses for the neutral rules about a reply and the history before it."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, put

_BODY = "/0/response/body"
_TOOL = "/0/request/body/tools/0"
_ARGUMENTS = '{"latitude":37.57,"longitude":126.98}'
_CALL = {
    "id": "fc_0f9e8d7c6b5a40310009",
    "type": "function_call",
    "status": "completed",
    "arguments": _ARGUMENTS,
    "call_id": "call_a1B2c3D4e5F6g7H8i9J0k1L2",
    "name": "get_weather",
}
_OPEN = (drop(f"{_TOOL}/parameters/additionalProperties"), put(f"{_TOOL}/strict", False))
_NONE = {
    "input_tokens": 0,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 0,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 0,
}

EVIDENCE = {
    "tool-call-kind-mismatch": evidence(
        violating=[
            example(
                "openai-responses/answer",
                put(_TOOL, {"type": "custom", "name": "get_weather"}),
                put(f"{_BODY}/output/0", {**_CALL, "call_id": "call_x9Y8z7W6v5U4t3S2r1Q0p9O8"}),
            )
        ],
    ),
    "new-call-id-reused": evidence(violating=[example("openai-responses/answer", put(f"{_BODY}/output/0", _CALL))]),
    "argument-markup-leaked": evidence(
        violating=[
            example(
                "openai-responses/call",
                *_OPEN,
                put(f"{_BODY}/output/0/arguments", '{"latitude":1,"longitude":2,"u</arg_key>":"c"}'),
                at="0 response /output/0",
            )
        ],
    ),
    "call-arguments-leaked": evidence(
        violating=[
            example(
                "openai-responses/answer",
                put(f"{_BODY}/output/0/content/0/text", _ARGUMENTS),
                at="0 response /output/0/content/0",
            )
        ],
    ),
    "cut-call-result-unexpected": evidence(
        violating=[
            example(
                "openai-responses/run",
                put(f"{_BODY}/status", "incomplete"),
                put(f"{_BODY}/incomplete_details", {"reason": "max_output_tokens"}),
                at="1 request /input/4",
            )
        ],
    ),
    "usage-empty": evidence(violating=[example("openai-responses/call", put(f"{_BODY}/usage", _NONE))]),
}
