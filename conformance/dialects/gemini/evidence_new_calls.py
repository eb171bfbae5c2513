"""Sources and examples of Gemini for the neutral rules about a reply and the history before it."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import example, put

_BODY = "/0/response/body"
_PARTS = f"{_BODY}/candidates/0/content/parts"
_AT = "0 response /candidates/0/content/parts/0"
_CALL = {
    "functionCall": {"name": "get_weather", "args": {"latitude": 37.57, "longitude": 126.98}, "id": "dv8szvqe"},
    "thoughtSignature": "EsYCCsMCAXLI2nwd/tSeaL+forTheNextCallOfThisTurn==",
}

EVIDENCE = {
    "new-call-id-reused": evidence(
        violating=[example("gemini/answer", put(f"{_PARTS}/0", _CALL), at=f"{_AT}/functionCall")]
    ),
    "argument-markup-leaked": evidence(
        violating=[
            example(
                "gemini/call",
                put(f"{_PARTS}/0/functionCall/args/<tool_call>", "c"),
                at=f"{_AT}/functionCall",
            )
        ],
    ),
    "call-arguments-leaked": evidence(
        violating=[
            example(
                "gemini/answer",
                put(f"{_PARTS}/0/text", '{"latitude": 37.57, "longitude": 126.98}'),
            )
        ],
    ),
    "cut-call-result-unexpected": evidence(
        violating=[
            example(
                "gemini/run",
                put(f"{_BODY}/candidates/0/finishReason", "MAX_TOKENS"),
                at="1 request /contents/2/parts/1/functionResponse",
            )
        ],
    ),
    "usage-empty": evidence(
        violating=[
            example(
                "gemini/call",
                put(f"{_BODY}/usageMetadata", {"promptTokenCount": 0, "candidatesTokenCount": 0, "totalTokenCount": 0}),
            )
        ],
    ),
}
