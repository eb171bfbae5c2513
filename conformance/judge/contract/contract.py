"""A contract of one kind of body, and its violations in one value in one situation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from conformance.judge import profiles
from conformance.judge.contract import profile_rows
from conformance.judge.contract.checking import check
from conformance.judge.contract.compiling import Admission, schema_of
from conformance.judge.contract.deviations import Deviation
from conformance.judge.contract.forms import Form, Forms
from conformance.judge.contract.listing import Entry, entries
from conformance.judge.contract.nodes import Node
from conformance.judge.contract.resolving import Resolver, whens
from conformance.judge.contract.situation import ANYWHERE, Situation, When
from conformance.judge.contract.tell import DEFECTS, Kind, Side
from conformance.judge.contract.violation import Violation
from conformance.model.finding import Severity
from conformance.model.lazy import lazy

_MOST_MADE = 64
"""How many resolved forms of one contract are kept; thousands of recordings from 30 providers need half of that."""


@dataclass(frozen=True, eq=False)
class Resolved:
    """A contract resolved for one situation."""

    node: Node
    side: Side
    admission: Admission
    by_array: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """What `growing` knows of the items of each array; it lives as long as this."""

    def violations(self, value: Any, at: str = "") -> Iterator[Violation]:
        """The violations of a value, before `Contract.told` completes them."""
        if not self.admission.admits(value):
            with suppress(RecursionError):  # no parser accepts deeper nesting
                yield from check(self.node, value, at, self.side)

    @lazy
    def forms(self) -> Forms:
        """The form of each value under this contract."""
        return Forms(self.node)


@dataclass(frozen=True, eq=False)
class Contract:
    """The contract of a body: `Contract("chat", "request", REQUEST, side="request", document="…")`.

    `prefix` and `subject` are the first parts of the generic rule ids, `chat-request-…`. `document` is the source of
    the rows that name no other source. `official` are the providers whose own format it is, or who host the owner's
    models. `dialect` is the one under which profiles have the deviations of single providers; `deviations` are
    additional ones.
    """

    prefix: str
    subject: str
    node: Node
    side: Side
    document: str
    official: tuple[str, ...] = ()
    dialect: str = ""
    deviations: tuple[Deviation, ...] = ()
    _made: dict[tuple[int, tuple[bool, ...]], Resolved] = field(default_factory=dict, init=False, repr=False)

    def violations(self, value: Any, situation: Situation = ANYWHERE, at: str = "") -> Iterator[Violation]:
        """The violations of a value, each with its rule and its severity in the situation."""
        yield from (self.told(each, situation) for each in self.resolved(situation).violations(value, at))

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

    def schema(self, situation: Situation = ANYWHERE, *, strict: bool = False) -> dict[str, Any]:
        """The JSON Schema for a situation, as it is published; with `strict`, as the admission uses it."""
        return schema_of(self.resolved(situation).node, strict=strict)

    def resolved(self, situation: Situation) -> Resolved:
        """The contract for a situation; made once for all situations in which the same rows apply."""
        version = profiles.version()
        key = version, _truths(self, situation, version)
        if key not in self._made:
            oldest = next(iter(self._made), key)
            if oldest[0] != version:
                self._made.clear()
            elif len(self._made) == _MOST_MADE:
                del self._made[oldest]
            node = self.node
            for each in self.rows_of_providers:
                if each.only.holds(situation):
                    node = each.put(node)
            node = Resolver(situation, self.side).node(node)
            self._made[key] = Resolved(node, self.side, Admission(node))
        return self._made[key]

    @property
    def rows_of_providers(self) -> tuple[Deviation, ...]:
        """The deviations of single providers: those of their profiles, and those given."""
        known = profile_rows.deviations(self.dialect, self.subject, profiles.version()) if self.dialect else ()
        return (*known, *self.deviations)

    @property
    def predicates(self) -> tuple[When, ...]:
        """All conditions that decide which rows apply."""
        return _predicates(self, profiles.version())

    def entries(self) -> Iterator[Entry]:
        """Everything that the contract can report, place by place, without deviations."""
        for each in entries(self.node, self.side):
            if each.rule is not None and each.cite is not None:
                yield each
            else:
                rule, cite = each.rule or self.generic(each.kind), each.cite or self.document
                yield dataclasses.replace(each, rule=rule, cite=cite)

    def rules(self) -> Mapping[str, tuple[str, ...]]:
        """Every rule id under which the contract can report, with the citations of its rows."""
        found: dict[str, dict[str, None]] = {}
        for each in self.entries():
            found.setdefault(each.rule or "", {})[each.cite or self.document] = None
        return {rule: tuple(cites) for rule, cites in sorted(found.items())}

    def generic(self, kind: Kind) -> str:
        """The rule id of a kind if no row gives one."""
        return f"{self.prefix}-{self.subject}-{DEFECTS[kind]}"

    def told(self, violation: Violation, situation: Situation) -> Violation:
        """A violation of the resolved contract with its rule, its citation, and its severity in the situation."""
        rule = violation.rule or self.generic(violation.kind)
        severity = violation.severity
        if situation.ok and (
            violation.basis == "profile" or (violation.basis == "refusal" and situation.provider in self.official)
        ):
            severity = min(severity, Severity.WARNING)
        message = violation.message
        if violation.eased:
            message = f"{message} (known quirk of {situation.provider})"
        cite = violation.cite or self.document
        return dataclasses.replace(violation, rule=rule, severity=severity, cite=cite, message=message)


@lru_cache(maxsize=64)
def _predicates(contract: Contract, _: int) -> tuple[When, ...]:
    return tuple(dict.fromkeys((*whens(contract.node), *(each.only for each in contract.rows_of_providers))))


@lru_cache(maxsize=4096)
def _truths(contract: Contract, situation: Situation, _: int) -> tuple[bool, ...]:
    return tuple(each.holds(situation) for each in contract.predicates)
