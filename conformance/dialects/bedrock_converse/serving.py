"""How the reference server refuses a Converse request."""

from __future__ import annotations

REFUSALS = {"credential-missing": (403, "Missing Authentication Token")}
"""With which status and words the provider refuses what breaks a rule, if not with a 400."""
