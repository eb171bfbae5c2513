"""What Gemini cites and shows for the neutral rules about the calls and results of a history."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, insert, put, swap
from conformance.model.finding import Severity

_ANTHROPIC, _ANSWER = ("anthropic-messages/answer", "gemini/answer")
_PARTS = "/0/response/body/candidates/0/content/parts"
_CODE = {"executableCode": {"language": "PYTHON", "code": "print(7)"}}
_RAN = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "7\n"}}

EVIDENCE = {
    "unanswered-tool-call": evidence(
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
    "orphan-tool-result": evidence(
        "GEM-C-006 langchain-ai/langchain#27799",
        "GEM-C-001 google-gemini/gemini-cli#16415",
        violating=[
            example(
                "gemini/answer",
                put("/0/request/body/contents/2/parts/0/functionResponse/id", "nobodys"),
                at="0 request /contents/2/parts/0/functionResponse",
            )
        ],
        bugs=["pipecat-ai/pipecat#3420"],
    ),
    "tool-call-answered-twice": evidence(
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
    ),
    "tool-result-order": evidence(
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
    "echoed-calls-differ": evidence(
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
        "GEM-C-004 google-genai 2.34 google/genai/types.py FunctionCall.id", basis="sdk-type"
    ),
    "server-result-without-call": evidence("GEM-C-006 recorded traffic"),
    "server-result-stray": evidence(
        "GEM-R-003 recorded traffic 8/8",
        violating=[
            example(
                _ANSWER, put(_PARTS, [_RAN, _CODE]), at="0 response /candidates/0/content/parts/0/codeExecutionResult"
            )
        ],
        conforming=[example(_ANSWER, put(_PARTS, [_CODE, _RAN, {"text": "7"}]))],
    ),
    "server-call-changed": evidence("GEM-C-004 recorded traffic"),
}
