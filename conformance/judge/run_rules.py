"""Rules about a whole run: they need more than the exchanges, so they belong to no dialect.

They have ids of their own, which `conformance explain` accepts like those of any rule; `run_rules.yaml` has the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from conformance.model.data_files import read_data
from conformance.model.finding import Finding, Hit, Severity
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class RunRule:
    """What must hold, what breaks in practice if it does not, and the severity if a hit has none of its own.

    `about_model`: it is about what the model answers, as opposed to the wire.
    """

    requirement: str
    consequence: str
    severity: Severity
    about_model: bool


@cache
def run_rules() -> Mapping[str, RunRule]:
    """The rules by their ids."""
    return {
        name: RunRule(
            each["requirement"],
            each["consequence"],
            Severity(each.get("severity", Severity.ERROR)),
            each.get("about") == "model",
        )
        for name, each in read_data(Path(__file__).with_name("run_rules.yaml")).items()
    }


def is_about_model(rule: str) -> bool:
    """Whether a rule is an expectation of the model's answers."""
    found = run_rules().get(rule)
    return found is not None and found.about_model


@dataclass(frozen=True, slots=True)
class RunFinding:
    """A hit of one of the rules; `exchange` is its number, None if it is about the whole run."""

    rule: str
    exchange: int | None
    hit: Hit

    def finding(self, *, dialect: str | None, source: str) -> Finding:
        """The hit as a finding: of the severity of its rule unless the hit has another one."""
        hit = self.hit
        side = hit.side or ("response" if self.exchange is not None and hit.pointer is not None else None)
        return Finding(
            rule=self.rule,
            severity=hit.severity if hit.severity is not None else run_rules()[self.rule].severity,
            message=hit.message,
            dialect=dialect,
            source=source,
            exchange=self.exchange,
            side=side,
            pointer=hit.pointer,
            expected=hit.expected,
            actual=hit.actual,
            fix=hit.fix,
        )
