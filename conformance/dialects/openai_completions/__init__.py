"""openai-completions: a raw prompt, `POST .../completions`, formerly OpenAI's, and still served by inference servers.

The prompt is one text of the user, the reply one text of the assistant. The dialects in the text of this one
read what a model's template makes of them.
"""

from __future__ import annotations

from conformance.dialects.openai_completions.claims import BODIES, claims
from conformance.dialects.openai_headers import CONTRACT_HEADERS
from conformance.model.dialect import Dialect

DIALECT = Dialect(
    name="openai-completions",
    prefix="OAT",
    package=__name__,
    path="/completions",
    claims=claims,
    bodies=BODIES,
    headers=CONTRACT_HEADERS,
)
