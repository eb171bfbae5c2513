"""A violation of a contract: its place, its kind, and what to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, NamedTuple

from conformance.contract.citation import (
    Basis,
    Citation,
    Citations,
    Kind,
    Side,
    Silence,
    Stated,
    error,
    resolved,
    severity_of,
)
from conformance.contract.nodes import Node
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a value breaks a contract.

    `pointer` is that of the wrong value; for missing fields it is that of the object, and `fields` are their names.
    `rule` is None if the generic id of the kind applies; `refused` is the status with which the provider answers.
    `eased`: a deviation of the provider lowered its severity.
    """

    pointer: str
    kind: Kind
    message: str
    expected: str
    actual: str
    fix: str
    severity: Severity
    fields: tuple[str, ...] = ()
    rule: str | None = None
    number: str | None = None
    source: str = ""
    refused: int | None = None
    basis: Basis | None = None
    eased: bool = False


class Fault(NamedTuple):
    """The words for a violation."""

    message: str
    expected: str
    actual: str
    fix: str


@dataclass(frozen=True, slots=True)
class Frame:
    """How violations of a value are reported, by the row and the objects around it; the innermost object is first.

    `admits` is whether an item certainly has none: of a long array, only the others are checked one by one.
    """

    side: Side
    row: Citations = field(default_factory=dict)
    objects: tuple[Citations, ...] = ()
    stated: Stated = error
    admits: Callable[[Node, Any], bool] | None = None

    def at_row(self, citations: Citations) -> Frame:
        """The frame of a field's value: the row's facts apply to it, but not to the rows of an object in it."""
        return Frame(self.side, citations, self.objects, self.stated, self.admits)

    def at_object(self, citations: Citations) -> Frame:
        """The frame of the values in an object."""
        objects = (citations, *self.objects) if citations else self.objects
        return Frame(self.side, {}, objects, self.stated, self.admits)

    def citation(self, kind: Kind) -> Citation:
        return resolved(kind, (self.row, *self.objects))

    def report(self, kind: Kind, at: str, fault: Fault, most: Severity = Severity.ERROR) -> Iterator[Violation]:
        """A violation with the rows' facts for its kind, none if they are `SILENT`; `most` is the highest severity."""
        return self.report_as(self.citation(kind), kind, at, fault, most)

    def report_as(
        self,
        citation: Citation,
        kind: Kind,
        at: str,
        fault: Fault,
        most: Severity = Severity.ERROR,
        *,
        fields: tuple[str, ...] = (),
    ) -> Iterator[Violation]:
        """The same, with facts from elsewhere."""
        severity = severity_of(citation, kind, self.side, self.stated)
        if isinstance(severity, Silence):
            return
        yield Violation(
            pointer=at,
            kind=kind,
            message=f"{fault.message}; {citation.breaks}" if citation.breaks else fault.message,
            expected=fault.expected,
            actual=fault.actual,
            fix=citation.fix or fault.fix,
            severity=min(severity, most),  # a row cannot raise the severity of what is less severe in itself (12.0)
            fields=fields,
            rule=citation.rule,
            number=citation.number,
            source=citation.source,
            refused=citation.refused,
            basis=citation.basis,
            eased=citation.eased,
        )
