"""Writes as JSON what a verdict needs of our YAML, and what explanations need of all rules: `make data`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.judge import rule_index
from conformance.judge.relations.files import rows_of
from conformance.judge.rule import Rule, all_rules
from conformance.model.data_files import checksum, yaml_data
from conformance.model.registry import is_foreign
from conformance.report.catalogue import special_cases
from devtools.places import ROOT

SOURCES = (
    *(ROOT / "specs" / name for name in ("consequences.yaml", "profiles", "secrets.yaml")),
    *(ROOT / "conformance" / name for name in ("judge/run_rules.yaml", "diff/rows.yaml")),
    *(
        each
        for name in ("rules", "texts", "faults")
        for each in sorted(ROOT.glob(f"conformance/dialects/*/{name}.yaml"))
    ),
)
"""Files and folders."""
RELATIONS = sorted(ROOT.glob("conformance/dialects/*/relations"))


def documents() -> Iterator[tuple[Path, str]]:
    """Each file with its text."""
    for source in SOURCES:
        yield _json(source, yaml_data(source))
    for folder in RELATIONS:
        yield _json(folder, rows_of(f"conformance.dialects.{folder.parent.name}", folder))
    yield rule_index.FILE, _index()
    yield special_cases.FILE, special_cases.written()


def _json(source: Path, value: Any) -> tuple[Path, str]:
    made = {"checksum": checksum(source), "value": value}
    return source.with_suffix(".json"), json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def _index() -> str:
    """The index of rules, one rule a line."""
    ours = {name: rule for name, rule in all_rules().items() if rule.dialects and not is_foreign(_package(rule))}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(_entry(rule))}" for name, rule in ours.items())
    return f"{{{lines}}}\n"


def _package(rule: Rule) -> str:
    return rule.home.removesuffix(".contract") if rule.of_contract else rule.home


def _entry(rule: Rule) -> list[Any]:
    of_contract = {
        "scope": rule.scope,
        "severity": str(rule.graded),
        "dialects": rule.dialects,
        "text": rule.judge.__doc__,
    }
    return [_package(rule), rule.cites, of_contract if rule.of_contract else None]


if __name__ == "__main__":
    for path, text in documents():
        path.write_text(text, encoding="utf-8")
