"""The special cases of severity: rules and rows that have another one than a statement that they check, and why.

A rule, a row of a contract and an entry of `rules:` in a statement carry the reason as `because`. It is written there
and nowhere else; the pages of the statements and `explain` show what this module finds. To find it, every contract is
read row by row, so that `make data` keeps it in words in `special_cases.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

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
    """Rules, each with its places, whose findings have another severity than a statement that they check.

    `dialects` are empty if they are all of the statement's.
    """

    severity: Severity
    rules: Mapping[str, Sequence[str]]
    dialects: tuple[str, ...]
    because: str

    def __str__(self) -> str:
        """In words: ``warning for `tool-call-unanswered` in react: REASON``."""
        where = f" in {', '.join(self.dialects)}" if self.dialects else ""
        return f"{self.severity} for {', '.join(_placed(*one) for one in self.rules.items())}{where}: {self.because}"


def special_cases(number: str) -> Sequence[SpecialCase]:
    """The special cases of a statement."""
    return _special_cases().get(number, ())


def in_words(number: str) -> Sequence[str]:
    """The same in words, without a look at the contracts, unless another distribution has rules that may cite it."""
    if packages():
        return [str(case) for case in special_cases(number)]
    found: Mapping[str, Sequence[str]] = json.loads(FILE.read_bytes())
    return found.get(number, ())


def written() -> str:
    """The text of the file."""
    found = {number: [str(case) for case in cases] for number, cases in sorted(_special_cases().items())}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


@cache
def _special_cases() -> Mapping[str, Sequence[SpecialCase]]:
    found: dict[str, dict[tuple[Severity, tuple[str, ...], str], dict[str, list[str]]]] = {}
    for each in checks():
        statement = all_statements().get(each.number)
        if each.because and statement is not None and str(each.severity) != statement.severity:
            where = () if set(each.dialects) == _homes(each.number) else each.dialects
            rules = found.setdefault(each.number, {}).setdefault((each.severity, where, each.because), {})
            places = rules.setdefault(each.rule, [])
            if each.place not in ("", *places):
                places.append(each.place)
    return {
        number: [SpecialCase(severity, rules, where, because) for (severity, where, because), rules in cases.items()]
        for number, cases in found.items()
    }


@cache
def _homes(number: str) -> frozenset[str]:
    """The dialects in whose folder a statement is written."""
    return frozenset(name for name, each in all_dialects().items() if number in own_briefs(each.package))


def _placed(rule: str, places: Sequence[str]) -> str:
    """A rule, with its places if it has any."""
    named = [f"`{place}`" for place in places] if len(places) <= _PLACES else [f"{len(places)} places"]
    return f"`{rule}` at {' and '.join(named)}" if places else f"`{rule}`"
