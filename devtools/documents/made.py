"""Faults in MCP's messages: made from the schemas of its revisions, since few of them are recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.contract import Situation
from conformance.model.finding import Severity
from devtools.documents.documented import Documented
from devtools.documents.drawing import faults
from devtools.documents.making import made
from devtools.documents.measuring import DOCUMENTS, Table
from devtools.documents.messages import Message, Revision
from devtools.documents.planting import Fault


def measure_made(revisions: Mapping[str, Mapping[str, Any]], table: Table) -> None:
    """Plants the faults of each message of each revision into messages that have all that is documented."""
    for name in sorted(revisions):
        for message in Revision(name, revisions[name]).messages():
            for fault, severity in _tried(name, message):
                subject = message.contract.subject
                table.count("mcp", subject, f"{DOCUMENTS} {name} {message.name}", fault, severity, group=DOCUMENTS)


def _tried(revision: str, message: Message) -> Iterator[tuple[Fault, Severity | None]]:
    situation, seen = Situation(api_version=revision, operation=message.answers), set()
    published, contract = Documented.of([message.spec]), message.contract
    for body in made(message.spec):
        sound = set(contract.violations(body, situation))
        for fault in faults(published, body, reply=contract.side == "reply"):
            key = fault.kind, fault.pointer, repr(fault.value)
            if fault.twin(body) is body and key not in seen:
                seen.add(key)
                reported = [each for each in contract.violations(fault.put(body), situation) if each not in sound]
                yield fault, max((each.severity for each in reported), default=None)
