"""The rule ids of contracts, each with its requirement and its statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Literal

from conformance.contract import Contract
from conformance.contract.listing import Entry, Listed
from conformance.judge.contracted import Contracts, contracts_of, endpoints_of
from conformance.judge.requirement import KINDS, Requirement, generic, requirements_of
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass
from conformance.model.registry import all_dialects, dialect_packages, dialects_in

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
    requirement: Requirement
    numbers: tuple[str, ...]
    dialects: tuple[str, ...]


@cache
def contract_rules() -> Mapping[str, ContractRule]:
    """Every rule id of the dialects' contracts.

    Raises:
        ValueError: a contract reports under its own id, which is missing in its `rules.yaml`.
    """
    return {name: rule for package in dialect_packages() for name, rule in contract_rules_in(package).items()}


@cache
def contract_rules_in(package: str) -> Mapping[str, ContractRule]:
    """Every rule id of the contracts of a package that defines dialects.

    Raises:
        ValueError: as for `contract_rules`.
    """
    found: dict[str, ContractRule] = {}
    for contracts, dialects in _shared_in(package):
        for rule in _rules(contracts, dialects):
            found.setdefault(rule.id, rule)  # endpoints beside the main one report under its ids
    return found


def shared_contracts() -> Iterator[tuple[Contracts, tuple[str, ...]]]:
    """All contracts, each with its dialects."""
    return (each for package in dialect_packages() for each in _shared_in(package))


def _shared_in(package: str) -> list[tuple[Contracts, tuple[str, ...]]]:
    """The contracts of a package, each with its dialects: they may share one."""
    found: dict[tuple[Contract, ...], tuple[Contracts, list[str]]] = {}
    for name in dialects_in(package):
        contracts = contracts_of(name)
        for each in () if contracts is None else (contracts, *endpoints_of(name).values()):
            found.setdefault(each.every, (each, []))[1].append(name)
    return [(contracts, tuple(names)) for contracts, names in found.values()]


def requirement_of(rule: str, dialect: str) -> Requirement | None:
    """The requirement of a rule id of a dialect's contract, without a look at the contract's rows."""
    contracts = contracts_of(dialect)
    own = requirements_of(all_dialects()[dialect].package).get(rule)
    return own or (None if contracts is None else _generic(rule, contracts.every))


def rows_by_rule(contracts: Contracts, at_each: Listed = "place") -> Mapping[str, list[Row]]:
    """The rows of some contracts by the rule ids that they report under."""
    found: dict[str, list[Row]] = {}
    for contract in contracts.every:
        for entry in contract.entries(at_each):
            found.setdefault(entry.rule or "", []).append((contract, entry))
    return found


def _rules(contracts: Contracts, dialects: tuple[str, ...]) -> Iterator[ContractRule]:
    own = requirements_of(all_dialects()[dialects[0]].package)
    for name, rows in rows_by_rule(contracts, "body").items():
        requirement = own.get(name) or _generic(name, (contract for contract, _ in rows))
        if requirement is None:
            raise ValueError(f"the contract of {dialects[0]} reports under {name}; add it to rules.yaml")
        yield _rule(name, dialects, rows, requirement, _scope({each for each, _ in rows}, contracts))


def _generic(name: str, contracts: Iterable[Contract]) -> Requirement | None:
    for contract in contracts:
        kind = KINDS.get(name.removeprefix(f"{contract.prefix}-{contract.subject}-"))
        if kind is not None:
            return generic(kind, contract.side, contract.prefix, contract.subject)
    return None


def _rule(name: str, dialects: tuple[str, ...], rows: list[Row], requirement: Requirement, scope: Read) -> ContractRule:
    severities: dict[str, Severity] = {}
    for contract, entry in rows:
        number = entry.number or contract.number
        severities[number] = max(entry.severity, severities.get(number, entry.severity))
    return ContractRule(
        id=name,
        severity=max(severities.values()),
        severities=severities,
        scope=scope,
        requirement=requirement,
        numbers=tuple(dict.fromkeys((*severities, *requirement.also))),
        dialects=dialects,
    )


def _scope(found: set[Contract], contracts: Contracts) -> Read:
    one: dict[Contract | None, Read] = {
        contracts.request: "request",
        contracts.reply: "response",
        contracts.chunk: "stream",
        contracts.error: "failure",
    }
    if contracts.asked is not None:
        return "request" if found == {contracts.request} else "exchange"
    if len(found) == 1:
        return one[next(iter(found))]
    return "reply" if found == {contracts.reply, contracts.chunk} else "exchange"
