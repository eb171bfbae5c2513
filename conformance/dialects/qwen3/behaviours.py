"""Behaviours of the reference server for Qwen3's prompts."""

from __future__ import annotations

SHARED = (
    "argument-of-enum-changed",
    "call-dropped",
    "call-repeated",
    "calls-merged",
    "calls-reordered",
    "parallel-to-sequential",
    "reasoning-before-the-answer",
    "text-before-calls",
    "text-before-calls-gone",
    "text-reworded",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""
