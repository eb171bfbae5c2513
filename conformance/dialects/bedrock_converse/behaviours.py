"""Behaviours of the reference server for Converse."""

from __future__ import annotations

from conformance.model.behaviour import OF_APIS

SHARED = (
    *(each for each in OF_APIS if each not in ("comments-between-events", "model-dated", "model-other")),
    "reasoning-before-the-answer",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has: replies name no model."""
