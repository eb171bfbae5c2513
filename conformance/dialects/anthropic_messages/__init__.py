"""anthropic-messages: Anthropic's Messages, `POST /v1/messages`, also as served by Vertex, Bedrock and gateways."""

from __future__ import annotations

from conformance.dialects.anthropic_messages.claims import BODIES, at_anthropic, claims
from conformance.model.dialect import USUAL_RULES, ContractHeaders, Dialect, Endpoint
from conformance.model.tool_limits import ToolLimits

DIALECT = Dialect(
    name="anthropic-messages",
    prefix="ANT",
    package=__name__,
    path="/messages",
    claims=claims,
    bodies=BODIES,
    answers_last_call=True,
    optional_rules=USUAL_RULES
    | {
        "credential-missing",
        "cut-call-result-unexpected",
        "echoed-signature-changed",
        "history-server-result-orphaned",
        "server-call-changed",
        "server-call-result-missing",
        "server-call-unanswered",
        "server-result-orphaned",
        "tool-array-items-missing",
        "tool-call-id-ambiguous",
        "usage-count-mismatch",
        "usage-empty",
        "usage-input-out-of-range",
        "usage-repeated",
    },
    tool_limits=ToolLimits(length=128, wants_properties=False),
    headers=ContractHeaders(version="anthropic-version", options=("anthropic-beta",)),
    endpoints=(
        Endpoint("count_tokens", "POST", "/messages/count_tokens", asks="/messages"),
        Endpoint("batch created", "POST", "/messages/batches"),
        Endpoint("batches", "GET", "/messages/batches"),
        Endpoint("batch deleted", "DELETE", "/messages/batches/[^/]+"),
        Endpoint("batch canceled", "POST", "/messages/batches/[^/]+/cancel"),
        Endpoint("batch retrieved", "GET", "/messages/batches/[^/]+"),
        Endpoint("batch results", "GET", "/messages/batches/[^/]+/results"),
        Endpoint("models", "GET", "/v1/models", owned=at_anthropic),
        Endpoint("model", "GET", "/v1/models/[^/]+", owned=at_anthropic),
        Endpoint("files", "GET", "/v1/files", owned=at_anthropic),
        Endpoint("file uploaded", "POST", "/v1/files", owned=at_anthropic, file="request"),
        Endpoint("file", "GET", "/v1/files/[^/]+", owned=at_anthropic),
        Endpoint("file deleted", "DELETE", "/v1/files/[^/]+", owned=at_anthropic),
        Endpoint("file content", "GET", "/v1/files/[^/]+/content", owned=at_anthropic, file="response"),
    ),
    reference_model="claude-sonnet-4-6",
)
