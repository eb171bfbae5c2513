"""How the provider refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conformance.model.behaviour import behaviour
from conformance.model.rendered import Rendered


def _errors(value: Any, **changed: Any) -> Any:
    """An error body with some fields of its `error` changed, where it has them."""
    if isinstance(value, list):
        return [_errors(each, **changed) for each in value]
    if not isinstance(value, dict) or not isinstance(value.get("error"), dict):
        return value
    fields = {key: each for key, each in changed.items() if key in value["error"]}
    return {**value, "error": {**value["error"], **fields}}


@behaviour(
    "error-reworded",
    level="failure",
    scenario="provider-errors",
    grade="noise",
    words="the text is worded otherwise",
    everywhere=True,
)
def error_reworded(value: Any) -> Any:
    """A refusal has other words."""
    return _errors(value, message="No.")


@behaviour(
    "error-of-another-kind",
    level="failure",
    scenario="provider-errors",
    grade="change",
    words="the error's error/(type|status) was .*, is other_error",
    everywhere=True,
)
def error_of_another_kind(value: Any) -> Any:
    """A refusal is of another kind."""
    return _errors(value, type="other_error") if "status" not in str(value) else _errors(value, status="other_error")


@behaviour(
    "error-of-another-shape",
    level="failure",
    scenario="provider-errors",
    grade="change",
    words="the error's field (error|0) is gone",
    everywhere=True,
)
def error_of_another_shape(value: Any) -> Any:  # noqa: ARG001 - as the others
    """A refusal comes as the gateway in front of the provider writes it."""
    return {"detail": "The request was refused."}


@behaviour(
    "error-status-other",
    level="response",
    scenario="provider-errors",
    grade="change",
    words="status was 429, is 503",
    everywhere=True,
)
def error_status_other(rendered: Rendered) -> Rendered:
    """Who asks too often is told that the provider is overloaded."""
    return replace(rendered, status=503) if rendered.status == 429 else rendered


@behaviour(
    "retry-after-gone",
    level="response",
    scenario="provider-errors",
    grade="change",
    words="the header retry-after is gone",
)
def retry_after_gone(rendered: Rendered) -> Rendered:
    """Who asks too often is not told when to come back."""
    headers = tuple(pair for pair in rendered.headers if not pair[0].startswith("retry-after"))
    return replace(rendered, headers=headers)
