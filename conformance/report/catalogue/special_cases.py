"""The special cases of severity: rules and rows that have another one than a statement that they check, and why.

A rule, a row of a contract and an entry of `rules:` in a statement carry the reason as `because`. It is written there
and nowhere else; the pages of the statements and `explain` show what this module finds. To find it, every contract is
read row by row, so that `make data` keeps it in `special_cases.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from conformance.contract.briefs import own_briefs
from conformance.contract.citation import Kind
from conformance.judge.contract_rules import contract_rules, rows_by_rule, shared_contracts
from conformance.judge.rule import Rule, all_rules
from conformance.model.distributions import packages
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects
from conformance.report.catalogue.contract import all_statements

FILE = Path(__file__).with_name("special_cases.json")
_PLACES = 3
"""How many places of a rule are named; of more, only the number is shown."""


@dataclass(frozen=True, slots=True)
class Check:
    """A rule and one statement that it checks, with the severity of its findings and why it is not the statement's.

    `dialects` are those in which it holds, none for every dialect. Of a row of a contract, `place` is the field and
    `kind` that of the violation: the policy lowers some kinds without a reason of the row's own.
    """

    rule: str
    number: str
    severity: Severity
    because: str
    dialects: tuple[str, ...]
    place: str = ""
    kind: Kind | None = None


def checks() -> Iterator[Check]:
    """Every rule with every statement that it checks; of a contract, each row."""
    for each in all_rules().values():
        yield from _of_contract(each) if each.of_contract else _of_code(each)
    for contracts, dialects in shared_contracts():
        for rule, rows in rows_by_rule(contracts).items():
            for contract, row in rows:
                number = row.number or contract.number
                yield Check(rule, number, row.severity, row.because, dialects, row.path, row.kind)


def _of_contract(rule: Rule) -> Iterator[Check]:
    """The statements that no row cites."""
    requirement = contract_rules()[rule.id].requirement
    for number in requirement.also:
        yield Check(rule.id, number, rule.severity[""], requirement.because, rule.dialects)


def _of_code(rule: Rule) -> Iterator[Check]:
    for number in rule.numbers:
        yield Check(rule.id, number, rule.severity[""], rule.because, rule.dialects)
    for dialect, held in rule.held.items():
        severity = rule.severity_in(dialect)
        for statement, how in held:
            yield Check(rule.id, statement.id, severity, how.because, (dialect,))
        if severity is not rule.severity[""]:
            statement, how = held[0]
            because = f"{statement.id}, {how.because}" if how.because else f"{statement.id} has this severity"
            yield Check(rule.id, rule.numbers[0], severity, because, (dialect,))


@dataclass(frozen=True, slots=True)
class SpecialCase:
    """Rules whose findings have another severity than a statement that they check, each with its places in words.

    `dialects` are empty if they are all of the statement's.
    """

    severity: str
    rules: Mapping[str, str]
    dialects: Sequence[str]
    because: str

    def __str__(self) -> str:
        """In words: ``warning for `tool-call-unanswered` in react: REASON``."""
        where = f" in {', '.join(self.dialects)}" if self.dialects else ""
        placed = (f"`{rule}` at {places}" if places else f"`{rule}`" for rule, places in self.rules.items())
        return f"{self.severity} for {', '.join(placed)}{where}: {self.because}"


def special_cases(number: str) -> Sequence[SpecialCase]:
    """The special cases of a statement, without a look at the contracts, unless another distribution may have some."""
    return (found_cases() if packages() else _kept_cases()).get(number, ())


@cache
def _kept_cases() -> Mapping[str, Sequence[SpecialCase]]:
    kept: Mapping[str, Sequence[Mapping[str, Any]]] = json.loads(FILE.read_bytes())
    return {number: [SpecialCase(**each) for each in cases] for number, cases in kept.items()}


def written() -> str:
    """The text of the file."""
    found = {number: list(map(asdict, cases)) for number, cases in sorted(found_cases().items())}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


@cache
def found_cases() -> Mapping[str, Sequence[SpecialCase]]:
    """The special cases of each statement, as the rules and the rows of all contracts have them."""
    found: dict[str, dict[tuple[str, tuple[str, ...], str], dict[str, list[str]]]] = {}
    for each in checks():
        statement = all_statements().get(each.number)
        if each.because and statement is not None and str(each.severity) != statement.severity:
            where = () if set(each.dialects) == _homes(each.number) else each.dialects
            rules = found.setdefault(each.number, {}).setdefault((str(each.severity), where, each.because), {})
            places = rules.setdefault(each.rule, [])
            if each.place not in ("", *places):
                places.append(each.place)
    return {
        number: [
            SpecialCase(severity, {rule: _in_words(places) for rule, places in rules.items()}, where, because)
            for (severity, where, because), rules in cases.items()
        ]
        for number, cases in found.items()
    }


@cache
def _homes(number: str) -> frozenset[str]:
    """The dialects in whose folder a statement is written."""
    return frozenset(name for name, each in all_dialects().items() if number in own_briefs(each.package))


def _in_words(places: Sequence[str]) -> str:
    if len(places) > _PLACES:
        return f"{len(places)} places"
    return " and ".join(f"`{place}`" for place in places)
