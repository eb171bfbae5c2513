"""Behaviours of the reference server for Responses."""

from __future__ import annotations

from typing import Any

from conformance.model.behaviour import behaviour
from conformance.model.document_changes import each_object, without

SHARED = (
    "argument-of-enum-changed",
    "argument-text-respelled",
    "call-dropped",
    "call-repeated",
    "calls-merged",
    "calls-reordered",
    "comments-between-events",
    "created-later",
    "event-new",
    "events-out-of-order",
    "field-gone",
    "field-new",
    "field-of-another-type",
    "id-scheme-of-another-server",
    "ids-regenerated",
    "keys-in-another-order",
    "model-dated",
    "model-other",
    "obfuscation-gone",
    "one-delta",
    "parallel-to-sequential",
    "reasoning-before-calls-gone",
    "reasoning-before-the-answer",
    "required-field-gone",
    "retry-after-gone",
    "text-before-calls",
    "text-before-calls-gone",
    "text-reworded",
    "usage-field-new",
    "usage-other",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""


@behaviour(
    "signature-gone",
    level="document",
    scenario="reasoning",
    grade="change",
    words="the signature on reasoning is missing",
)
def signature_gone(value: Any) -> Any:
    """Reasoning lacks its encrypted content."""
    return each_object(value, lambda entries: without(entries, "encrypted_content"))
