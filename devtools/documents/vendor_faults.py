"""Faults against the documents of other providers: in bodies made from them, since few of each are recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from conformance.contract import Contract, Situation
from conformance.model.finding import Severity
from devtools.documents.documented import Documented
from devtools.documents.drawing import faults
from devtools.documents.floor import bodies_of
from devtools.documents.making import made
from devtools.documents.measuring import DOCUMENTS, Table
from devtools.documents.planting import Fault
from devtools.documents.reading import Documents, Vendor

_WORDS = {
    "messages.role": "assistant",
    "content.type": "text",
    "response_format.type": "json_schema",
    **dict.fromkeys(("tools.type", "tool_calls.type", "tool_choice.type"), "function"),
}
"""Where a document has any string for what tells kinds apart."""
_OF_EACH = 2
"""How many faults of one kind are put at one place, whichever body it is in."""


def measure_vendors(documents: Documents, table: Table, dialect: str = "openai-chat") -> None:
    """Plants the faults of each provider's document, and counts them by provider and body."""
    for vendor in documents.vendors:
        for name, contract in bodies_of(dialect):
            if f"{dialect} {name}" in vendor.bodies:
                for fault, severity in _tried(vendor, contract, Documented.of([vendor.bodies[f"{dialect} {name}"]])):
                    table.count(f"{dialect}@{vendor.profile}", name, DOCUMENTS, fault, severity)


def _tried(vendor: Vendor, contract: Contract, published: Documented) -> Iterator[tuple[Fault, Severity | None]]:
    situation, seen = Situation(provider=vendor.profile), Counter[tuple[str, str]]()
    for body in (each for choice in published.choices for each in made(choice, _WORDS)):
        if contract.subject == "chunk":
            body.pop("error", None)  # a chunk with it is judged as an error alone
        sound = set(contract.violations(body, situation))
        refused = {each.pointer for each in sound if each.kind == "unknown"}
        for fault in faults(published, body, reply=contract.side == "reply"):
            key = fault.kind, fault.place
            own = any(fault.pointer == each or fault.pointer.startswith(f"{each}/") for each in refused)
            if fault.twin(body) is body and seen[key] < _OF_EACH and not own:
                seen[key] += 1
                reported = [each for each in contract.violations(fault.put(body), situation) if each not in sound]
                yield fault, max((each.severity for each in reported), default=None)
