"""ollama-chat: `POST /api/chat`, Ollama's own API, as a package outside of `conformance` defines it.

`test_foreign_dialect.py` installs a copy of this folder. Facts: ollama/ollama docs/api.md and api/types.go.
"""

from __future__ import annotations

from conformance.model.dialect import Dialect
from conformance.model.exchange import Request


def _claims(request: Request) -> bool:
    body = request.body.json
    named = isinstance(body, dict) and "model" in body  # web frameworks have an /api/chat of their own
    return request.method == "POST" and request.path.rstrip("/").endswith("/api/chat") and named


DIALECT = Dialect(name="ollama-chat", prefix="OLC", package=__name__, path="/api/chat", claims=_claims)
