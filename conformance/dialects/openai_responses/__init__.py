"""openai-responses: OpenAI's Responses API, `POST .../responses`, and every server that is compatible with it."""

from __future__ import annotations

from conformance.dialects.openai_headers import CONTRACT_HEADERS
from conformance.dialects.openai_responses.claims import claims
from conformance.model.dialect import Dialect
from conformance.model.tool_limits import ToolLimits

DIALECT = Dialect(
    name="openai-responses",
    prefix="OAR",
    package=__name__,
    path="/responses",
    claims=claims,
    answers_last_call=True,
    alternates_calls=True,
    tool_limits=ToolLimits(length=128),
    headers=CONTRACT_HEADERS,
    reference_model="gpt-4o-mini",
    optional_rules=frozenset(
        {
            "argument-markup-leaked",
            "call-arguments-leaked",
            "credential-missing",
            "cut-call-result-unexpected",
            "history-server-result-orphaned",
            "new-call-id-reused",
            "server-result-orphaned",
            "tool-array-items-missing",
            "tool-call-id-ambiguous",
            "tool-call-kind-mismatch",
            "tool-call-name-invalid",
            "tool-declaration-misplaced",
            "tool-description-missing",
            "tool-object-properties-missing",
            "tool-root-wrong-type",
            "usage-empty",
        }
    ),
)
