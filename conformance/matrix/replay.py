"""Replay: the SDK runs the scenario again, and the cassette supplies the responses.

The live request is judged, not the recorded one; the recorded response is judged as it was received. A
difference between the two requests is drift; an additional or a missing exchange is a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from conformance.cassette.load import Cassette, load_cassette
from conformance.cassette.redact import Redactor
from conformance.cassette.vcr import playing
from conformance.drivers import chunkers
from conformance.drivers.transport import Chunker
from conformance.errors import ConformanceError
from conformance.judge.run_rules import RunFinding
from conformance.matrix.cells import Cell
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.outdated import outdated
from conformance.matrix.perform import CellRun, act
from conformance.matrix.request_drift import drift
from conformance.matrix.verdict import Verdict, judge
from conformance.model.exchange import Exchange, Request, lacks_at
from conformance.model.finding import Hit
from conformance.model.registry import claimants, path_of

_NO_KEY = "replay-needs-no-key"


def replay(cell: Cell, path: Path, chunker: Chunker = chunkers.events) -> Verdict:
    """Replays one cassette in its cell.

    Raises:
        ConformanceError: the cassette cannot be read, or was recorded for another cell.
    """
    return verdict_of(*perform(cell, path, chunker))


def perform(cell: Cell, path: Path, chunker: Chunker = chunkers.events) -> tuple[Cassette, CellRun]:
    """The cassette, and the run of the cell against it, before judging.

    Raises:
        ConformanceError: as `replay`.
    """
    cassette = load_cassette(path)
    _belongs(cassette, cell, path)
    endpoint = _endpoint(cassette, cell)
    with playing(cassette) as tape:
        run = act(cell, endpoint, tape, chunker=chunker, replaying=True)
    return cassette, run


def verdict_of(cassette: Cassette, run: CellRun) -> Verdict:
    """The findings of a replayed run."""
    recorded = cassette.exchanges
    answered = [request for number, request in enumerate(run.capture.requests) if number not in run.misses]
    pairs = list(zip(answered, recorded, strict=False))
    exchanges = [
        Exchange(live, then.response, complete=True, group="replay", lacks=lacks_at(live.url)) for live, then in pairs
    ]
    changes = list(outdated(run.cell, cassette, pairs)) or list(_drift(pairs))
    run_hits = [*changes, *_count(run, answered, recorded)]
    return judge(run, exchanges, cassette.path, run_hits)


def _endpoint(cassette: Cassette, cell: Cell) -> Endpoint:
    """The provider's endpoint at the time of the recording, by an exchange with it and not with a tool server."""
    target, model, provenance = (str(cassette.metadata.get(key, "")) for key in ("target", "model", "provenance"))
    for exchange in cassette.exchanges:
        if any(dialect.name == cell.dialect for dialect in claimants(exchange.request)):
            url = urlsplit(exchange.request.url)
            path, tail, _ = url.path.rpartition(path_of(cell.dialect))
            root = path if tail else None
            scheme = url.scheme.replace("ws", "http", 1)  # an SDK that opens WebSockets is given the same base URL
            return Endpoint(target, f"{scheme}://{url.netloc}", model, _NO_KEY, provenance, root=root)
    raise ConformanceError(
        f"{cassette.path}: contains no exchange of dialect {cell.dialect}", "record it again with `conformance record`"
    )


def _belongs(cassette: Cassette, cell: Cell, path: Path) -> None:
    if cassette.metadata.get("provenance") not in ("live", "local", "reference"):
        raise ConformanceError(
            f"{path}: metadata.provenance is missing or invalid (must be live, local or reference)",
            "record it again with `conformance record`",
        )
    axes = {"scenario": cell.scenario.id, "dialect": cell.dialect, "driver": cell.driver.name}
    for axis, expected in axes.items():
        found = cassette.metadata.get(axis)
        if found != expected:
            raise ConformanceError(
                f"{path}: metadata.{axis} is {found!r}, but the path has {expected!r}",
                "record it again with `conformance record`, or move it to the matching path",
            )


def _drift(pairs: Sequence[tuple[Request, Exchange]]) -> Iterator[RunFinding]:
    redactor = Redactor([_NO_KEY])
    for number, (live, then) in enumerate(pairs):
        shown = Request(live.method, redactor.url(live.url), live.headers, live.body)
        for hit in drift(shown, then.request):
            yield RunFinding("request-drift", number, replace(hit, side="request"))


def _count(run: CellRun, answered: Sequence[Request], recorded: Sequence[Exchange]) -> Iterator[RunFinding]:
    """Additional and missing exchanges."""
    requests = run.capture.requests
    for number in run.misses:
        request = requests[number]
        again = number > 0 and request.body.text == requests[number - 1].body.text
        nearest = recorded[len(answered)].request if len(answered) < len(recorded) else None
        message = f"{request.method} {request.path} was sent " + ("again" if again else "but is not in the cassette")
        wanted = f"next exchange in the cassette: {nearest.method} {nearest.path}" if nearest else "no further exchange"
        statement = "exchange-repeated" if again else "exchange-unexpected"
        hit = Hit(None, message, wanted, f"request {number} of the run", side="request")
        yield RunFinding(statement, len(answered) if nearest else None, hit)
    for number in range(len(answered), len(recorded)):
        request = recorded[number].request
        message = f"{request.method} {request.path} is in the cassette but was not sent"
        yield RunFinding("exchange-unused", number, Hit(None, message, "every exchange is sent again", side="request"))
