"""A contract of one kind of body, and its violations in one value in one situation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from functools import lru_cache
from typing import Any

from conformance.contract import profile_rows
from conformance.contract.admission import Admission
from conformance.contract.briefs import find_brief
from conformance.contract.checking import check_within
from conformance.contract.citation import DEFECTS, Kind, Side, Stated, error
from conformance.contract.compiling import schema_of
from conformance.contract.deviations import Deviation
from conformance.contract.forms import Form, Forms
from conformance.contract.listing import Entry, Listed, entries
from conformance.contract.nodes import Node
from conformance.contract.resolving import Resolver, whens
from conformance.contract.situation import ANYWHERE, Situation, When
from conformance.contract.violation import Frame, Violation
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass
from conformance.model.lazy import lazy
from conformance.profiles import profiles

_MOST_MADE = 64
"""How many resolved forms of one contract are kept; thousands of recordings from 30 providers need half of that."""


@dataclass(frozen=True, eq=False)
class Resolved:
    """A contract resolved for one situation."""

    node: Node
    side: Side
    admission: Admission
    stated: Stated = error
    by_array: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """What `growing` knows of the items of each array; it lives as long as this."""

    def violations(self, value: Any, at: str = "") -> Iterator[Violation]:
        """The violations of a value, before `Contract.completed` completes them."""
        if not self.admission.admits(value):
            frame = Frame(self.side, stated=self.stated, admits=self.admission.passes)
            with suppress(RecursionError):  # no parser accepts deeper nesting
                yield from check_within(self.node, value, at, frame)

    @lazy
    def forms(self) -> Forms:
        """The form of each value under this contract."""
        return Forms(self.node, self.admission.passes)


@dataclass(frozen=True, eq=False)
class Contract:
    """The contract of a body: `Contract("chat", "request", REQUEST, "request", "OAC-Q-001")`.

    `prefix` and `subject` are the first parts of the generic rule ids, `chat-request-…`. `number` is that of the
    statement of the rows that cite no other. `official` are the providers whose own format it is, or who host the
    owner's models. `dialect` is the one under which profiles have the deviations of single providers; `deviations` are
    additional ones. `home` is the package in whose folder the statements lie.
    """

    prefix: str
    subject: str
    node: Node
    side: Side
    number: str
    official: tuple[str, ...] = ()
    dialect: str = ""
    deviations: tuple[Deviation, ...] = ()
    home: str = ""
    _made: dict[tuple[int, tuple[bool, ...], str | None], Resolved] = field(
        default_factory=dict, init=False, repr=False
    )

    def beside(self, node: Node) -> Contract:
        """The contract of another body of the same API, under the same ids; no profile has deviations for it."""
        return dataclasses.replace(self, node=node, dialect="", deviations=())

    def violations(self, value: Any, situation: Situation = ANYWHERE, at: str = "") -> Iterator[Violation]:
        """The violations of a value, each with its rule and its severity in the situation."""
        yield from (self.completed(each, situation) for each in self.resolved(situation).violations(value, at))

    def admits_all(self, values: list[Any], situation: Situation = ANYWHERE) -> bool:
        """Whether no value has a violation; also False if that is not known."""
        return self.resolved(situation).admission.admits_all(values)

    def different(self, values: Iterable[Any], situation: Situation = ANYWHERE) -> Iterator[int]:
        """The numbers of the values that may have other violations than the values before them."""
        forms = self.resolved(situation).forms
        seen: set[Form] = set()
        for number, value in enumerate(values):
            form = forms.of(value)
            if form not in seen:
                seen.add(form)
                yield number

    def schema(self, situation: Situation = ANYWHERE) -> dict[str, Any]:
        """The JSON Schema for a situation, as it is published."""
        return schema_of(self.resolved(situation).node, self.stated)

    def resolved(self, situation: Situation) -> Resolved:
        """The contract for a situation; made once for all situations in which the same rows apply."""
        version = profiles.version()
        rows = self.rows_of(situation.provider)
        key = version, _truths(self, situation, version), situation.provider if rows else None
        if key not in self._made:
            oldest = next(iter(self._made), key)
            if oldest[0] != version:
                self._made.clear()
            elif len(self._made) == _MOST_MADE:
                del self._made[oldest]
            node = self.node
            for each in rows:
                if each.only.holds(situation):
                    node = each.put(node)
            node = Resolver(situation, self.side).node(node)
            self._made[key] = Resolved(node, self.side, Admission(node), self.stated)
        return self._made[key]

    def rows_of(self, provider: str | None) -> tuple[Deviation, ...]:
        """The deviations of a provider: those of its document and its profile, and those given."""
        return (*(self._known_of(provider) if provider is not None else ()), *self.deviations)

    @property
    def rows_of_providers(self) -> tuple[Deviation, ...]:
        """The deviations of all providers."""
        return (*(each for name in profiles.all_profiles() for each in self._known_of(name)), *self.deviations)

    def _known_of(self, provider: str) -> tuple[Deviation, ...]:
        """The deviations in the document and the profile of a provider."""
        if not self.dialect:
            return ()
        return profile_rows.deviations(self.dialect, self.subject, provider, profiles.version())

    def predicates(self, provider: str | None) -> tuple[When, ...]:
        """All conditions that decide which rows apply to what a provider gets and sends."""
        return _predicates(self, provider, profiles.version())

    def entries(self, at_each: Listed = "place") -> Iterator[Entry]:
        """Everything that the contract can report, without deviations; of all places ten times as much as `body`."""
        for each in entries(self.node, self.side, self.stated, at_each):
            if each.rule is not None and each.number is not None:
                yield each
            else:
                rule, number = each.rule or self.generic(each.kind), each.number or self.number
                yield dataclasses.replace(each, rule=rule, number=number)

    def rules(self) -> Mapping[str, tuple[str, ...]]:
        """Every rule id under which the contract can report, with the statements that its rows cite."""
        found: dict[str, dict[str, None]] = {}
        for each in self.entries("body"):
            found.setdefault(each.rule or "", {})[each.number or self.number] = None
        return {rule: tuple(numbers) for rule, numbers in sorted(found.items())}

    def generic(self, kind: Kind) -> str:
        """The rule id of a kind if no row gives one."""
        return f"{self.prefix}-{self.subject}-{DEFECTS[kind]}"

    def completed(self, violation: Violation, situation: Situation) -> Violation:
        """A violation of the resolved contract with its rule, its citation, and its severity in the situation."""
        rule = violation.rule or self.generic(violation.kind)
        severity = violation.severity
        if situation.ok and (
            (violation.basis in ("profile", "documented") and self.side == "request")
            or (violation.basis == "refusal" and situation.provider in self.official)
        ):
            severity = min(severity, Severity.WARNING)
        message = violation.message
        if violation.eased:
            message = f"{message} (known quirk of {situation.provider})"
        number = violation.number or self.number
        return dataclasses.replace(violation, rule=rule, severity=severity, number=number, message=message)

    def stated(self, number: str | None) -> Severity:
        """The severity of the statement that a row cites, or of that of the contract."""
        statement = find_brief(number or self.number, self.home)
        return Severity.ERROR if statement is None else statement.graded

    def cited(self, violation: Violation) -> str:
        """The citation of a finding: the number of the statement with its source, or that of the deviation."""
        number = violation.number or self.number
        if violation.source:
            return f"{number} {violation.source}"
        statement = find_brief(number, self.home)
        return number if statement is None else statement.cited


@lru_cache(maxsize=512)
def _predicates(contract: Contract, provider: str | None, _: int) -> tuple[When, ...]:
    return tuple(dict.fromkeys((*_own_predicates(contract), *(each.only for each in contract.rows_of(provider)))))


@lru_cache(maxsize=256)
def _own_predicates(contract: Contract) -> tuple[When, ...]:
    return tuple(whens(contract.node))


@lru_cache(maxsize=4096)
def _truths(contract: Contract, situation: Situation, _: int) -> tuple[bool, ...]:
    return tuple(each.holds(situation) for each in contract.predicates(situation.provider))
