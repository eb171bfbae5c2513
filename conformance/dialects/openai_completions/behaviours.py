"""Behaviours of the reference server for raw completions."""

from __future__ import annotations

SHARED = (
    "comments-between-events",
    "created-later",
    "field-new",
    "field-of-another-type",
    "ids-regenerated",
    "keys-in-another-order",
    "terminator-gone",
    "usage-field-new",
    "usage-gone",
    "usage-other",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""
