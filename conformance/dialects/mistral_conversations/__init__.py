"""mistral-conversations: Mistral's Conversations, `POST /v1/conversations`: entries, which the server keeps."""

from __future__ import annotations

from conformance.dialects.mistral_conversations.claims import claims
from conformance.model.dialect import Dialect
from conformance.model.tool_limits import ToolLimits

DIALECT = Dialect(
    name="mistral-conversations",
    prefix="MIC",
    package=__name__,
    path="/conversations",
    claims=claims,
    answers_last_call=True,
    accepts_unanswered_calls=True,
    alternates_calls=True,
    tool_limits=ToolLimits(first="A-Za-z0-9_-", rest="A-Za-z0-9_-", wants_properties=False),
    lacks={
        "truncation": "a conversation has no stop reason: a reply that the limit cut off looks whole",
    },
    optional_rules=frozenset(
        {
            "argument-markup-leaked",
            "call-arguments-leaked",
            "credential-missing",
            "new-call-id-reused",
            "tool-call-id-ambiguous",
            "tool-call-name-invalid",
            "tool-declaration-misplaced",
            "tool-description-missing",
            "tool-root-wrong-type",
            "tool-schema-empty",
            "usage-empty",
        }
    ),
    reference_model="mistral-medium-latest",
)
