"""Behaviours of the reference server for Gemini's generateContent."""

from __future__ import annotations

from conformance.model.behaviour import OF_APIS

SHARED = (
    *OF_APIS,
    "finish-with-the-last-piece",
    "keys-in-another-order",
    "reasoning-before-the-answer",
    "usage-chunk-gone",
    "usage-field-new",
    "usage-gone",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""
