"""The situation of an exchange, read from the judge's view of it."""

from __future__ import annotations

from conformance.contract.situation import Situation, When
from conformance.judge import quirks
from conformance.judge.view import View
from conformance.model.exchange import UNKNOWN_MODEL, Request


def situation_of(view: View, *, dated: bool = True) -> Situation:
    """The provider, the model and other facts of the exchange; the day only if it is `dated`."""
    view, key = view.plain, (situation_of, dated)
    known: Situation | None = view.found.get(key)
    if known is None:
        known = view.found[key] = Situation(
            provider=view.provider,
            model=view.model,
            path=_place(view.exchange.request),
            api_version=quirks.api_version(view),
            day=quirks.answered_on(view) if dated else None,
            complete=view.complete,
            ok=view.ok,
            betas=_betas(view),
            unknown=_unknown(view),
        )
    return known


def applies(only: When | None, view: View) -> bool:
    """Whether an exchange is one of those that a condition is about, whatever its source lacks; None is about all."""
    return only is None or only.certain(situation_of(view))


def _place(request: Request) -> str:
    """The path; over a WebSocket, with its scheme before it."""
    return f"wss:{request.path}" if request.in_frame else request.path


def _unknown(view: View) -> frozenset[str]:
    """The facts that the source of the exchange does not contain."""
    lacks = view.exchange.lacks
    return frozenset(
        ({"api_version", "beta"} if "headers" in lacks else set[str]())
        | ({"path"} if "url" in lacks else set())
        | ({"model"} if lacks & {"request", "members", "url"} and view.model in (None, UNKNOWN_MODEL) else set())
    )


def _betas(view: View) -> str:
    """The betas that a request enables: in a header, or in the body for Bedrock."""
    body = view.request if isinstance(view.request, dict) else {}
    named = [view.exchange.request.headers.get("anthropic-beta"), *_listed(body.get("anthropic_beta"))]
    return " ".join(each.replace(",", " ") for each in named if isinstance(each, str))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
