"""Sources and examples of Gemini for the neutral rules about HTTP, JSON and streams."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import Edit, drop, example, put

_CHUNK = (
    '{"candidates": [], "candidates": [{"content": {"parts": [{"text": "17.9"}], "role": "model"}, "index": 0}], '
    '"modelVersion": "gemini-3-flash-preview", "responseId": "FyIhav7bJNyw4-EP6eCsqA0"}'
)

_EVENT = (
    'data: {"candidates": [{"content": {"parts": [{"text": "14.2"}], "role": "model"}, "finishReason": "STOP"}], '
    '"usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 1}, '
    '"modelVersion": "gemini-2.0-flash", "responseId": "a"}\n\n'
)
_ERROR = '{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}'
_HEADERS = "/0/request/headers"
_BODY, _REPLY = "/0/request/body", "/0/response/body"


def _sent(text: str) -> tuple[Edit, Edit]:
    """The edits that make a text the body of a streamed response."""
    return drop("/0/response/events"), put("/0/response/body", text)


_UNSTREAMED = {
    "candidates": [],
    "usageMetadata": {"promptTokenCount": 71, "totalTokenCount": 71},
    "modelVersion": "gemini-2.0-flash",
    "responseId": "a",
}

EVIDENCE = {
    "request-malformed": evidence(
        "GEM-Q-001 google-genai 2.34 google/genai/models.py",
        basis="sdk-type",
        violating=[example("gemini/call", put("/0/request/body", '{"contents": ['), at="0 request")],
    ),
    "response-malformed": evidence(
        "GEM-R-001 google-genai 2.34 google/genai/types.py GenerateContentResponse",
        basis="sdk-type",
        violating=[example("gemini/call", put("/0/response/body", '{"candidates": ['), at="0 response")],
    ),
    "response-empty": evidence(
        "GEM-R-001 google-genai 2.34 google/genai/types.py GenerateContentResponse",
        basis="sdk-type",
        violating=[example("gemini/call", put("/0/response/body", ""), at="0 response")],
    ),
    "stream-empty": evidence(
        "GEM-S-001 recorded traffic 38/38",
        violating=[example("gemini/stream-call", put("/0/response/events", []), at="0 response")],
    ),
    "stream-data-malformed": evidence(
        "GEM-S-001 recorded traffic 38/38",
        violating=[
            example("gemini/stream-call", put("/0/response/events/1/data", '{"candidates"'), at="0 response event/1")
        ],
    ),
    "stream-truncated": evidence(
        violating=[
            example(
                "gemini/array-call", put("/0/response/body", '[{"candidates": []},\n{"candid'), at="0 response event/1"
            )
        ]
    ),
    "content-type-mismatch": evidence(
        "GEM-S-001 recorded traffic 38/38",
        violating=[example("gemini/call", put("/0/response/headers", {"content-type": "text/html"}), at="0 response")],
    ),
    "stream-missing": evidence(
        "GEM-S-001 google-genai 2.34 google/genai/models.py",
        basis="sdk-type",
        violating=[example("gemini/array-call", put("/0/response/body", _UNSTREAMED), at="0 response")],
    ),
    "stream-unexpected": evidence(
        "GEM-S-001 google-genai 2.34 google/genai/models.py",
        basis="sdk-type",
        violating=[
            example(
                "gemini/stream-call",
                put(
                    "/0/request/url",
                    "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-flash-preview:generateContent",
                ),
                at="0 response",
            )
        ],
    ),
    "key-duplicate": evidence(
        violating=[
            example("gemini/stream-call", put("/0/response/events/1/data", _CHUNK), at="0 response event/1/candidates")
        ]
    ),
    "stream-text-misplaced": evidence(
        violating=[
            example("gemini/stream-call", *_sent(f"{_EVENT}Internal Server Error"), at="0 response event/0"),
            example("gemini/stream-call", *_sent(f"{_EVENT}dta: {{}}\n\n"), at="0 response event/0"),
            example("gemini/stream-call", *_sent(f"HTTP/1.1 200 OK\n{_EVENT}"), at="0 response"),
        ],
        conforming=[
            example("gemini/stream-call", *_sent(f": keep-alive\n\nid: 1\nretry: 3000\n{_EVENT}")),
            example("gemini/stream-call", *_sent(f"{_EVENT}{_ERROR}")),
        ],
    ),
    "request-body-missing": evidence(
        "GEM-Q-001 google-genai 2.34 google/genai/models.py",
        basis="sdk-type",
        violating=[example("gemini/call", put("/0/request/body", ""), at="0 request")],
    ),
    "credential-missing": evidence(
        "GEM-R-011 recorded traffic, 400 API_KEY_INVALID",
        violating=[example("gemini/call", drop(f"{_HEADERS}/x-goog-api-key"), at="0 request")],
        conforming=[
            example(
                "gemini/call", drop(f"{_HEADERS}/x-goog-api-key"), put(f"{_HEADERS}/authorization", "Bearer REDACTED")
            )
        ],
    ),
}
