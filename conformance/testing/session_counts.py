"""The counts of the running test, for the summary of the pytest session."""

from __future__ import annotations

from typing import Any

from conformance.testing.outcome import Outcome

_TESTS: list[dict[str, Any]] = []


def begin() -> dict[str, Any]:
    """Starts the counts of a test."""
    _TESTS.append({})
    return _TESTS[-1]


def end() -> dict[str, Any]:
    """Ends the counts of the test and returns them."""
    return _TESTS.pop()


def count_outcome(outcome: Outcome) -> None:
    """Adds the counts of an outcome, if a test runs."""
    if _TESTS:
        merge(_TESTS[-1], outcome.counts())


def merge(total: dict[str, Any], counts: dict[str, Any]) -> None:
    """Adds counts to a total: numbers are summed, lists joined, tables merged by key."""
    for name, value in counts.items():
        if isinstance(value, dict):
            merge(total.setdefault(name, {}), value)
        else:
            total[name] = total.get(name, type(value)()) + value
