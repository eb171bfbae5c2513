"""How the provider refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conformance.model.behaviour import behaviour
from conformance.model.rendered import Rendered


def _errors(value: Any, **changed: Any) -> Any:
    """An error body with some fields of its `error` changed, if it has them."""
    if isinstance(value, list):
        return [_errors(each, **changed) for each in value]
    if not isinstance(value, dict) or not isinstance(value.get("error"), dict):
        return value
    fields = {key: each for key, each in changed.items() if key in value["error"]}
    return {**value, "error": {**value["error"], **fields}}


@behaviour(
    "error-reworded", "failure", "noise", "the wording of the text changed", scenario="provider-errors", everywhere=True
)
def error_reworded(value: Any) -> Any:
    """An error has a different message."""
    return _errors(value, message="No.")


@behaviour(
    "error-of-another-kind",
    "failure",
    "change",
    "error field error/(type|status) changed from .* to other_error",
    scenario="provider-errors",
    everywhere=True,
)
def error_of_another_kind(value: Any) -> Any:
    """An error has a different type."""
    return _errors(value, type="other_error") if "status" not in str(value) else _errors(value, status="other_error")


@behaviour(
    "error-of-another-shape",
    "failure",
    "change",
    "error field (error|0) is missing",
    scenario="provider-errors",
    everywhere=True,
)
def error_of_another_shape(value: Any) -> Any:  # noqa: ARG001 - as the others
    """An error body has the form of a gateway in front of the provider."""
    return {"detail": "The request was refused."}


@behaviour(
    "error-status-other",
    "response",
    "change",
    "status changed from 429 to 503",
    scenario="provider-errors",
    everywhere=True,
)
def error_status_other(rendered: Rendered) -> Rendered:
    """Rate limiting returns 503 instead of 429."""
    return replace(rendered, status=503) if rendered.status == 429 else rendered


@behaviour("retry-after-gone", "response", "change", "header retry-after is missing", scenario="provider-errors")
def retry_after_gone(rendered: Rendered) -> Rendered:
    """Rate limiting lacks the Retry-After header."""
    headers = tuple(pair for pair in rendered.headers if not pair[0].startswith("retry-after"))
    return replace(rendered, headers=headers)
