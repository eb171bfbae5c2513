"""lines-chat: `POST /lines/chat`, a wire like Ollama's, as a package outside of `conformance` defines it.

`test_foreign_dialect.py` installs a copy of this folder. Facts: the shape is that of ollama/ollama docs/api.md.
"""

from __future__ import annotations

from conformance.model.dialect import Dialect
from conformance.model.exchange import Request


def _claims(request: Request) -> bool:
    body = request.body.json
    named = isinstance(body, dict) and "model" in body  # web frameworks may have the same path
    return request.method == "POST" and request.path.rstrip("/").endswith("/lines/chat") and named


DIALECT = Dialect(
    name="lines-chat", prefix="LNC", package=__name__, path="/lines/chat", claims=_claims, streams_lines=True
)
