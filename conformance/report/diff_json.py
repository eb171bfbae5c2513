"""JSON, version 1: the contract of `specs/diff.schema.json`."""

from __future__ import annotations

from typing import IO, Any

from conformance.diff.cassettes import Comparison
from conformance.diff.changes import Change
from conformance.diff.comparisons import Drift
from conformance.diff.difference import Grade
from conformance.report.console import put_json


def write(drift: Drift, out: IO[str], *, verbose: bool) -> None:  # noqa: ARG001 - it always has everything
    """One object."""
    put_json(out, as_json(drift))


def as_json(drift: Drift) -> dict[str, Any]:
    """The report as a JSON value."""
    comparisons = drift.comparisons
    return {
        "version": 1,
        "old": drift.old,
        "new": drift.new,
        "summary": {
            "cassettes": len(comparisons),
            "identical": drift.identical,
            "only_old": sum(one.new is None for one in comparisons),
            "only_new": sum(one.old is None for one in comparisons),
            **{str(grade): drift.number(grade) for grade in reversed(Grade)},
            "grade": "identical" if drift.worst is None else str(drift.worst),
            "drift": list(drift.drifted),
        },
        "changes": [_change(each) for each in drift.changes],
        "cassettes": [_cassette(one) for one in comparisons],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "grade": str(change.grade),
        "row": change.head.row,
        "side": change.head.side,
        "message": change.head.message,
        "therefore": list(change.therefore),
        "cells": [one.name for one in change.comparisons],
        "differences": len(change.places),
    }


def _cassette(one: Comparison) -> dict[str, Any]:
    return {
        "dialect": one.dialect,
        "scenario": one.scenario,
        "driver": one.driver,
        "mode": one.mode,
        "old": one.old,
        "new": one.new,
        "grade": "identical" if one.grade is None else str(one.grade),
        "drift": list(one.drifted),
        "context": {key: {"old": _text(old), "new": _text(new)} for key, (old, new) in one.context.items()},
        "differences": [each.as_json() for each in one.differences],
    }


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
