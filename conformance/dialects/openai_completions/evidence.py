"""Sources and examples of Completions for the neutral rules."""

from __future__ import annotations

from conformance.judge.evidence import evidence
from conformance.judge.example import example, put

_BODY, _REPLY = "/0/request/body", "/0/response/body"

EVIDENCE = {
    "request-body-missing": evidence(
        "OAT-Q-001 openai/openai-openapi openapi.json#/paths/~1completions/post",
        basis="schema",
        violating=[example("openai-completions/answer", put("/0/request/body", ""), at="0 request")],
    ),
    "request-malformed": evidence(
        "OAT-Q-001 openai/openai-openapi openapi.json#/components/schemas/CreateCompletionRequest",
        basis="schema",
        violating=[
            example("openai-completions/answer", put("/0/request/body", '{"model": "base-model",'), at="0 request")
        ],
    ),
    "response-malformed": evidence(
        "OAT-R-001 openai/openai-openapi openapi.json#/components/schemas/CreateCompletionResponse",
        basis="schema",
        violating=[example("openai-completions/answer", put("/0/response/body", "<html>busy</html>"), at="0 response")],
    ),
    "response-empty": evidence(
        "OAT-R-001 openai/openai-openapi openapi.json#/components/schemas/CreateCompletionResponse",
        basis="schema",
        violating=[example("openai-completions/answer", put("/0/response/body", ""), at="0 response")],
    ),
    "stream-data-malformed": evidence(
        "OAT-S-001 openai/openai-openapi openapi.json#/components/schemas/CreateCompletionResponse",
        basis="schema",
        violating=[
            example(
                "openai-completions/stream-answer", put("/0/response/events/1/data", '{"id"'), at="0 response event/1"
            )
        ],
    ),
}
