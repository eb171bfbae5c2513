"""Writes as JSON what a verdict needs of our YAML, and the index of rules: `make data`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from conformance.judge import rule_index
from conformance.judge.rule import all_rules
from conformance.model.data_files import checksum, yaml_data
from devtools.places import ROOT

SOURCES = (
    *(ROOT / "specs" / name for name in ("consequences.yaml", "profiles", "secrets.yaml")),
    ROOT / "conformance/judge/run_rules.yaml",
    *sorted(ROOT.glob("conformance/dialects/*/rules.yaml")),
)
"""Files and folders."""


def documents() -> Iterator[tuple[Path, str]]:
    """Each file with its text."""
    for source in SOURCES:
        made = {"checksum": checksum(source), "value": yaml_data(source)}
        yield source.with_suffix(".json"), json.dumps(made, ensure_ascii=False, indent=1) + "\n"
    yield rule_index.FILE, rule_index.written(all_rules().values())


if __name__ == "__main__":
    for path, text in documents():
        path.write_text(text, encoding="utf-8")
