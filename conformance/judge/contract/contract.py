"""A contract of one kind of body, and what it says of one value in one situation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
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


@dataclass(frozen=True, eq=False)
class Resolved:
    """A contract as it holds in one situation."""

    node: Node
    side: Side
    admission: Admission

    @lazy
    def forms(self) -> Forms:
        """The forms of its values."""
        return Forms(self.node)


@dataclass(frozen=True, eq=False)
class Contract:
    """What a body is: `Contract("chat", "request", REQUEST, side="request", document="…")`.

    `prefix` and `subject` are the first parts of the generic rule ids, `chat-request-…`. `document` is where the rows
    are from that name no other source. `official` are the providers whose own format it is, or who host the owner's
    models. `dialect` is the one under which profiles hold the deviations of single providers; `deviations` are more.
    """

    prefix: str
    subject: str
    node: Node
    side: Side
    document: str
    official: tuple[str, ...] = ()
    dialect: str = ""
    deviations: tuple[Deviation, ...] = ()
    _made: dict[tuple[bool, ...], Resolved] = field(default_factory=dict, init=False, repr=False)

    def violations(self, value: Any, situation: Situation = ANYWHERE, at: str = "") -> Iterator[Violation]:
        """What is wrong with a value, each with the rule that it is told under and its weight in the situation."""
        made = self.resolved(situation)
        if made.admission.admits(value):
            return
        with suppress(RecursionError):  # what is nested deeper than that, no parser takes
            yield from (self._told(each, situation) for each in check(made.node, value, at, made.side))

    def admits_all(self, values: list[Any], situation: Situation = ANYWHERE) -> bool:
        """Whether there is nothing to say about any of the values; False also where that is not known."""
        return self.resolved(situation).admission.admits_all(values)

    def different(self, values: Iterable[Any], situation: Situation = ANYWHERE) -> Iterator[int]:
        """Of many values the numbers of those that can have other violations than the values before them."""
        forms = self.resolved(situation).forms
        seen: set[Form] = set()
        for number, value in enumerate(values):
            form = forms.of(value)
            if form not in seen:
                seen.add(form)
                yield number

    def schema(self, situation: Situation = ANYWHERE, *, strict: bool = False) -> dict[str, Any]:
        """The JSON Schema for a situation, as it can be published; `strict` as the admission has it."""
        return schema_of(self.resolved(situation).node, strict=strict)

    def resolved(self, situation: Situation) -> Resolved:
        """The contract for a situation; of situations in which the same rows hold, it is made once."""
        key = _truths(self, situation, profiles.version())
        if key not in self._made:
            node = self.node
            for each in self.rows_of_providers:
                if each.only.holds(situation):
                    node = each.put(node)
            node = Resolver(situation, self.side).node(node)
            self._made[key] = Resolved(node, self.side, Admission(node))
        return self._made[key]

    @property
    def rows_of_providers(self) -> tuple[Deviation, ...]:
        """Where single providers deviate: by their profiles, and as given."""
        known = profile_rows.deviations(self.dialect, self.subject, profiles.version()) if self.dialect else ()
        return (*known, *self.deviations)

    @property
    def predicates(self) -> tuple[When, ...]:
        """All that decides which rows hold."""
        return _predicates(self, profiles.version())

    def entries(self) -> Iterator[Entry]:
        """All that the contract can tell, place by place, without deviations."""
        for each in entries(self.node, self.side):
            if each.rule is not None and each.cite is not None:
                yield each
            else:
                rule, cite = each.rule or self.generic(each.kind), each.cite or self.document
                yield dataclasses.replace(each, rule=rule, cite=cite)

    def rules(self) -> Mapping[str, tuple[str, ...]]:
        """Every rule id that the contract can tell of, with the citations of its rows."""
        found: dict[str, dict[str, None]] = {}
        for each in self.entries():
            found.setdefault(each.rule or "", {})[each.cite or self.document] = None
        return {rule: tuple(cites) for rule, cites in sorted(found.items())}

    def generic(self, kind: Kind) -> str:
        """The rule id of a kind where no row gives one."""
        return f"{self.prefix}-{self.subject}-{DEFECTS[kind]}"

    def _told(self, violation: Violation, situation: Situation) -> Violation:
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


@cache
def _predicates(contract: Contract, _: int) -> tuple[When, ...]:
    return tuple(dict.fromkeys((*whens(contract.node), *(each.only for each in contract.rows_of_providers))))


@lru_cache(maxsize=4096)
def _truths(contract: Contract, situation: Situation, _: int) -> tuple[bool, ...]:
    return tuple(each.holds(situation) for each in contract.predicates)
