"""gemini-interactions: Google's Interactions API, `POST .../interactions`: steps, and state that the server keeps."""

from __future__ import annotations

from conformance.dialects.gemini_interactions.claims import BODIES, claims
from conformance.model.dialect import USUAL_RULES, Dialect, Endpoint
from conformance.model.tool_limits import ToolLimits

_KEPT = r"/v1(beta|alpha)\w*/(.+/)?interactions/[^/]+"

DIALECT = Dialect(
    name="gemini-interactions",
    prefix="GIN",
    package=__name__,
    path="/interactions",
    claims=claims,
    bodies=BODIES,
    answers_last_call=True,
    accepts_unanswered_calls=True,
    alternates_calls=True,
    endpoints=(
        Endpoint("interaction retrieved", "GET", _KEPT, delivers=True),
        Endpoint("interaction deleted", "DELETE", _KEPT),
        Endpoint("interaction canceled", "POST", f"{_KEPT}/cancel", delivers=True),
    ),
    tool_limits=ToolLimits(first="A-Za-z_", rest="A-Za-z0-9_.:-", wants_properties=False),
    optional_rules=USUAL_RULES
    | {
        "credential-missing",
        "cut-call-result-unexpected",
        "echoed-signature-changed",
        "history-server-result-orphaned",
        "server-call-changed",
        "server-result-orphaned",
        "tool-root-wrong-type",
        "usage-empty",
        "usage-repeated",
    },
    reference_model="gemini-3-flash-preview",
)
