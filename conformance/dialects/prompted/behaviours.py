"""What the reference server can answer differently in prompted tags."""

from __future__ import annotations

SHARED = (
    "call-dropped",
    "call-repeated",
    "calls-merged",
    "calls-reordered",
    "parallel-to-sequential",
    "text-reworded",
)
"""The behaviours of `conformance.reference.behaviours` that can be seen here, besides those seen everywhere."""
