"""The rule ids of contracts, each with its statement, its citations and its examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from conformance.judge.contract import Contract
from conformance.judge.contract.listing import Entry
from conformance.judge.contract.statement import KINDS, Statement, generic, source_of
from conformance.judge.contract_examples import Lazily, derived
from conformance.judge.contracted import Contracts, contracts_of
from conformance.judge.example import Example
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects

Row = tuple[Contract, Entry]
Read = Literal["exchange", "request", "reply", "response", "stream", "failure"]


@dataclass(frozen=True, slots=True, eq=False)
class ContractRule:
    """One rule id of the contract of some dialects. `scope` is what it reads: one kind of body, all replies, or more.

    `severity` is the highest of its rows, `severities` the highest of the rows that cite a statement, by its number.
    """

    id: str
    severity: Severity
    severities: Mapping[str, Severity]
    scope: Read
    statement: Statement
    cites: tuple[str, ...]
    dialects: tuple[str, ...]
    violating: Sequence[Example]
    conforming: Sequence[Example]


@cache
def contract_rules() -> Mapping[str, ContractRule]:
    """Every rule id of the dialects' contracts.

    Raises:
        ValueError: a contract reports under its own id, which is missing in its `STATEMENTS`.
    """
    return {name: rule for _, dialects in _speaking() for name, rule in _rules_of(dialects).items()}


def find_contract_rule(name: str) -> ContractRule | None:
    """The rule of one id, searched first by its prefix; None if no contract reports under it."""
    likely = sorted(_speaking(), key=lambda each: not any(name.startswith(f"{one.prefix}-") for one in each[0].every))
    return next((found[name] for _, dialects in likely if name in (found := _rules_of(dialects))), None)


@cache
def _speaking() -> tuple[tuple[Contracts, tuple[str, ...]], ...]:
    """All contracts, each with its dialects: those of one package share one."""
    found: dict[tuple[Contract, ...], tuple[Contracts, list[str]]] = {}
    for name in all_dialects():
        contracts = contracts_of(name)
        if contracts is not None:
            found.setdefault(contracts.every, (contracts, []))[1].append(name)
    return tuple((contracts, tuple(names)) for contracts, names in found.values())


@cache
def _rules_of(dialects: tuple[str, ...]) -> Mapping[str, ContractRule]:
    """The rules of the contract of some dialects, by their ids."""
    contracts = next(each for each, names in _speaking() if names == dialects)
    return {rule.id: rule for rule in _rules(contracts, dialects)}


def _rules(contracts: Contracts, dialects: tuple[str, ...]) -> Iterator[ContractRule]:
    told: dict[str, list[Row]] = {}
    for contract in contracts.every:
        for entry in contract.entries():
            told.setdefault(entry.rule or "", []).append((contract, entry))
    for name, rows in told.items():
        statement = contracts.statements.get(name) or _generic(name, rows)
        if statement is None:
            raise ValueError(f"the contract of {dialects[0]} reports under {name}; add its statement to STATEMENTS")
        yield _rule(name, dialects, rows, statement, _scope({each for each, _ in rows}, contracts))


def _generic(name: str, rows: list[Row]) -> Statement | None:
    for contract, _ in rows:
        kind = KINDS.get(name.removeprefix(f"{contract.prefix}-{contract.subject}-"))
        if kind is not None:
            return generic(kind, contract.side, contract.prefix, contract.subject)
    return None


def _rule(name: str, dialects: tuple[str, ...], rows: list[Row], statement: Statement, scope: Read) -> ContractRule:
    cites = (source_of(entry.cite or contract.document, contract.document, statement) for contract, entry in rows)
    severities: dict[str, Severity] = {}
    for contract, entry in rows:
        number = (entry.cite or contract.document).partition(" ")[0]
        severities[number] = max(entry.severity, severities.get(number, entry.severity))
    given = tuple(each if each.at else replace(each, at=each.edited_at) for each in statement.violating)
    violating = given or Lazily(lambda: (derived(name, dialects[0], rows),))
    bases = Lazily(lambda: tuple(dict.fromkeys(Example(each.base) for each in violating)))
    return ContractRule(
        id=name,
        severity=max(severities.values()),
        severities=severities,
        scope=scope,
        statement=statement,
        cites=tuple(dict.fromkeys((*statement.cites, *cites))),
        dialects=dialects,
        violating=violating,
        conforming=statement.conforming or bases,
    )


def _scope(told: set[Contract], contracts: Contracts) -> Read:
    one: dict[Contract | None, Read] = {
        contracts.request: "request",
        contracts.reply: "response",
        contracts.chunk: "stream",
        contracts.error: "failure",
    }
    if contracts.asked is not None:
        return "request" if told == {contracts.request} else "exchange"
    if len(told) == 1:
        return one[next(iter(told))]
    return "reply" if told == {contracts.reply, contracts.chunk} else "exchange"
