"""MCP: each published revision's schema held against the contract as it holds for that revision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from conformance.contract import Contract, Situation
from conformance.contract.nodes import Cases, Node
from conformance.dialects.mcp.contract import REPLY, REQUEST
from devtools.documents.comparing import Comparison
from devtools.documents.documented import Documented
from devtools.documents.lines import HEADINGS, Line
from devtools.documents.messages import Message, Revision


def of_revisions(revisions: Mapping[str, Mapping[str, Any]]) -> Iterator[Line]:
    """The lines of all revisions, each once.

    What is documented is asked of the contract for that very revision. What the contract has may be from any of them.
    """
    documents = [Revision(name, revisions[name]) for name in sorted(revisions)]
    reported: set[tuple[str, str, str, str]] = set()
    for document in documents:
        for line in _lines(list(document.messages()), document.name):
            key = line.subject, line.place, line.kind, line.text
            if line.heading != HEADINGS["undocumented"] and key not in reported:
                reported.add(key)
                yield replace(line, text=f"{line.text} ({document.name})")
    found = [each for document in documents for each in document.messages()]
    yield from (line for line in _lines(found, None) if line.heading == HEADINGS["undocumented"])


def _lines(found: list[Message], revision: str | None) -> Iterator[Line]:
    for contract in (REQUEST, REPLY):
        asked = [each for each in found if each.contract is contract and each.answers is None]
        node = contract.node if revision is None else contract.resolved(Situation(api_version=revision)).node
        yield from _compared(contract, "", asked, node.cases[0][1] if isinstance(node, Cases) else node)
        for method in dict.fromkeys(each.answers for each in found if each.contract is contract and each.answers):
            node = contract.resolved(Situation(api_version=revision, operation=method)).node
            asked = [each for each in found if each.contract is contract and each.answers == method]
            yield from _compared(contract, f" {method}", asked, node.otherwise if isinstance(node, Cases) else node)


def _compared(contract: Contract, operation: str, found: list[Message], node: Node) -> Iterator[Line]:
    for line in Comparison("mcp", contract).lines(Documented.of(each.spec for each in found), node):
        yield replace(line, subject=f"{line.subject}{operation}")
