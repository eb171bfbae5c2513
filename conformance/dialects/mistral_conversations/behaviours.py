"""Behaviours of the reference server for conversations."""

from __future__ import annotations

from conformance.model.behaviour import OF_APIS

SHARED = (*OF_APIS, "keys-in-another-order", "one-delta", "reasoning-before-the-answer", "usage-field-new")
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""
