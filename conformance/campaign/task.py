"""A task of a campaign, which is one run of one cell; and its outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from conformance.campaign.backoff import BackoffPolicy
from conformance.campaign.cost import Usage
from conformance.campaign.health import Trouble
from conformance.campaign.statistics import Observation
from conformance.judge.exercised import ExchangeShape
from conformance.matrix.cells import Cell
from conformance.matrix.endpoint import Endpoint
from conformance.model.finding import Finding

Key = tuple[str, str, int]
"""A task within its campaign: target, cell and sample."""

ATTEMPTS = 3
"""The most attempts at a cell until the model does what its scenario exercises."""


@dataclass(frozen=True)
class Task:
    """One run of one cell. `path` is its cassette, None if none is kept; with `keep_good`, only a recording that
    exercises its scenario is kept and counts (`record`), else any run is judged (`run`).
    `sample` counts from 1; it is 0 for a run that is not a sample.
    """

    cell: Cell
    endpoint: Endpoint
    path: Path | None
    keep_good: bool = False
    sample: int = 0
    attempts: int = ATTEMPTS
    backoff: BackoffPolicy | None = field(default_factory=BackoffPolicy)
    """How long to wait for a busy server; None to judge its answer."""
    deadline: float | None = None
    """Until when to wait for a server that fails, on the monotonic clock; None as long as `backoff` allows."""

    @property
    def key(self) -> Key:
        return self.cell.target, self.cell.id, self.sample

    @property
    def source(self) -> str:
        """The source in findings: the cassette, or, if none is kept, the target and the cell."""
        if self.path is not None:
            return str(self.path)
        return f"{self.cell.target}:{self.cell.id}" + (f"#{self.sample}" if self.sample else "")


@dataclass
class Outcome:
    """The outcome of a task, in plain values: for other processes, and for the journal.

    `refused` is why there is nothing to judge, `not_offered` what the cell needs that the server does not offer,
    `trouble` why no response was usable. `started` is
    false for a task that was left out, because its endpoint had been given up.
    """

    target: str
    cell: str
    sample: int = 0
    findings: list[Finding] = field(default_factory=list)
    exchanges: int = 0
    harness_errors: list[str] = field(default_factory=list)
    refused: str | None = None
    trouble: Trouble | None = None
    started: bool = True
    usage: Usage = field(default_factory=Usage)
    observation: Observation | None = None
    exercised: Mapping[ExchangeShape, int] = field(default_factory=dict)
    not_offered: str | None = None

    @property
    def key(self) -> Key:
        return self.target, self.cell, self.sample

    def as_json(self) -> dict[str, Any]:
        return {
            **asdict(replace(self, findings=[], exercised={})),
            "findings": [finding.as_json() for finding in self.findings],
            "exercised": list(self.exercised.items()),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Outcome:
        """The outcome that `as_json` wrote.

        Raises:
            ValueError, KeyError, TypeError: the value is not an outcome.
        """
        findings = [Finding.from_json(each) for each in record["findings"]]
        observed, trouble = record["observation"], record["trouble"]
        return cls(
            **{
                **record,
                "findings": findings,
                "trouble": Trouble(**trouble) if trouble else None,
                "usage": Usage(**record["usage"]),
                "observation": Observation(**observed) if observed else None,
                "exercised": {ExchangeShape.from_json(each): number for each, number in record.get("exercised", ())},
            }
        )
