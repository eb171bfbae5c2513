"""cohere-chat: the second version of Cohere's chat, `POST /v2/chat`."""

from __future__ import annotations

from conformance.dialects.cohere_chat.claims import BODIES, claims
from conformance.model.dialect import USUAL_RULES, Dialect
from conformance.model.tool_limits import ToolLimits

DIALECT = Dialect(
    name="cohere-chat",
    prefix="COH",
    package=__name__,
    path="/v2/chat",
    claims=claims,
    bodies=BODIES,
    answers_last_call=True,
    tool_limits=ToolLimits(first="A-Za-z_", rest="A-Za-z0-9_", wants_properties=False),
    reference_model="command-a-03-2025",
    optional_rules=USUAL_RULES
    | {
        "credential-missing",
        "tool-call-id-ambiguous",
        "tool-root-wrong-type",
        "tool-schema-empty",
        "usage-empty",
    },
)
