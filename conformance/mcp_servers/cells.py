"""The cells of a server: probe x revision x client, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.mcp_servers import sdk
from conformance.mcp_servers.probes import PROBES, Probe
from conformance.mcp_servers.raw import REVISIONS
from conformance.mcp_servers.reach import Reach
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity

DIALECT = "mcp"
RAW, SDK = "raw-http", "mcp"
"""The drivers: our own client, which can send what is wrong, and the official SDK."""
DRIVERS = (RAW, SDK)


@dataclass(frozen=True, slots=True)
class Cell:
    """One probe in one revision by one client."""

    probe: Probe
    revision: str
    driver: str

    @property
    def id(self) -> str:
        """A name that is the same in every run."""
        return f"{self.probe.name}-{DIALECT}-{self.driver}-{self.revision}"


@dataclass
class Outcome:
    """What became of a cell. `skipped` is why it was not played; `exchanges` are its evidence."""

    cell: Cell
    findings: list[Finding] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    skipped: str | None = None
    untried: bool = False
    """Whether it was skipped although it applies."""
    harness_errors: list[str] = field(default_factory=list)
    unreached: str | None = None
    """Why no response of a server of this protocol came at all."""

    @property
    def passed(self) -> bool:
        """Whether there is no finding of severity error and no internal error."""
        return not self.harness_errors and all(each.severity < Severity.ERROR for each in self.findings)

    def as_json(self) -> dict[str, Any]:
        """The record in the member `exercises` of the JSON report."""
        if self.skipped is None:
            state = "passed" if self.passed else "failed"
        else:
            state = "not exercised" if self.untried else "not applicable"
        return {
            "cell": self.cell.id,
            "exercise": self.cell.probe.name,
            "revision": self.cell.revision,
            "driver": self.cell.driver,
            "state": state,
            "reason": self.skipped,
        }


def cells(probes: Sequence[str], revisions: Sequence[str], drivers: Sequence[str]) -> list[Cell]:
    """The cells that the names select; no name selects all of them."""
    return [
        Cell(probe, revision, driver)
        for revision in REVISIONS
        if not revisions or revision in revisions
        for probe in PROBES
        if not probes or probe.name in probes
        for driver in _drivers(probe, revision)
        if not drivers or driver in drivers
    ]


def _drivers(probe: Probe, revision: str) -> Iterator[str]:
    yield RAW
    if probe.name in sdk.ACTS and revision in sdk.NEWEST:
        yield SDK


def why_not(cell: Cell, reach: Reach) -> str | None:
    """Why a cell does not apply to a server, before anything is sent."""
    if reach.old_events and cell.revision != "2024-11-05":
        return "HTTP+SSE is the transport of 2024-11-05 only"
    if cell.revision == "2024-11-05" and not reach.bridged:
        return "the revision's transport is HTTP+SSE; pass the URL that ends in /sse"
    return cell.probe.why_not(cell.revision, reach)
