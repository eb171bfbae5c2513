"""Sources and examples of Responses for the neutral rules about HTTP, JSON and streams."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import drop, example, put

_HEADERS = "/0/request/headers"

EVIDENCE = {
    "request-malformed": evidence(
        "OAR-Q-006 openai/openai-openapi openapi.json#/components/schemas/CreateResponse",
        basis="schema",
        violating=[example("openai-responses/call", put("/0/request/body", '{"model": "gpt-5-mini",'), at="0 request")],
    ),
    "response-malformed": evidence(
        "OAR-R-001 openai/openai-openapi openapi.json#/components/schemas/Response",
        basis="schema",
        violating=[example("openai-responses/call", put("/0/response/body", "<html>busy</html>"), at="0 response")],
    ),
    "response-empty": evidence(
        "OAR-R-001 openai/openai-openapi openapi.json#/components/schemas/Response",
        basis="schema",
        violating=[example("openai-responses/call", put("/0/response/body", ""), at="0 response")],
    ),
    "stream-empty": evidence(
        "OAR-S-002 openai 2.54 lib/streaming/responses/_responses.py",
        basis="sdk-type",
        violating=[example("openai-responses/stream-call", put("/0/response/events", []), at="0 response")],
    ),
    "stream-data-malformed": evidence(
        "OAR-S-001 recorded traffic 2638/2638",
        violating=[
            example("openai-responses/stream-call", put("/0/response/events/3/data", "wait"), at="0 response event/3")
        ],
    ),
    "content-type-mismatch": evidence(
        "OAR-S-001 recorded traffic 61/61",
        violating=[
            example(
                "openai-responses/stream-call",
                put("/0/response/headers", {"content-type": "application/json"}),
                at="0 response",
            )
        ],
    ),
    "stream-missing": evidence(
        "OAR-S-002 openai/openai-openapi openapi.json#/components/schemas/CreateResponse",
        basis="schema",
        violating=[example("openai-responses/call", put("/0/request/body/stream", True), at="0 response")],
    ),
    "stream-unexpected": evidence(
        "OAR-S-002 openai/openai-openapi openapi.json#/components/schemas/CreateResponse",
        basis="schema",
        violating=[example("openai-responses/stream-call", drop("/0/request/body/stream"), at="0 response")],
    ),
    "request-body-missing": evidence(
        "OAR-Q-006 openai/openai-openapi openapi.json#/paths/~1responses/post",
        basis="schema",
        violating=[example("openai-responses/call", put("/0/request/body", ""), at="0 request")],
    ),
    "credential-missing": evidence(
        "OAR-Q-006 openai/openai-openapi openapi.json#/components/securitySchemes/ApiKeyAuth",
        basis="schema",
        violating=[
            example("openai-responses/call", drop(f"{_HEADERS}/authorization"), at="0 request"),
            example("openai-responses/call", put(f"{_HEADERS}/authorization", "REDACTED"), at="0 request"),
        ],
    ),
}
