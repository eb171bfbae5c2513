"""Statements of the contract and what holds them: `specs/traceability.yaml` against the pages and the rules.

`python -m tests.traceability` writes anew what can be read elsewhere: the rules that cite a statement, the rows of the
comparison that do, and which statements are planned. It gives every statement that has no entry an empty one; what
holds a statement that nothing cites is for somebody to say, and a test asks for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from conformance.catalogue.contract import all_statements
from conformance.catalogue.contract_pages import Statement
from conformance.diff.rows import FACTS, PLACES
from conformance.judge.contract_rules import contract_rules
from conformance.judge.rule import Rule, all_rules
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects
from tests.conftest import ROOT

FILE = ROOT / "specs" / "traceability.yaml"
HOLDERS = ("rules", "rows", "property", "same_as", "excluded", "planned")
KEYS = [*HOLDERS, "corrected", "severity_note"]

Entries = Mapping[str, Mapping[str, Any]]
Statements = Mapping[str, Statement]


@cache
def load() -> dict[str, dict[str, Any]]:
    """The entries by the ids of their statements."""
    entries: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["statements"]
    return {name: entry or {} for name, entry in entries.items()}


@cache
def citing() -> Mapping[str, tuple[Rule, ...]]:
    """The rules that cite each statement."""
    found: dict[str, list[Rule]] = {}
    for rule in all_rules().values():
        for name in dict.fromkeys(rule.requirements):
            found.setdefault(name, []).append(rule)
    return {name: tuple(rules) for name, rules in found.items()}


@cache
def grading() -> Mapping[str, tuple[str, ...]]:
    """The rows of the comparison of recordings that cite each statement, by their ids."""
    found: dict[str, list[str]] = {}
    for row in (*FACTS.values(), *PLACES):
        ids = found.setdefault(row.cite, [])
        if row.id not in ids:
            ids.append(row.id)
    return {name: tuple(ids) for name, ids in found.items()}


def declared(rule: Rule, name: str) -> Severity:
    """The severity of a rule in the dialects that a statement is about; the worst where it is about none by name."""
    if rule.of_contract and name in contract_rules()[rule.id].severities:
        return contract_rules()[rule.id].severities[name]
    about = [dialect.name for dialect in all_dialects().values() if dialect.prefix == name[:3]]
    return max(rule.severity_in(dialect) for dialect in about or rule.dialects or ("",))


def problems(entries: Entries, statements: Statements | None = None) -> Iterator[str]:
    """What is wrong with the entries, each with what to write instead.

    Args:
        entries: What holds each statement.
        statements: The statements; by default those of the pages.
    """
    statements = all_statements() if statements is None else statements
    for name in dict.fromkeys((*statements, *citing(), *grading())):
        if name not in statements:
            citers = (*(rule.id for rule in citing().get(name, ())), *grading().get(name, ()))
            yield f"{name} has no heading in docs/contract, and is cited by {', '.join(citers)}"
        elif name not in entries:
            yield f"{name} has no entry; run `python -m tests.traceability`"
    for name, entry in entries.items():
        if name not in statements:
            yield f"{name} is no statement of docs/contract; remove the entry"
            continue
        rules = [rule.id for rule in citing().get(name, ())]
        yield from _list(name, entry, "rules", rules)
        yield from _list(name, entry, "rows", grading().get(name, ()))
        yield from _holders(name, entry, planned=statements[name].planned)
        yield from (f"{name}: there is no key {key!r}" for key in entry if key not in KEYS)
        for test in (*names(entry.get("property")), *names(entry.get("corrected"))):
            if not is_test(test):
                yield f"{name}: there is no test {test}"
        for other in names(entry.get("same_as")):
            if "same_as" in entries.get(other, {"same_as": ""}) or other == name:
                yield f"{name}: {other} is no entry that says what holds it"
        yield from _severities(name, entry, statements[name])


def _list(name: str, entry: Mapping[str, Any], key: str, wanted: Sequence[str]) -> Iterator[str]:
    """The list of who cites the statement is that of the entry."""
    if entry.get(key, []) != list(wanted):
        yield f"{name}: write `{key}: [{', '.join(wanted)}]`" if wanted else f"{name}: {key} that do not cite it"


def _holders(name: str, entry: Mapping[str, Any], *, planned: bool) -> Iterator[str]:
    held = {key for key in HOLDERS if str(entry.get(key) or "").strip()}
    if not held:
        yield f"{name}: nothing holds it; write a rule that cites it, name a test under `property`, or `excluded`"
    if planned and held - {"planned"}:
        yield f"{name}: it is held; remove `status: planned` from its page"
    if planned != ("planned" in entry):
        yield f"{name}: write `planned: true` where its page says so, and only there"
    if "excluded" in entry and held != {"excluded"}:
        yield f"{name}: `excluded` is for a statement that nothing holds, and says why"


def _severities(name: str, entry: Mapping[str, Any], statement: Statement) -> Iterator[str]:
    if statement.severity.upper() not in Severity.__members__:
        return  # a class of differences, which are graded by rows
    stated = Severity[statement.severity.upper()]
    found = {rule.id: declared(rule, name) for rule in citing().get(name, ())}
    if not statement.verified:
        errors = [rule for rule, severity in found.items() if severity is Severity.ERROR]
        yield from (f"{name} is not verified, and {rule} is an error: make it a warning" for rule in errors)
    above = [rule for rule, severity in found.items() if severity > stated]
    below = bool(found) and statement.verified and max(found.values()) < stated
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
    """The entries in the order of the pages, with what can be read elsewhere as it is now."""
    found: dict[str, dict[str, Any]] = {}
    for name, statement in sorted(all_statements().items(), key=lambda item: _page(entries, item[1])):
        read = {
            "rules": [rule.id for rule in citing().get(name, ())],
            "rows": list(grading().get(name, ())),
            "planned": statement.planned,
        }
        kept = {key: value for key, value in entries.get(name, {}).items() if key not in read}
        found[name] = {**{key: value for key, value in read.items() if value}, **kept}
    return found


def _page(entries: Entries, statement: Statement) -> tuple[int, str]:
    """Where the statements of a page stand in the file: pages keep their order, and a new one comes last."""
    order = list(dict.fromkeys(all_statements()[name].page for name in entries if name in all_statements()))
    return (order.index(statement.page) if statement.page in order else len(order), statement.page)


def written(entries: Entries) -> str:
    """The file: its head as it stands, then the entries, one line for each key."""
    head = FILE.read_text(encoding="utf-8").partition("statements:\n")[0] if FILE.is_file() else ""
    lines = [head + "statements:"]
    for name, entry in entries.items():
        lines.append(f"  {name if name[0].isalpha() else repr(name)}:")
        for key in sorted(entry, key=KEYS.index):
            flow = None if key in ("rules", "rows") else False
            dumped = yaml.safe_dump({key: entry[key]}, default_flow_style=flow, allow_unicode=True, width=110)
            lines.append(indent(dumped.rstrip(), "    "))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(refreshed(load())), encoding="utf-8")
    load.cache_clear()
    print("\n".join(problems(load())) or f"{FILE.name}: nothing is missing")  # noqa: T201 - what it is run for
