"""The situation of an exchange, read from what the judge knows of it."""

from __future__ import annotations

from conformance.judge import quirks
from conformance.judge.contract.situation import Situation
from conformance.judge.view import View


def situation_of(view: View, *, dated: bool = True) -> Situation:
    """Who was asked for what, when, and whether an official host took it; the day only where it is `dated`."""
    return Situation(
        provider=view.provider,
        model=view.model,
        path=view.exchange.request.path,
        api_version=quirks.api_version(view),
        day=quirks.answered_on(view) if dated else None,
        complete=view.complete,
        ok=view.ok,
        betas=_betas(view),
    )


def _betas(view: View) -> str:
    """The betas that a request asks for: in a header, or in the body as Bedrock has them."""
    body = view.request if isinstance(view.request, dict) else {}
    named = [view.exchange.request.headers.get("anthropic-beta"), *_listed(body.get("anthropic_beta"))]
    return " ".join(each.replace(",", " ") for each in named if isinstance(each, str))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
