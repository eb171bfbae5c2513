"""Reasons for what differs and for what survives: `tests/data/contract_floor.yaml` and `tests/data/faults.yaml`.

Each entry has `at`, a regular expression for a whole line or its beginning, and a `reason`. A reason that fits nothing
is an error, so that the file never explains what is no longer there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml


@dataclass
class Reasons:
    """The reasons of one file, and how often each was given."""

    entries: list[tuple[re.Pattern[str], str]]
    given: dict[int, int] = field(default_factory=dict)

    @staticmethod
    def of(file: Path) -> Reasons:
        listed = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else []
        return Reasons([(re.compile(each["at"]), each["reason"]) for each in listed or ()])

    def reason(self, line: str) -> str:
        """The first reason that fits a line; empty where none does."""
        for number, (pattern, reason) in enumerate(self.entries):
            if pattern.match(line):
                self.given[number] = self.given.get(number, 0) + 1
                return reason
        return ""

    def unused(self) -> list[str]:
        """The entries that fitted no line."""
        return [each.pattern for number, (each, _) in enumerate(self.entries) if number not in self.given]
