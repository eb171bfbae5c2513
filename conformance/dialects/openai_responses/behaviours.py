"""Behaviours of the reference server for Responses."""

from __future__ import annotations

from conformance.model.behaviour import OF_APIS

SHARED = (
    *OF_APIS,
    "argument-text-respelled",
    "created-later",
    "event-new",
    "events-out-of-order",
    "field-gone",
    "field-of-another-type",
    "keys-in-another-order",
    "obfuscation-gone",
    "one-delta",
    "reasoning-before-calls-gone",
    "reasoning-before-the-answer",
    "required-field-gone",
    "retry-after-gone",
    "usage-field-new",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""
