"""Thresholds for samples: `--fail-under success=0.9`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from conformance.campaign.differences import CALLS, rates_of
from conformance.campaign.statistics import CHECKS
from conformance.errors import ConformanceError
from conformance.model.schema_words import nearest


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least share of the runs, from 0 to 1, of which a check must hold at every target."""

    measure: str
    least: float

    def __str__(self) -> str:
        return f"{self.measure}={self.least:g}"


@dataclass(frozen=True, slots=True)
class Missed:
    """A threshold that a target missed; `value` is None if nothing was measured."""

    target: str
    measure: str
    least: float
    value: float | None
    held: int
    n: int

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.target}: {self.measure} was not measured in any run; --fail-under wants {self.least:.0%}"
        return (
            f"{self.target}: {self.measure} is {self.value:.1%} ({self.held} of {self.n}), "
            f"below the {self.least:.0%} of --fail-under"
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def threshold_of(text: str) -> Threshold:
    """The threshold of an option: `success=0.9` or `success=90%`.

    Raises:
        ConformanceError: it has another form, an unknown measure, or a share that is not between 0 and 1.
    """
    measure, equals, share = text.partition("=")
    measure, share = measure.strip(), share.strip()
    known = [*CHECKS, *CALLS]
    if measure not in known:
        hint = nearest(measure, known, f"the measures are {', '.join(known)}")
        raise ConformanceError(f"--fail-under {text}: there is no measure {measure!r}", hint)
    if not equals or not re.fullmatch(r"\d+(\.\d+)?%?", share):
        raise ConformanceError(f"--fail-under {text}: no share after the measure", f"write it as {measure}=0.9")
    least = float(share.removesuffix("%")) / (100 if share.endswith("%") else 1)
    if least > 1:
        raise ConformanceError(f"--fail-under {text}: {share} is more than 1", f"write it as {measure}=0.9")
    return Threshold(measure, least)


def missed(statistics: Mapping[str, Any], thresholds: Sequence[Threshold]) -> Iterator[Missed]:
    """The thresholds that a target missed. A rate that nothing was counted for is missed as well."""
    for target in statistics["targets"]:
        rates = rates_of(target)
        for each in thresholds:
            rate = rates[each.measure]
            if rate["value"] is None or rate["value"] < each.least:
                name, value = target["target"], rate["value"]
                yield Missed(name, each.measure, each.least, value, rate["held"], rate["n"])
