"""What a finding needs of the statements: their severities, their numbers with the main source, the neutral rules.

It lies beside each file of statements as JSON (`make pages`), so that a verdict reads no YAML; an old one is not used.
Nothing is read before there is something to report.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from conformance.contract.brief import NEUTRAL, Brief, Held, file_of, files_of_no_dialect
from conformance.model.data_files import checksum
from conformance.model.finding import Severity


@cache
def briefs_in(path: Path) -> Mapping[str, Brief]:
    """What a finding needs of the statements of one file."""
    made = path.with_suffix(".json")
    if made.is_file():
        known = json.loads(made.read_bytes())
        if known["checksum"] == checksum(path):
            return {number: _brief(number, *each) for number, each in known["statements"].items()}
    from conformance.contract.statements import statements_in

    return {number: each.brief for number, each in statements_in(path).items()}


def _brief(number: str, severity: str, cited: str, rules: Mapping[str, list[str]]) -> Brief:
    return Brief(number, severity, cited, {rule: _held(*each) for rule, each in rules.items()})


def _held(severity: str = "", because: str = "") -> Held:
    return Held(Severity[severity.upper()] if severity else None, because)


def written(path: Path, briefs: Iterable[Brief]) -> str:
    """The JSON beside a file, one statement a line."""
    lines = [f"{json.dumps(each.id)}: {json.dumps(_listed(each), ensure_ascii=False)}" for each in briefs]
    return "\n".join((f'{{"checksum": {checksum(path)}, "statements": {{', ",\n".join(lines), "}}", ""))


def _listed(brief: Brief) -> list[Any]:
    rules = {rule: [str(each.severity), each.because] if each.severity else [] for rule, each in brief.rules.items()}
    return [brief.severity, brief.cited, rules]


def own_briefs(package: str) -> Mapping[str, Brief]:
    """What a finding needs of them."""
    path = file_of(package)
    return {} if path is None else briefs_in(path)


@cache
def find_brief(number: str, package: str) -> Brief | None:
    """What a finding needs of the statement that a rule or a row of a package cites.

    It is the package's own, that of every dialect, or that of none.
    """
    for home in (package, NEUTRAL):
        if number in (found := own_briefs(home)):
            return found[number]
    return next((found[number] for path in files_of_no_dialect() if number in (found := briefs_in(path))), None)
