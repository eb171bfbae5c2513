"""The platforms and model generations that rows of Gemini apply to."""

from __future__ import annotations

from conformance.contract.profile_rows import models
from conformance.contract.situation import when

GOOGLE = when("google")
"""The Gemini API."""
VERTEX = when("vertex")
OWN = when("google", "vertex", "reference")
"""Platforms whose parser refuses unknown names."""

SPEAKING = models("google/speech")
GEMINI_1_5 = models("google/gemini-1.5")
VERTEX_1_5 = models("vertex/gemini-1.5")
BEFORE_2_5 = models("google/before-2.5")
UNTHINKING = when("google", "vertex", model=r"gemini-(1\.|2\.0)(?!.*thinking)")
FROM_2_5 = when("vertex", model=r"gemini-(2\.5|[3-9])")
UP_TO_2_5 = models("google/up-to-2.5")
PRO_2_5 = models("google/pro-2.5")
FLASH_2_5 = models("google/flash-2.5")
LITE_2_5 = models("google/flash-lite-2.5")
