"""gemini: Google's `generateContent` and `streamGenerateContent`, on the Gemini API, Vertex AI and proxies."""

from __future__ import annotations

from conformance.dialects.gemini.claims import BODIES, claims
from conformance.model.dialect import USUAL_RULES, Dialect, Endpoint
from conformance.model.tool_limits import ToolLimits

_KEPT = r"/v1(beta|alpha)\w*"
"""What comes before the path of a file or a batch; other providers have these paths after `/v1`."""

DIALECT = Dialect(
    name="gemini",
    prefix="GEM",
    package=__name__,
    path="/models/",
    claims=claims,
    bodies=BODIES,
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
        "usage-count-mismatch",
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
        Endpoint("cache deleted", "DELETE", "/cachedContents/[^/]+"),
        Endpoint("files", "GET", f"{_KEPT}/files"),
        Endpoint("file", "GET", f"{_KEPT}/files/[^/:]+"),
        Endpoint("file deleted", "DELETE", f"{_KEPT}/files/[^/:]+"),
        Endpoint("file content", "GET", f"{_KEPT}/files/[^/:]+:download", file="response"),
        Endpoint("batch created", "POST", "/models/[^/:]+:batchGenerateContent"),
        Endpoint("batches", "GET", f"{_KEPT}/batches"),
        Endpoint("batch", "GET", f"{_KEPT}/batches/[^/:]+"),
        Endpoint("batch canceled", "POST", f"{_KEPT}/batches/[^/:]+:cancel"),
        Endpoint("batch deleted", "DELETE", f"{_KEPT}/batches/[^/:]+"),
    ),
    reference_model="gemini-3-flash-preview",
)
