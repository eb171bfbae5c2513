"""gemini: Google's `generateContent` and `streamGenerateContent`, on the Gemini API, Vertex AI and proxies."""

from __future__ import annotations

from conformance.dialects.gemini.claims import claims
from conformance.model.dialect import USUAL_RULES, Dialect, Endpoint
from conformance.model.tool_limits import ToolLimits

DIALECT = Dialect(
    name="gemini",
    prefix="GEM",
    package=__name__,
    path="/models/",
    claims=claims,
    accepts_unanswered_calls=True,
    optional_rules=USUAL_RULES
    | {
        "credential-missing",
        "cut-call-result-unexpected",
        "history-server-result-orphaned",
        "server-call-changed",
        "server-result-orphaned",
        "tool-array-items-missing",
        "tool-root-wrong-type",
        "tool-schema-empty",
        "usage-empty",
        "usage-repeated",
    },
    tool_limits=ToolLimits(first="A-Za-z_", rest="A-Za-z0-9_.:-", wants_properties=False),
    endpoints=(
        Endpoint("count_tokens", "POST", "/(models|tunedModels|endpoints)/[^/:]+:countTokens"),
        Endpoint("cache created", "POST", "/cachedContents"),
        Endpoint("caches", "GET", "/cachedContents"),
        Endpoint("cache retrieved", "GET", "/cachedContents/[^/]+"),
        Endpoint("cache changed", "PATCH", "/cachedContents/[^/]+"),
        Endpoint("file", "GET", r"/v1(beta|alpha)\w*/files/[^/:]+"),
    ),
    reference_model="gemini-3-flash-preview",
)
