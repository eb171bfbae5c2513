"""mistral-conversations: Mistral's Conversations, `POST /v1/conversations`: entries, which the server keeps."""

from __future__ import annotations

from conformance.dialects.mistral_conversations.claims import BODIES, at_mistral, claims
from conformance.model.dialect import Dialect, Endpoint
from conformance.model.tool_limits import ToolLimits

DIALECT = Dialect(
    name="mistral-conversations",
    prefix="MIC",
    package=__name__,
    path="/conversations",
    claims=claims,
    bodies=BODIES,
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
    endpoints=(
        Endpoint("conversations", "GET", "/conversations", owned=at_mistral),
        Endpoint("conversation retrieved", "GET", "/conversations/[^/]+", owned=at_mistral),
        Endpoint("conversation deleted", "DELETE", "/conversations/[^/]+", owned=at_mistral),
        Endpoint("conversation history", "GET", "/conversations/[^/]+/history", owned=at_mistral),
        Endpoint("conversation messages", "GET", "/conversations/[^/]+/messages", owned=at_mistral),
    ),
    reference_model="mistral-medium-latest",
)
