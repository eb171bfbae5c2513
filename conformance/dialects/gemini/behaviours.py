"""Behaviours of the reference server for Gemini's generateContent."""

from __future__ import annotations

SHARED = (
    "argument-of-enum-changed",
    "call-dropped",
    "call-repeated",
    "calls-merged",
    "calls-reordered",
    "comments-between-events",
    "field-new",
    "finish-with-the-last-piece",
    "id-scheme-of-another-server",
    "ids-regenerated",
    "keys-in-another-order",
    "model-dated",
    "model-other",
    "parallel-to-sequential",
    "reasoning-before-the-answer",
    "text-before-calls",
    "text-before-calls-gone",
    "text-reworded",
    "usage-chunk-gone",
    "usage-field-new",
    "usage-gone",
    "usage-other",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""
