"""How a violation is reported: its rule, severity and citation, and whether the provider refuses it.

The policy, the same in every dialect:

- *error*: the published contract forbids it, or the provider is known to refuse it. *warning*: legal, but no official
  server or client does it. *info*: worth knowing, such as a value that is newer than the documents.
- A row whose only reason is that the provider refuses it (`refusal(...)`) is a warning if an official host
  answered the same request with 2xx: the recording contradicts it.
- An integer is written without a fraction. `12.0` is reported as `WHOLE_FRACTION`, in requests and in replies: every
  parser in use reads it, typed clients of some languages do not. `12.5` is a wrong type.
- In a request, null for an optional field is the same as leaving it out (WIRE 16.1). In a reply, null for an optional
  field that is documented without null is reported as `null`; for a required one it is a wrong type.
- An unknown field is reported only if an object is `closed`, because the provider refuses unknown names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, Literal

from conformance.model.finding import Severity
from conformance.model.frozen import dataclass

Side = Literal["request", "reply"]
"""`reply` is everything that a server sends: replies, events of a stream, errors."""

Basis = Literal["document", "refusal", "observed", "profile", "documented"]
"""`refusal`: the provider is known to refuse it, and there is no other evidence; `profile`: one provider's profile;
`documented`: the provider's own document."""

Kind = Literal[
    "missing",
    "type",
    "null",
    "value",
    "range",
    "empty",
    "length",
    "pattern",
    "count",
    "duplicate",
    "unknown",
    "deprecated",
    "conflict",
    "dependency",
]

DEFECTS: Final[Mapping[Kind, str]] = {
    "missing": "field-missing",
    "type": "field-wrong-type",
    "null": "field-null",
    "value": "value-unknown",
    "range": "value-out-of-range",
    "empty": "field-empty",
    "length": "length-out-of-range",
    "pattern": "value-malformed",
    "count": "count-out-of-range",
    "duplicate": "item-duplicate",
    "unknown": "field-unknown",
    "deprecated": "field-deprecated",
    "conflict": "fields-conflicting",
    "dependency": "field-orphaned",
}
"""The last part of a generic rule id, `<prefix>-<object>-<defect>`."""


class Silence(Enum):
    """The severity of a violation that is not reported."""

    SILENT = "silent"


SILENT: Final = Silence.SILENT

NOT_REQUIRED_BUT_USUAL: Final = Severity.WARNING
"""A field that the document requires and real servers leave out, or that only some clients need (`should`)."""
WHOLE_FRACTION: Final = Severity.WARNING
"""A whole number that is written with a fraction or an exponent, `12.0`."""
UNDOCUMENTED: Final[Mapping[Side, Severity]] = {"request": Severity.WARNING, "reply": Severity.INFO}
"""A value that the documents do not have, in a list that grows without notice (`known`, `by_known`)."""
NULL_IN_REPLY: Final = Severity.INFO
DEPRECATED: Final = Severity.WARNING


@dataclass(frozen=True, slots=True)
class Citation:
    """Facts about a row, or about one kind of violation of it; None leaves a fact to the row or object around it.

    `number` is that of the statement, whose severity applies unless there is another `severity`, with its reason in
    `because`. `refused` is the HTTP status with which the provider is known to answer. `basis` is `refusal` if that is
    the only reason, and no document has it. `source` is that of a provider's deviation, in place of the statement's.
    `eased`: the severity is from a deviation. `breaks` is which strict client of the format fails, for the message.
    """

    number: str | None = None
    severity: Severity | Silence | None = None
    rule: str | None = None
    refused: int | None = None
    fix: str | None = None
    basis: Basis | None = None
    because: str = ""
    source: str = ""
    eased: bool = False
    breaks: str = ""

    def over(self, other: Citation) -> Citation:
        """This one, with its missing facts from another; a number brings the severity of its statement."""
        graded = self if self.severity is not None or self.number is not None else other
        return Citation(
            self.number or other.number,
            graded.severity,
            self.rule or other.rule,
            self.refused or other.refused,
            self.fix or other.fix,
            self.basis or other.basis,
            graded.because,
            self.source or other.source,
            self.eased or other.eased,
            self.breaks or other.breaks,
        )


Citations = Mapping[str, Citation]
"""Facts by kind; under `""` those for all kinds."""


def resolved(kind: Kind, chain: tuple[Citations, ...]) -> Citation:
    """The facts for a kind: from the nearest row or object that has them, those for the kind before those for all."""
    found = Citation()
    for citations in chain:
        for key in (kind, ""):
            if key in citations:
                found = found.over(citations[key])
    return found


Stated = Callable[[str | None], Severity]
"""The severity of a statement by its number; that of the whole contract's for None."""


def error(_: str | None) -> Severity:
    """The severity of every statement where none are given."""
    return Severity.ERROR


def severity_of(citation: Citation, kind: Kind, side: Side, stated: Stated) -> Severity | Silence:
    """The severity of a kind of violation: the one given, or the statement's, or less by the policy."""
    if citation.severity is not None:
        return citation.severity
    severity = stated(citation.number)
    if kind == "deprecated":
        return min(severity, DEPRECATED)
    return min(severity, NULL_IN_REPLY) if kind == "null" and side == "reply" else severity
