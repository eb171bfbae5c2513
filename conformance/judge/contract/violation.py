"""A violation of a contract: where, of which kind, and what to change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.judge.contract.tell import Basis, Kind, Side, Silence, Tell, Tells, default_severity, resolved
from conformance.model.finding import Severity


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a value breaks a contract.

    `pointer` is that of the value at fault; for what is missing it is the object's, and `fields` are the names.
    `rule` is None where the generic id of the kind holds; `refused` is the status with which the provider answers.
    `eased` says that it weighs less for who answered.
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
    """What the rows and objects around a value say about telling: the row that it stands in, the objects inside out."""

    side: Side
    row: Tells = field(default_factory=dict)
    objects: tuple[Tells, ...] = ()

    def at_row(self, tells: Tells) -> Frame:
        """The frame of a field's value: what the row says holds for it, but not for the rows of an object in it."""
        return Frame(self.side, tells, self.objects)

    def at_object(self, tells: Tells) -> Frame:
        """The frame of what is in an object."""
        return Frame(self.side, {}, (tells, *self.objects) if tells else self.objects)

    def tell(self, kind: Kind) -> Tell:
        return resolved(kind, (self.row, *self.objects))

    def told(self, kind: Kind, at: str, said: Said, most: Severity = Severity.ERROR) -> Iterator[Violation]:
        """A violation with what the rows say about its kind, none where they say `SILENT`; `most` is what it weighs."""
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
            severity=min(weight, most),  # what weighs less by itself (12.0) is not heavier for what a row says
            fields=fields,
            rule=tell.rule,
            cite=tell.cite,
            refused=tell.refused,
            basis=tell.basis,
            eased=tell.eased,
        )
