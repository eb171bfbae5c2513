"""What the reference server keeps for its clients besides conversations: stored responses, models, counts of tokens."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

from conformance.model.dialect import Dialect
from conformance.model.exchange import Request
from conformance.model.kept import Kept
from conformance.model.registry import all_dialects, optional_part
from conformance.model.rendered import Delivery, IdFactory, Rendered

Refusal = tuple[int, str]
"""The status and the reason of a refusal."""


def other(request: Request, kept: Kept) -> Delivery | None:
    """The answer to a request that generates nothing: models, counts of tokens, stored responses."""
    for module in _serving_parts():
        answers = getattr(module, "other", None)
        found = answers(request, kept, IdFactory(f"{request.method} {request.path}")) if answers else None
        if found is not None:
            return Delivery.of(found)
    return None


@cache
def _serving_parts() -> tuple[ModuleType, ...]:
    parts = {each.package: optional_part(each.name, "serving") for each in all_dialects().values()}
    return tuple(each for each in parts.values() if each is not None)


def restored(dialect: Dialect, request: Request, kept: Kept) -> tuple[Any, Refusal | None]:
    """The body with what the server keeps put in, None if it keeps nothing of it; and why that is not possible."""
    restore = getattr(optional_part(dialect.name, "serving"), "restored", None)
    if restore is None or not isinstance(request.body.json, dict):
        return None, None
    body = restore(request, kept)
    return (None, body) if isinstance(body, tuple) else (body, None)


def remember(kept: Kept, dialect: Dialect, body: Any, rendered: Rendered) -> None:
    """Keeps a response if the request asks for that; `body` is the request's with what was kept put in."""
    store = getattr(optional_part(dialect.name, "serving"), "remember", None)
    if store is not None:
        store(body, rendered, kept)
