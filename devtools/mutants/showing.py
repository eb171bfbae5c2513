"""Shows one mutant: where its fault is, what changed there, and which rules caught it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from conformance.model.exchange import Exchange
from devtools.mutants.operator import Fault, Operator
from devtools.mutants.subject import Subject
from devtools.mutants.trial import try_out

_WIDTH = 160


def shown(subject: Subject, operator: Operator, fault: Fault) -> str:
    """The mutant as text: a line that names it, and the lines that differ."""
    outcome = try_out(subject, operator, fault)
    caught = f"caught by {', '.join(outcome.rules)}" if outcome.caught else "ESCAPES"
    head = f"{operator.dialect_of(subject)} {operator.name} {fault.side} {fault.place} in {subject.name}: {caught}"
    return "\n".join([head, *_changes(subject.exchange, fault.made()), ""])


def _changes(before: Exchange, after: Exchange) -> Iterator[str]:
    for line in difflib.unified_diff(_lines(before), _lines(after), lineterm="", n=0):
        if line[:1] in "+-" and not line.startswith(("+++", "---")):
            yield f"  {line}"


def _lines(exchange: Exchange) -> list[str]:
    """The exchange in short lines that can be compared: a line break before each member and event."""
    request, response = exchange.request, exchange.response
    lines = [f"{request.method} {request.url}", *(f"> {name}: {value}" for name, value in request.headers)]
    lines += _cut(request.body.text or "")
    lines += [f"{response.status}", *(f"< {name}: {value}" for name, value in response.headers)]
    return lines + _cut(response.body.text or "")


def _cut(text: str) -> list[str]:
    lines = text.replace('": ', '":').replace(', "', ',\n"').replace(',"', ',\n"').replace("{", "{\n").split("\n")
    return [line.strip()[:_WIDTH] for line in lines]
