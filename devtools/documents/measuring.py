"""How many of the faults are caught: by dialect, body, source and kind, with the places of those that are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from conformance.contract import Contract
from conformance.model.finding import Severity
from devtools.documents.documented import Documented
from devtools.documents.drawing import faults
from devtools.documents.planting import Fault
from devtools.documents.reading import Documents
from devtools.documents.reasons import Reasons
from devtools.documents.schemas import Document
from devtools.documents.tool_schemas import misuses
from devtools.documents.trials import Recorded, recorded

_BODIES = 60
_OF_EACH = 2
"""How many faults of one kind are put at one place, whichever body it is in."""
DOCUMENTS, CONTRACT, SCHEMAS = "documents", "contract", "tool schemas"
"""Where faults come from. Only the first and the last know nothing of the contract."""


@dataclass
class Row:
    """How many faults were put in, caught, caught as errors, and at least as severely as the policy or a reason wants.

    `excused` are those that survive for a reason; they are in none of the other numbers.
    """

    planted: int = 0
    caught: int = 0
    errors: int = 0
    wanted: int = 0
    excused: int = 0

    def add(self, other: Row) -> None:
        self.planted += other.planted
        self.caught += other.caught
        self.errors += other.errors
        self.wanted += other.wanted
        self.excused += other.excused


@dataclass
class Table:
    """The rows by dialect, body, source and kind, and what survives or is reported as less than an error."""

    reasons: Reasons
    rows: dict[tuple[str, str, str, str], Row] = field(default_factory=dict)
    survivors: Counter[str] = field(default_factory=Counter)
    milder: Counter[str] = field(default_factory=Counter)

    def count(
        self, dialect: str, subject: str, source: str, fault: Fault, severity: Severity | None, *, group: str = ""
    ) -> None:
        """Counts one fault, and how severe what is reported of it is; `group` is the source in the table."""
        row = self.rows.setdefault((dialect, subject, group or source, fault.kind), Row())
        line = f"{dialect} {subject} {source} {fault.place}: {fault.kind}"
        if severity is None and self.reasons.reason(line):
            row.excused += 1
            return
        row.planted += 1
        row.caught += severity is not None
        row.errors += severity is Severity.ERROR
        if severity is None:
            self.survivors[line] += 1
        elif severity >= wanted(fault.kind, reply=subject != "request") or self.reasons.reason(f"{line}, {severity}"):
            row.wanted += 1
        else:
            self.milder[line] += 1

    def total(self, *keys: str) -> Row:
        """The sum of the rows that begin with these keys."""
        found = Row()
        for key, row in self.rows.items():
            if key[: len(keys)] == keys:
                found.add(row)
        return found


def wanted(kind: str, *, reply: bool) -> Severity:
    """How severe the policy wants a fault to be reported (docs/contract/policy.md).

    A null for what may be left out of a reply is an info. Some lists grow without notice. Real servers leave out what
    the documents require. A schema that some servers take is a warning.
    """
    if kind == "null, optional" or (reply and kind == "undocumented value"):
        return Severity.INFO
    if kind == "undocumented value" or (reply and kind == "absent") or kind.startswith(("schema", "tool declared")):
        return Severity.WARNING
    return Severity.ERROR


def measure(dialect: str, documents: Documents, table: Table) -> None:
    """Plants the faults of one dialect into its recorded bodies."""
    for contract, drawn in recorded(dialect, _BODIES).items():
        for source, one, fault in _each_once(_drawn(dialect, contract, documents, drawn)):
            if not one.refuses_sample(fault):
                table.count(dialect, contract.subject, source, fault, one.severity(fault))


def _drawn(
    dialect: str, contract: Contract, documents: Documents, bodies: list[Recorded]
) -> Iterator[tuple[str, Recorded, Fault]]:
    published = Documented.of(documents.of(f"{dialect} {contract.subject}"))
    sister = Documented.of(documents.of(f"{dialect} sister")) if contract.subject == "request" else None
    reply = contract.side == "reply"
    for one in bodies:
        if published.choices:
            yield from ((DOCUMENTS, one, each) for each in faults(published, one.value, reply=reply, sister=sister))
        if dialect != "mcp":  # what tells its messages apart is a condition, which a schema does not name
            yield from ((CONTRACT, one, each) for each in faults(_of_contract(one), one.value, reply=reply))
        if contract.side == "request" or dialect == "mcp":  # elsewhere a reply only echoes the tools
            yield from ((SCHEMAS, one, each) for each in misuses(dialect, one.value))


def _each_once(drawn: Iterable[tuple[str, Recorded, Fault]]) -> Iterator[tuple[str, Recorded, Fault]]:
    seen: Counter[tuple[str, str, str]] = Counter()
    for source, one, fault in drawn:
        key = source, fault.kind, fault.place
        seen[key] += 1
        if seen[key] <= _OF_EACH:
            yield source, one, fault


_MADE: dict[int, tuple[object, Documented]] = {}


def _of_contract(one: Recorded) -> Documented:
    """What the contract itself says in a situation, as a document."""
    resolved = one.contract.resolved(one.situation)
    if id(resolved) not in _MADE:
        schema = one.contract.schema(one.situation)
        document = Document(CONTRACT, {**schema.get("$defs", {}), "body": schema})
        _MADE[id(resolved)] = resolved, Documented.of([document.spec("body")])
    return _MADE[id(resolved)][1]
