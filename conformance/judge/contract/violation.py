"""A violation of a contract: its place, its kind, and what to change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.judge.contract.tell import Basis, Kind, Side, Silence, Tell, Tells, default_severity, resolved
from conformance.model.finding import Severity


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
    cite: str | None = None
    refused: int | None = None
    basis: Basis | None = None
    eased: bool = False


class Said(NamedTuple):
    """The words for a violation."""

    message: str
    expected: str
    actual: str
    fix: str


@dataclass(frozen=True, slots=True)
class Frame:
    """How violations of a value are reported, by the row and the objects around it; the innermost object is first."""

    side: Side
    row: Tells = field(default_factory=dict)
    objects: tuple[Tells, ...] = ()

    def at_row(self, tells: Tells) -> Frame:
        """The frame of a field's value: the row's facts apply to it, but not to the rows of an object in it."""
        return Frame(self.side, tells, self.objects)

    def at_object(self, tells: Tells) -> Frame:
        """The frame of the values in an object."""
        return Frame(self.side, {}, (tells, *self.objects) if tells else self.objects)

    def tell(self, kind: Kind) -> Tell:
        return resolved(kind, (self.row, *self.objects))

    def told(self, kind: Kind, at: str, said: Said, most: Severity = Severity.ERROR) -> Iterator[Violation]:
        """A violation with the rows' facts for its kind, none if they are `SILENT`; `most` is the highest severity."""
        return self.told_as(self.tell(kind), kind, at, said, most)

    def told_as(
        self,
        tell: Tell,
        kind: Kind,
        at: str,
        said: Said,
        most: Severity = Severity.ERROR,
        *,
        fields: tuple[str, ...] = (),
    ) -> Iterator[Violation]:
        """The same, with facts from elsewhere."""
        weight = default_severity(kind, self.side) if tell.severity is None else tell.severity
        if isinstance(weight, Silence):
            return
        yield Violation(
            pointer=at,
            kind=kind,
            message=said.message,
            expected=said.expected,
            actual=said.actual,
            fix=tell.fix or said.fix,
            severity=min(weight, most),  # a row cannot raise the severity of what is less severe in itself (12.0)
            fields=fields,
            rule=tell.rule,
            cite=tell.cite,
            refused=tell.refused,
            basis=tell.basis,
            eased=tell.eased,
        )
