"""The platforms and model generations that rows of Gemini apply to."""

from __future__ import annotations

from conformance.judge.contract.situation import when

GOOGLE = when("google")
"""The Gemini API."""
VERTEX = when("vertex")
OWN = when("google", "vertex", "reference")
"""Platforms whose parser refuses unknown names."""

SPEAKING = when("google", "vertex", model=r"-tts(-|$)")
"""Models with only speech output."""
GEMINI_1_5 = when("google", "vertex", model=r"gemini-1\.5")
VERTEX_1_5 = when("vertex", model=r"gemini-1\.5")
BEFORE_2_5 = when(model=r"gemini-(1\.|2\.0)")
UP_TO_2_5 = when(model=r"gemini-[12]\.")
PRO_2_5 = when("google", "vertex", model=r"gemini-2\.5-pro")
FLASH_2_5 = when("google", "vertex", model=r"gemini-2\.5-flash(?!-lite)")
LITE_2_5 = when("google", "vertex", model=r"gemini-2\.5-flash-lite")
