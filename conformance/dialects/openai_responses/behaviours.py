"""Behaviours of the reference server for Responses."""

from __future__ import annotations

from typing import Any

from conformance.model.behaviour import OF_APIS, behaviour
from conformance.model.document_changes import each_object, without

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


@behaviour("signature-gone", "document", "change", "the signature on reasoning is missing", scenario="reasoning")
def signature_gone(value: Any) -> Any:
    """Reasoning lacks its encrypted content."""
    return each_object(value, lambda entries: without(entries, "encrypted_content"))
