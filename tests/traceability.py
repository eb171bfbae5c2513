"""Statements of the contract and what holds them: `specs/traceability.yaml` against the rules and the catalogue.

`python -m tests.traceability` writes the lists of rules anew from what the rules cite, and gives every statement that
has no entry an empty one; what holds a statement that no rule cites is for somebody to say, and a test asks for it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from conformance.judge.rule import Rule, all_rules
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects
from tests.conftest import ROOT

FILE = ROOT / "specs" / "traceability.yaml"
CATALOGUE = ROOT.parent / "shared" / "WIRE.md"
KEYS = ["severity", "verified", "statement", "source", "rules", "property", "corrected", "severity_note", "excluded"]
HOLDERS = ("rules", "property", "excluded")

Entries = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Statement:
    """A numbered row of the catalogue."""

    severity: str
    verified: bool


def sections(text: str) -> dict[str, str]:
    """The text of each section and subsection of the catalogue by its number."""
    parts = re.split(r"^##+ ([\d.]+[a-z]?)", text, flags=re.MULTILINE)
    return {number.rstrip("."): body for number, body in zip(parts[1::2], parts[2::2], strict=True)}


def numbered(text: str) -> dict[str, Statement]:
    """The statements in the tables of rules."""
    found: dict[str, Statement] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 6 and re.fullmatch(r"[A-Z]{3}-(?:[A-Z]-)?\d{3}", cells[0]):
            found[cells[0]] = Statement(cells[1], verified=cells[4].startswith("v"))
    return found


def unnumbered(text: str) -> set[str]:
    """What can be tested and has no number of its own: the rules for every format, ids, and other corrections."""
    rules = re.findall(r"^(\d+)\. ", sections(text)["0.3"], flags=re.MULTILINE)
    others = {f"15 {name}" for name in corrected(text) if not re.match("[A-Z]{3}-", name)}
    return {"0.4", *(f"0.3.{number}" for number in rules), *others}


def corrected(text: str) -> set[str]:
    """The subjects of the corrections: ids of statements, and words for what has none."""
    rows = re.findall(r"^\| ([^|]+) \|", sections(text)["15"], flags=re.MULTILINE)
    return {name for row in rows[1:] for name in row.split(", ") if not name.startswith("-")}


@cache
def load() -> dict[str, dict[str, Any]]:
    """The entries by the ids of their statements."""
    entries: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["statements"]
    return entries


@cache
def citing() -> Mapping[str, tuple[Rule, ...]]:
    """The rules that cite each statement."""
    found: dict[str, list[Rule]] = {}
    for rule in all_rules().values():
        for name in dict.fromkeys(rule.requirements):
            found.setdefault(name, []).append(rule)
    return {name: tuple(rules) for name, rules in found.items()}


def declared(rule: Rule, name: str) -> Severity:
    """The severity of a rule in the dialects that a statement is about; the worst where it is about none by name."""
    about = [dialect.name for dialect in all_dialects().values() if dialect.prefix == name[:3]]
    return max(rule.severity_in(dialect) for dialect in about or rule.dialects or ("",))


def problems(entries: Entries) -> Iterator[str]:
    """What is wrong with the entries, each with what to write instead."""
    for name, rules in citing().items():
        if name not in entries:
            yield f"{name} has no entry; add `rules: [{', '.join(rule.id for rule in rules)}]`"
    for name, entry in entries.items():
        rules = citing().get(name, ())
        wanted = [rule.id for rule in rules]
        if entry.get("rules", []) != wanted:
            yield f"{name}: write `rules: [{', '.join(wanted)}]`" if wanted else f"{name}: no rule cites it"
        if not any(str(entry.get(holder) or "").strip() for holder in HOLDERS):
            yield f"{name}: nothing holds it; write a rule that cites it, name a test under `property`, or `excluded`"
        if entry.get("excluded") is not None and (rules or not str(entry["excluded"]).strip()):
            yield f"{name}: `excluded` is for a statement without a rule, and says why"
        yield from (f"{name}: there is no key {key!r}" for key in entry if key not in KEYS)
        for test in (*names(entry.get("property")), *names(entry.get("corrected"))):
            if not is_test(test):
                yield f"{name}: there is no test {test}"
        if "severity" in entry:
            yield from _severities(name, entry, rules)


def _severities(name: str, entry: Mapping[str, Any], rules: Sequence[Rule]) -> Iterator[str]:
    stated = Severity[entry["severity"].upper()]
    found = {rule.id: declared(rule, name) for rule in rules}
    if not entry["verified"]:
        errors = [rule for rule, severity in found.items() if severity is Severity.ERROR]
        yield from (f"{name} is not verified, and {rule} is an error: make it a warning" for rule in errors)
    above = [rule for rule, severity in found.items() if severity > stated]
    below = bool(found) and entry["verified"] and max(found.values()) < stated
    told = str(entry.get("severity_note", "")).strip()
    if "severity_note" in entry and not told:
        yield f"{name}: `severity_note` says nothing"
    elif (above or below) and not told:
        what = f"{', '.join(above)} above it" if above else f"no rule above {max(found.values())}"
        yield f"{name} is of severity {stated}, {what}: say in `severity_note` on what evidence"


def names(value: Any) -> tuple[str, ...]:
    """The tests that an entry names: one, or a list."""
    return (value,) if isinstance(value, str) else tuple(value or ())


def is_test(name: str) -> bool:
    """Whether a test of that name exists: `tests/test_x.py::test_y`, or with a class in between."""
    path, *rest = name.split("::")
    return tuple(rest) in tests_in(ROOT / path)


@cache
def tests_in(path: Path) -> frozenset[tuple[str, ...]]:
    """The names of all tests of a module, read off its text."""
    if not path.is_file() or not path.name.startswith("test_"):
        return frozenset()
    return frozenset(_tests(ast.parse(path.read_text(encoding="utf-8")).body, ()))


def _tests(body: list[ast.stmt], holders: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_"):
            yield (*holders, node.name)
        elif isinstance(node, ast.ClassDef):
            yield from _tests(node.body, (*holders, node.name))


def refreshed(entries: Entries) -> dict[str, dict[str, Any]]:
    """The entries with the rules as they are cited now, and an empty one for what has none."""
    found = {name: {key: value for key, value in entry.items() if key != "rules"} for name, entry in entries.items()}
    for name, rules in citing().items():
        found.setdefault(name, {})["rules"] = [rule.id for rule in rules]
    if CATALOGUE.is_file():
        text = CATALOGUE.read_text(encoding="utf-8")
        for name, statement in numbered(text).items():
            found.setdefault(name, {}).update(severity=statement.severity, verified=statement.verified)
        for name in unnumbered(text):
            found.setdefault(name, {})
    return found


def written(entries: Entries) -> str:
    """The file: its head as it stands, then the entries, one line for each key."""
    head = FILE.read_text(encoding="utf-8").partition("statements:\n")[0] if FILE.is_file() else ""
    lines = [head + "statements:"]
    for name, entry in entries.items():
        lines.append(f"  {name if name[0].isalpha() else repr(name)}:")
        for key in sorted(entry, key=KEYS.index):
            flow = None if key == "rules" else False
            dumped = yaml.safe_dump({key: entry[key]}, default_flow_style=flow, allow_unicode=True, width=110)
            lines.append(indent(dumped.rstrip(), "    "))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(refreshed(load())), encoding="utf-8")
    load.cache_clear()
    print("\n".join(problems(load())) or f"{FILE.name}: nothing is missing")  # noqa: T201 - what it is run for
