"""With which status and words Cohere refuses what breaks a rule, if not with a 400."""

from __future__ import annotations

REFUSALS = {"credential-missing": (401, "no api key supplied")}
