"""ollama-chat: Ollama's own API, `POST /api/chat`, whose streams are newline-delimited JSON."""

from __future__ import annotations

from conformance.dialects.ollama_chat.claims import BODIES, claims, names_model
from conformance.model.dialect import USUAL_RULES, Dialect, Endpoint

DIALECT = Dialect(
    name="ollama-chat",
    prefix="OLC",
    package=__name__,
    path="/api/chat",
    claims=claims,
    bodies=BODIES,
    endpoints=(Endpoint("generate", "POST", "/api/generate", owned=names_model),),
    answers_last_call=True,
    accepts_unanswered_calls=True,
    streams_lines=True,
    optional_ids=True,
    reference_model="qwen3:8b",
    lacks={"tool-choice": "A request cannot choose among its tools."},
    optional_rules=USUAL_RULES
    | {
        "tool-array-items-missing",
        "tool-call-id-ambiguous",
        "tool-call-kind-mismatch",
        "tool-schema-empty",
    },
)
