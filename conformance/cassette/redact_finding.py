"""Findings without secrets: they quote what they found, and recordings hold keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.model.finding import Finding

if TYPE_CHECKING:
    from conformance.cassette.gate import Gate
    from conformance.cassette.redact import Redactor

_QUOTING = ("message", "expected", "actual", "fix", "source", "id", "conversation", "pointer")
"""The fields of a finding that can contain recorded text; the others are ours."""
_SHORT, _MANY = 200, 10_000


class Withheld(NamedTuple):
    """Why a finding is not shown: the last check still finds a secret in it."""

    reason: str


class CleanFindings:
    """Removes secrets from findings, then checks what is left."""

    def __init__(self, redactor: Redactor, gate: Gate) -> None:
        self._redactor, self._gate = redactor, gate
        self._harmless: set[str] = set()

    def clean(self, finding: Finding) -> Finding | Withheld:
        """The finding without secrets, or why it cannot be shown."""
        self._redactor.forget()
        quoted = {name: v for name in _QUOTING if (v := getattr(finding, name)) and v not in self._harmless}
        clean = {name: self._redactor.text(value) for name, value in quoted.items()}
        for name, value in clean.items():
            for leak in self._gate.text(value, f"its {name}"):
                place = "" if name == "source" else f" ({clean.get('source', finding.source)})"
                return Withheld(f"a finding of {finding.rule}{place} is withheld: {leak}")
            if value == quoted[name] and len(value) < _SHORT and len(self._harmless) < _MANY:
                self._harmless.add(value)  # files, rules' own words: they come again and again
        changed: dict[str, Any] = {name: value for name, value in clean.items() if value != quoted[name]}
        return replace(finding, **changed) if changed else finding
