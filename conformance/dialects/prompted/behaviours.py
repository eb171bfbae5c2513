"""Behaviours of the reference server for prompted tags."""

from __future__ import annotations

SHARED = (
    "call-dropped",
    "call-repeated",
    "calls-merged",
    "calls-reordered",
    "parallel-to-sequential",
    "text-reworded",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""
