"""bedrock-converse: Amazon Bedrock's `converse` and `converse-stream`, one form for the models of all its providers."""

from __future__ import annotations

from conformance.dialects.bedrock_converse.claims import BODIES, claims
from conformance.model.dialect import USUAL_RULES, Dialect
from conformance.model.tool_limits import ToolLimits

DIALECT = Dialect(
    name="bedrock-converse",
    prefix="BRC",
    package=__name__,
    path="/model/",
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
        "tool-root-wrong-type",
        "usage-empty",
        "usage-repeated",
    },
    tool_limits=ToolLimits(wants_properties=False),
    reference_model="us.anthropic.claude-sonnet-4-6",
)
