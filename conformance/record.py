"""Recording: a cell is acted out against an endpoint, and what was heard becomes its cassette.

A recording is kept whole or not at all. One in which the SDK gave up, or which did not do what its scenario is
there to exercise, is refused, and the old cassette stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from conformance import __version__
from conformance.acting import act
from conformance.cassette.load import parse_cassette
from conformance.cassette.persist import write_atomically
from conformance.cassette.redact import Redactor
from conformance.cassette.tape import recording
from conformance.cells import Cell
from conformance.drivers import driver_version
from conformance.errors import ConformanceError
from conformance.judging import Verdict, judge


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to record from. `provenance` is `live`, `local` or `reference`; `origin` has no trailing slash."""

    target: str
    origin: str
    model: str
    api_key: str
    provenance: str


class RefusedError(ConformanceError):
    """A recording that is not worth keeping. It does not keep the others from being made."""


def record(cell: Cell, endpoint: Endpoint, folder: Path) -> Verdict:
    """Records one cell into the folder of cassettes, and judges what was recorded.

    Raises:
        RefusedError: the recording is not worth keeping, or must not be kept; the text says why.
        ConformanceError: the cassette cannot be written.
    """
    path = folder / cell.relative_path
    redactor = Redactor([endpoint.api_key])
    metadata = {
        "scenario": cell.scenario.id,
        "dialect": cell.dialect,
        "driver": cell.driver.name,
        "driver_version": driver_version(cell.driver),
        "provenance": endpoint.provenance,
        "target": endpoint.target,
        "model": endpoint.model,
        "recorded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "conformance_version": __version__,
    }
    local = endpoint.origin if endpoint.provenance == "reference" else None
    with recording(metadata, redactor, local) as tape:
        performance = act(cell, origin=endpoint.origin, api_key=endpoint.api_key, model=endpoint.model)
    for played in performance.acts:
        if played.error is not None and played.conversation.fails is None:
            reason = redactor.text(str(played.error)).split("\n")[0][:200]
            raise _refused(cell, f"{cell.driver.package} raised {type(played.error).__name__}: {reason}")
    leaks = redactor.leaks(tape.text)
    if leaks:
        raise _refused(cell, f"a secret would stand on line {leaks[0]} of the cassette")
    verdict = judge(performance, parse_cassette(tape.text, path).exchanges, str(path))
    missing = [finding.message for finding in verdict.findings if finding.rule == "not-exercised"]
    if missing:
        raise _refused(cell, missing[0])
    write_atomically(path, tape.text)
    return verdict


def _refused(cell: Cell, reason: str) -> RefusedError:
    return RefusedError(f"{cell.id}: not recorded: {reason}", "the old cassette, if there is one, is as it was")
