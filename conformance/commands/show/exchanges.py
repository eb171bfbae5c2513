"""Each exchange of a recording: a heading, its lines, and, if wanted, its bodies as sent on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from conformance.model.dialect import Dialect
from conformance.model.exchange import Exchange, is_broken
from conformance.model.registry import beside, claim, endpoint_of


def exchange_lines(
    exchanges: Sequence[Exchange], lines: Callable[[Exchange, Dialect], Iterator[str]], *, wire: bool
) -> Iterator[str]:
    """A heading for each exchange, then its `lines`; with `wire`, also request and response."""
    for number, exchange in enumerate(exchanges):
        yield ""
        yield f"── {heading(number, exchange)}"
        dialect = claim(exchange.request)
        if dialect is None:
            owner = beside(exchange.request)
            named = f"{owner.name}, {endpoint_of(owner, exchange.request)}" if owner is not None else None
            yield f"   {named or 'not recognised as a request of any dialect'}"
            continue
        yield from lines(exchange, dialect)
        if wire:
            yield from _wire_lines(exchange)


def heading(number: int, exchange: Exchange) -> str:
    """What an exchange is: its place in the recording, its endpoint and how it ended, as far as that is recorded."""
    asked = exchange.request.path if "url" not in exchange.lacks else f"{exchange.request.path} (by its body)"
    ended = "" if "status" in exchange.lacks else f" → {exchange.response.status}"
    labels = [
        f", {name} {value}" for name, value in (("conversation", exchange.conversation), ("id", exchange.id)) if value
    ]
    return f"exchange {number}: {exchange.request.method} {asked}{ended}{''.join(labels)}"


def _wire_lines(exchange: Exchange) -> Iterator[str]:
    """The request and the response, with JSON indented."""
    yield ""
    for mark, body in ((">", exchange.request.body), ("<", exchange.response.body)):
        text = body.text
        if text is None:
            text = json.dumps(body.json, ensure_ascii=False, indent=2) if body.content is not None else ""
        elif text[:1] in ("{", "["):
            text = json.dumps(body.json, ensure_ascii=False, indent=2) if not is_broken(body.json) else text
        yield from (f"   {mark} {line}" for line in text.splitlines())
