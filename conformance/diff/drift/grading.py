"""The grade of a shift between sets: that of the table for the same difference between two recordings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from conformance.diff.difference import Grade
from conformance.diff.drift.observed import Key
from conformance.diff.drift.observed_fields import ABSENT, bare
from conformance.diff.row import Where
from conformance.diff.rows import place_row
from conformance.model.finding import Severity

_GRADES = {
    "status": Grade.CHANGE,
    "stop": Grade.CHANGE,
    "id": Grade.REVIEW,
    "parts": Grade.REVIEW,
    "fact": Grade.REVIEW,
    "exchanges": Grade.REVIEW,
    "number": Grade.REVIEW,
    "events": Grade.CHANGE,
    "call": Grade.CHANGE,
    "unusual": Grade.CHANGE,
}
_MILDER = {("call", "order"), ("events", "stop")}
TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
"""The outcomes of a field that are types: another one of these makes a field another type, and not a new field."""


def grade_of(key: Key, outcome: str, *, appears: bool, before: bool, severities: Mapping[str, Severity]) -> Grade:
    """The grade of an outcome that is more frequent now, or less (`appears`).

    `before` is whether the old side has the field without this outcome: another type, then, and not a new field.
    """
    if key.topic == "rule":
        if not appears:
            return Grade.NOISE
        severity = severities.get(outcome, Severity.WARNING)
        return {Severity.ERROR: Grade.CHANGE, Severity.WARNING: Grade.REVIEW}.get(severity, Grade.NOISE)
    if (key.topic, key.name) in _MILDER:
        return Grade.REVIEW
    if key.topic == "argument":
        return Grade.CHANGE if outcome in (*TYPES, ABSENT, "broken") else Grade.REVIEW
    if key.topic in ("field", "header"):
        how = _how(key, outcome, appears=appears, before=before)
        return _placed(key.name, key.topic, how, streamed=key.scope.endswith("stream"), ok="error" not in key.place)
    return _GRADES[key.topic]


def _how(key: Key, outcome: str, *, appears: bool, before: bool) -> str:
    if outcome == ABSENT:
        return "gone" if appears else "new"
    if key.topic == "header" and outcome == "present":
        return "new" if appears else "gone"
    if outcome == "null":
        return "null"
    if outcome in TYPES:
        return "type" if before else "new" if appears else "gone"
    return "value"


@lru_cache(maxsize=65_536)
def _placed(name: str, topic: str, how: Any, *, streamed: bool, ok: bool) -> Grade:
    header = topic == "header"
    path = f"/{name}" if header else bare(name)
    row = place_row(Where(path, how, "response", "header" if header else "body", streamed, ok))
    return Grade.REVIEW if row.is_covered else row.grade
