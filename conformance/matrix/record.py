"""Recording: runs a cell against an endpoint and saves the traffic as its cassette.

A recording is written completely or not at all. One in which the SDK raised, or which did not do what its scenario
exercises, is rejected, and the old cassette is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from conformance.cassette.gate import Gate
from conformance.cassette.load import UnsavedCassette, parse_cassette
from conformance.cassette.persist import write_atomically
from conformance.cassette.redact import Redactor
from conformance.cassette.vcr import recording
from conformance.drivers import driver_version
from conformance.errors import ConformanceError
from conformance.matrix.cells import Cell
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.perform import CellRun, act
from conformance.matrix.verdict import Verdict, judge
from conformance.model.exchange import Exchange
from conformance.model.version import VERSION


class RefusedError(ConformanceError):
    """A rejected recording. The other recordings continue.

    `again` is whether another attempt may succeed, because the model did not do what the scenario exercises.
    """

    def __init__(self, cell: Cell, reason: str, *, again: bool = False) -> None:
        super().__init__(f"{cell.id}: not recorded: {reason}", "an existing cassette was left unchanged")
        self.reason = reason
        self.again = again


@dataclass
class RecordedRun:
    """One attempt at a cell: what the client did, and the cassette from it."""

    run: CellRun
    cassette: UnsavedCassette
    redactor: Redactor
    secrets: tuple[str, ...]

    @property
    def cell(self) -> Cell:
        return self.run.cell

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return self.cassette.exchanges


def capture_run(cell: Cell, endpoint: Endpoint, path: Path) -> RecordedRun:
    """Runs the cell against the endpoint and keeps the traffic in memory; `path` is for the cassette."""
    redactor = Redactor(endpoint.secrets, headers=endpoint.private_headers)
    metadata = {
        "scenario": cell.scenario.id,
        "dialect": cell.dialect,
        "driver": cell.driver.name,
        "driver_version": driver_version(cell.driver),
        "provenance": endpoint.provenance,
        "target": endpoint.target,
        "model": endpoint.model,
        "recorded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "conformance_version": VERSION,
    }
    if endpoint.behaviours:
        metadata["behaviours"] = ", ".join(endpoint.behaviours)
    local = endpoint.origin if endpoint.provenance == "reference" else None
    with recording(metadata, redactor, local) as recorded:
        run = act(cell, endpoint, recorded.tape)
    return RecordedRun(run, parse_cassette(recorded.text, path), redactor, endpoint.secrets)


def record(cell: Cell, endpoint: Endpoint, folder: Path) -> Verdict:
    """Records one cell into the folder of cassettes, at the first attempt, and judges what was recorded.

    Raises:
        RefusedError: the recording is rejected; the text has the reason.
        ConformanceError: the cassette cannot be written.
    """
    path = folder / cell.relative_path
    return kept(capture_run(cell, endpoint, path), path)


def kept(taken: RecordedRun, path: Path) -> Verdict:
    """Saves a recording that does what its scenario exercises, and judges it.

    Raises:
        RefusedError: it is not; the text has the reason.
        ConformanceError: the cassette cannot be written.
    """
    cell = taken.cell
    for played in taken.run.conversations:
        if played.error is not None and played.conversation.fails is None:
            raise RefusedError(cell, gave_up(taken, played.error))
    verdict = judge(taken.run, taken.exchanges, str(path))
    missing = [finding.message for finding in verdict.findings if finding.rule == "exercise-missing"]
    if missing:
        raise RefusedError(cell, missing[0], again=True)
    write(taken, path)
    return verdict


def write(taken: RecordedRun, path: Path) -> None:
    """Writes the cassette, unless it contains a secret.

    Raises:
        RefusedError: a secret would.
        ConformanceError: the file cannot be written.
    """
    leaks = Gate(taken.secrets).cassette(taken.cassette)
    if leaks:
        raise RefusedError(taken.cell, f"the cassette would contain a secret: {leaks[0]}")
    write_atomically(path, taken.cassette.text)


def gave_up(taken: RecordedRun, error: Exception) -> str:
    """The SDK's error in one line."""
    text = taken.redactor.text(str(error)).split("\n")[0][:200]
    return f"{taken.cell.driver.package} raised {type(error).__name__}: {text}"
