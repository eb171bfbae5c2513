"""`python -m devtools.proofs` writes `proofs/derived.yaml` of each dialect with a contract.

The file has an example of each rule of the contract that the other files of the folder have none of.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from conformance.judge.contract_rules import Row, rows_by_rule, shared_contracts
from conformance.judge.contracted import Contracts
from conformance.judge.proofs.example import Edit, Example
from conformance.judge.proofs.examples import rules_shown_by
from conformance.judge.proofs.place import place_at
from conformance.judge.rule import coded_rules
from conformance.model.registry import all_dialects, dialect_packages
from devtools.proofs.deriving import derived

NAME = "derived.yaml"
_HEAD = "# Made by `make proofs` from the rows of the contract, for the rules that no other file here shows.\n\n"


def contracts() -> Mapping[str, tuple[list[Contracts], str]]:
    """The packages with contracts, each with these, that of the main endpoint first, and one of its dialects."""
    found: dict[str, tuple[list[Contracts], str]] = {}
    for contract, names in shared_contracts():
        package = all_dialects()[names[0]].package
        owner = next(each for each in dialect_packages() if f"{package}.".startswith(f"{each}."))
        found.setdefault(owner, ([], names[0]))[0].append(contract)
    return found


def _rows(package: str) -> Mapping[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for contract in contracts()[package][0]:
        for rule, rows in rows_by_rule(contract).items():
            found.setdefault(rule, []).extend(rows)
    return found


def file_of(package: str) -> Path:
    """The file of a package with its derived examples."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(f"{package} is no folder")
    return Path(spec.submodule_search_locations[0]) / "proofs" / NAME


def missing(package: str) -> list[str]:
    """The rules of a contract that need a derived example, in the order of its rows."""
    written = {rule for rule, path in rules_shown_by(package) if path.name != NAME}
    return [rule for rule in _rows(package) if rule not in written and rule not in coded_rules()]


def text_of(package: str) -> str:
    """What the file should contain; empty if it is not needed.

    Raises:
        ValueError: no base of the dialect shows a rule.
    """
    rows, dialect = _rows(package), contracts()[package][1]
    found = {rule: {"violating": [_written(derived(rule, dialect, rows[rule]))]} for rule in missing(package)}
    pieces = (yaml.dump({rule: each}, width=110, sort_keys=False, allow_unicode=True) for rule, each in found.items())
    return _HEAD + "\n".join(pieces) if found else ""


def _written(example: Example) -> dict[str, Any]:
    edits = [_edit(each) for each in example.edits]
    return {
        "base": example.base.partition("/")[2],
        **(edits[0] if len(edits) == 1 else {"edits": edits}),
        **({} if example.at in (None, example.edited_at) else {"at": example.at.removeprefix("0 ")}),
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return {edit.action: place_at(edit.pointer), **({"value": edit.value} if edit.action == "put" else {})}


if __name__ == "__main__":
    for each in contracts():
        path, text = file_of(each), text_of(each)
        path.unlink(missing_ok=True)
        if text:
            path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{each}: {len(missing(each))} examples derived\n")
