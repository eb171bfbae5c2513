"""The exchanges inside an exchange: the requests of a batch, and their results, each judged as one of its own.

A dialect whose endpoints take or give such has a module `nested`, with a function of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from conformance.judge.view import View
from conformance.model.exchange import UNANSWERED, Body, Exchange, Headers, Lack, Request, Response
from conformance.model.finding import Side
from conformance.model.registry import optional_part

_LACKS: Final[frozenset[Lack]] = frozenset({"headers"})
_WITHOUT: Final[frozenset[Lack]] = _LACKS | {"request"}
_JSON = Headers((("content-type", "application/json"),))


class Nested(NamedTuple):
    """An exchange, the side of it that is in the outer one, and the place of that side's body there."""

    exchange: Exchange
    side: Side
    at: str


def nested_in(view: View) -> Iterator[Nested]:
    """The exchanges inside another one."""
    module = optional_part(view.dialect.name, "nested") if view.endpoint is not None else None
    if module is not None:
        yield from module.nested(view)


def asked(url: str, body: Mapping[str, Any], at: str) -> Nested:
    """A request that has no answer yet."""
    request = Request("POST", url, _JSON, Body(body))
    return Nested(Exchange(request, Response(UNANSWERED), lacks=_LACKS), "request", at)


def answered(url: str, sent: Mapping[str, Any] | None, body: Any, at: str) -> Nested:
    """An answer, with its request if that is known."""
    request, response = Request("POST", url, _JSON, Body(sent)), Response(200, _JSON, Body(body))
    return Nested(Exchange(request, response, lacks=_WITHOUT if sent is None else _LACKS), "response", at)


def before(view: View, endpoint: str, holds: Callable[[View], bool]) -> View | None:
    """The latest exchange of the run at an endpoint for which something holds."""
    return next((each for each in reversed(view.earlier) if each.endpoint == endpoint and holds(each)), None)
