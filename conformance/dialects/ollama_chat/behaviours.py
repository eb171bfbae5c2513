"""Behaviours of the reference server for Ollama's chat."""

from __future__ import annotations

SHARED = (
    "argument-of-enum-changed",
    "call-dropped",
    "call-repeated",
    "calls-merged",
    "calls-reordered",
    "field-new",
    "id-scheme-of-another-server",
    "ids-regenerated",
    "keys-in-another-order",
    "model-dated",
    "model-other",
    "one-delta",
    "parallel-to-sequential",
    "reasoning-before-the-answer",
    "text-before-calls",
    "text-before-calls-gone",
    "text-reworded",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""
