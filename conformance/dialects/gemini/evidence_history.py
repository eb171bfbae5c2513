"""Sources and examples of Gemini for the neutral rules about the calls and results of a history."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put, swap
from conformance.model.finding import Severity

_PARTS = "/0/response/body/candidates/0/content/parts"
_CODE = {"executableCode": {"language": "PYTHON", "code": "print(7)"}}
_RAN = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "7\n"}}
_CHANGED = {"id": "dv8szvqe", "name": "get_weather", "args": {"latitude": 38, "longitude": 126.98}}
_KEPT = {"id": "j80tal12", "name": "get_weather", "args": {"latitude": 35.18, "longitude": 129.08}}
_TOLD = [
    {"functionResponse": {"id": name, "name": "get_weather", "response": {"output": {"temperature": value}}}}
    for name, value in (("dv8szvqe", 14.2), ("j80tal12", 17.9))
]
_ASKED_AGAIN = [
    {"role": "user", "parts": [{"text": "How warm is it in Seoul and in Busan?"}]},
    {"role": "model", "parts": [{"functionCall": _CHANGED}, {"functionCall": _KEPT}]},
    {"role": "user", "parts": _TOLD},
    {"role": "model", "parts": [{"text": "14.2 °C in Seoul, 17.9 °C in Busan."}]},
    {"role": "user", "parts": [{"text": "Which of them is nearer?"}]},
]
"""The history so far with other arguments in its first call, and another question."""
_THIRD = {
    "request": {
        "method": "POST",
        "url": "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-flash-preview:generateContent",
        "headers": {"content-type": "application/json", "x-goog-api-key": "REDACTED"},
        "body": {"contents": _ASKED_AGAIN},
    },
    "response": {"status": 503, "headers": {}, "body": ""},
}

EVIDENCE = {
    "tool-call-unanswered": evidence(
        "GEM-C-001 google-gemini/gemini-cli#16415",
        "GEM-C-002 recorded traffic 8/8",
        violating=[
            example(
                "gemini/answer",
                drop("/0/request/body/contents/2/parts/1"),
                at="0 request /contents/1/parts/1/functionCall",
            )
        ],
    ),
    "tool-result-orphaned": evidence(
        "GEM-C-006 langchain-ai/langchain#27799",
        "GEM-C-001 google-gemini/gemini-cli#16415",
        "GEM-C-011 google-gemini/gemini-cli#16415",
        violating=[
            example(
                "gemini/answer",
                put("/0/request/body/contents/2/parts/0/functionResponse/id", "nobodys"),
                at="0 request /contents/2/parts/0/functionResponse",
            ),
            example(
                "gemini/answer",
                insert(
                    "/0/request/body/contents/2/parts/2", {"functionResponse": {"name": "get_weather", "response": {}}}
                ),
                at="0 request /contents/2/parts/2/functionResponse",
            ),
        ],
        bugs=["pipecat-ai/pipecat#3420"],
    ),
    "tool-result-duplicate": evidence(
        "GEM-C-011 google-gemini/gemini-cli#16415",
        "GEM-C-001 google-gemini/gemini-cli#16415",
        violating=[
            example(
                "gemini/answer",
                insert(
                    "/0/request/body/contents/2/parts/2",
                    {"functionResponse": {"id": "j80tal12", "name": "get_weather", "response": {}}},
                ),
                at="0 request /contents/2/parts/2/functionResponse",
            )
        ],
        bugs=["diegosouzapw/OmniRoute#13334"],
        severity=Severity.ERROR,
    ),
    "tool-result-out-of-order": evidence(
        "GEM-C-003 recorded traffic 113/113",
        violating=[
            example(
                "gemini/answer",
                swap("/0/request/body/contents/2/parts/0", "/0/request/body/contents/2/parts/1"),
                at="0 request /contents/2/parts/1/functionResponse",
            )
        ],
        severity=Severity.INFO,
    ),
    "tool-result-name-mismatch": evidence(
        "GEM-C-003 recorded traffic 113/113",
        violating=[
            example(
                "gemini/answer",
                put("/0/request/body/contents/2/parts/0/functionResponse/name", "get_time"),
                at="0 request /contents/2/parts/0/functionResponse",
            )
        ],
        severity=Severity.ERROR,
    ),
    "echoed-call-changed": evidence(
        "GEM-C-004 google-genai 2.34 google/genai/types.py FunctionCall.id",
        basis="sdk-type",
        violating=[
            example(
                "gemini/run",
                put("/1/request/body/contents/1/parts/0/functionCall/args/latitude", 38),
                at="1 request /contents/1/parts/0/functionCall",
            )
        ],
    ),
    "echoed-calls-mismatch": evidence(
        "GEM-C-001 google-gemini/gemini-cli#16415",
        violating=[
            example(
                "gemini/run",
                drop("/1/request/body/contents/1/parts/1"),
                drop("/1/request/body/contents/2/parts/1"),
                at="1 request /contents/1",
            )
        ],
    ),
    "earlier-call-changed": evidence(
        "GEM-C-004 google-genai 2.34 google/genai/types.py FunctionCall.id",
        basis="sdk-type",
        violating=[example("gemini/run", insert("/2", _THIRD), at="2 request /contents/1/parts/0/functionCall")],
    ),
    "history-server-result-orphaned": evidence(
        "GEM-C-006 recorded traffic",
        violating=[
            example(
                "gemini/answer",
                insert("/0/request/body/contents/1", {"role": "model", "parts": [_RAN, {"text": "7"}]}),
                insert("/0/request/body/contents/2", {"role": "user", "parts": [{"text": "And twice that?"}]}),
                at="0 request /contents/1/parts/0/codeExecutionResult",
            )
        ],
    ),
    "server-result-orphaned": evidence(
        "GEM-R-003 recorded traffic 8/8",
        violating=[
            example(
                "gemini/answer",
                put(_PARTS, [_RAN, _CODE]),
                at="0 response /candidates/0/content/parts/0/codeExecutionResult",
            )
        ],
        conforming=[example("gemini/answer", put(_PARTS, [_CODE, _RAN, {"text": "7"}]))],
    ),
    "server-call-changed": evidence(
        "GEM-C-004 recorded traffic",
        violating=[
            example(
                "gemini/run",
                insert("/0/response/body/candidates/0/content/parts/0", _RAN),
                insert("/0/response/body/candidates/0/content/parts/0", _CODE),
                insert("/1/request/body/contents/1/parts/0", _RAN),
                insert(
                    "/1/request/body/contents/1/parts/0", {"executableCode": {"language": "PYTHON", "code": "print(8)"}}
                ),
                at="1 request /contents/1/parts/0/executableCode",
            )
        ],
    ),
}
