"""Findings about a played recording as a whole: changed, surplus and missing requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from conformance.cassette.load import Cassette
from conformance.cassette.saving import redacted
from conformance.cassette.traffic import Sent
from conformance.judge.run_rules import RunFinding
from conformance.matrix.request_drift import drift
from conformance.model.exchange import Request
from conformance.model.finding import Finding, Hit


def run_findings(sent: Sequence[Sent], cassette: Cassette, source: str, *, complete: bool) -> Iterator[Finding]:
    """The findings about the run as a whole; `complete` is whether the code ran to its end."""
    _match_mocked(sent, cassette)
    for found in (*_drift(sent, cassette), *_surplus(sent), *(_missing(sent, cassette) if complete else ())):
        yield replace(found.finding(dialect=None, source=source), fix=_FIX)


def _match_mocked(sent: Sequence[Sent], cassette: Cassette) -> None:
    """What a mock answered before the cassette could stands for the next recorded exchange of its place."""
    left = dict(enumerate(each.request for each in cassette.exchanges))
    for each in sent:
        left.pop(-1 if each.number is None else each.number, None)
    for each in sent:
        if each.number is None and each.response is not None:
            asked = Request(each.request["method"], each.request["uri"])
            same = (n for n, request in left.items() if (request.method, request.path) == (asked.method, asked.path))
            each.number = next(same, None)
            left.pop(-1 if each.number is None else each.number, None)


_FIX = "if the change is intended, record again with --conformance-record=rewrite"


def _drift(sent: Sequence[Sent], cassette: Cassette) -> Iterator[RunFinding]:
    """The differences from the recorded requests, compared without secrets on either side."""
    played = [each for each in sent if each.number is not None]
    if not played:
        return
    live, _ = redacted(played, Path(cassette.path))
    for each, exchange in zip(played, live.exchanges, strict=True):
        assert each.number is not None  # noqa: S101 - chosen above
        for hit in drift(exchange.request, cassette.exchanges[each.number].request):
            yield RunFinding("request-drift", sent.index(each), replace(hit, side="request"))


def _surplus(sent: Sequence[Sent]) -> Iterator[RunFinding]:
    for number, each in enumerate(sent):
        if each.number is None:
            request = each.request
            again = number > 0 and request["body"] == sent[number - 1].request["body"]
            what = f"{request['method']} {request['uri'].partition('?')[0]} was sent "
            message = what + ("again" if again else "but is not in the cassette")
            rule = "exchange-repeated" if again else "exchange-unexpected"
            yield RunFinding(rule, number, Hit(None, message, "no further exchange", None, side="request"))


def _missing(sent: Sequence[Sent], cassette: Cassette) -> Iterator[RunFinding]:
    played = {each.number for each in sent}
    for number, exchange in enumerate(cassette.exchanges):
        if number not in played:
            request = exchange.request
            message = f"{request.method} {request.path} is in the cassette but was not sent"
            yield RunFinding("exchange-unused", None, Hit(None, message, "every exchange is sent again"))
