"""openai-chat: OpenAI's Chat Completions, `POST .../chat/completions`, and every server that is compatible with it."""

from __future__ import annotations

from conformance.dialects.openai_chat.claims import BODIES, claims
from conformance.dialects.openai_headers import CONTRACT_HEADERS
from conformance.model.dialect import USUAL_RULES, Dialect, Endpoint

DIALECT = Dialect(
    name="openai-chat",
    prefix="OAC",
    package=__name__,
    path="/chat/completions",
    claims=claims,
    bodies=BODIES,
    answers_last_call=True,
    named_choice_stops_normally=True,
    headers=CONTRACT_HEADERS,
    endpoints=(
        Endpoint("completions", "GET", "/chat/completions"),
        Endpoint("completion retrieved", "GET", "/chat/completions/[^/]+"),
        Endpoint("completion changed", "POST", "/chat/completions/[^/]+"),
        Endpoint("completion deleted", "DELETE", "/chat/completions/[^/]+"),
        Endpoint("completion messages", "GET", "/chat/completions/[^/]+/messages"),
    ),
    reference_model="gpt-4o-mini",
    optional_rules=USUAL_RULES
    | {
        "cut-call-result-unexpected",
        "tool-array-items-missing",
        "tool-call-id-ambiguous",
        "tool-call-kind-mismatch",
        "tool-object-properties-missing",
        "tool-schema-empty",
        "usage-empty",
        "usage-input-out-of-range",
        "usage-repeated",
    },
)
