"""A violation of a contract: where, of which kind, and what to change."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from conformance.finding import Severity
from conformance.judge.contract.tell import SILENT, Basis, Kind, Side, Tell, Tells, default_severity, resolved


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a value breaks a contract.

    `pointer` is that of the value at fault; for what is missing it is the object's, and `fields` are the names.
    `rule` is None where the generic id of the kind holds; `refused` is the status with which the provider answers.
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


@dataclass(frozen=True, slots=True)
class Frame:
    """What the rows and objects around a value say about telling, the nearest first."""

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

    def violation(
        self,
        kind: Kind,
        pointer: str,
        said: tuple[str, str, str, str],
        severity: Severity | None = None,
        own: Tell | None = None,
        fields: tuple[str, ...] = (),
    ) -> Violation | None:
        """A violation in the words (message, expected, actual, fix); None where the kind is not told here.

        `severity` is that of the case, if it has one, unless a row says another.
        """
        told = own.over(self.tell(kind)) if own else self.tell(kind)
        if told.severity is SILENT:
            return None
        message, expected, actual, fix = said
        # A case that weighs less by itself (12.0) is not made heavier by what a row says of worse ones.
        weight = default_severity(kind, self.side) if told.severity is None else told.severity
        assert isinstance(weight, Severity)  # noqa: S101 - SILENT went above
        if severity is not None:
            weight = min(weight, severity)
        found = Violation(pointer, kind, message, expected, actual, told.fix or fix, weight, fields)
        return replace(found, rule=told.rule, cite=told.cite, refused=told.refused, basis=told.basis)
