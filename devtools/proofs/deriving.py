"""Examples of the rules of a contract, derived from its rows: a conforming exchange with one edit.

Every base of the dialect is tried at every place of a row, until the contract reports that edit once under that rule;
an edit that no other rule reports is preferred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from conformance.contract import Contract
from conformance.contract.listing import Entry
from conformance.contract.nodes import Node, Object
from conformance.judge.contracted import contract_hits
from conformance.judge.proofs.example import Edit, Example, base_names, drop, put
from conformance.judge.view import View
from conformance.model.pointer import MISSING, get, join
from conformance.model.registry import all_dialects
from devtools.proofs.samples import breaking, children, grown, meeting

_ENOUGH = 40
"""After this many examples that other rules report too, the first of them is used."""
_LONGEST = 2_000
"""An example is read by people: no longer value is put into one."""


def derived(rule: str, dialect: str, rows: Sequence[tuple[Contract, Entry]]) -> Example:
    """A violating example of a rule, from the rows that report under it.

    Raises:
        ValueError: no base of the dialect has a place for such a fault.
    """
    for fills_in in (False, True):
        found = _first_found(rule, _edited(dialect, rows, fills_in=fills_in))
        if found is not None:
            return found
    raise ValueError(f"no base of {dialect} shows {rule}: write an example of it in the proofs of the dialect")


def _first_found(rule: str, examples: Iterator[Example]) -> Example | None:
    others: list[Example] = []
    for each in examples:
        found = _found(rule, each)
        if found is None:
            continue
        example, alone = found
        if alone:
            return example
        others.append(example)
        if len(others) >= _ENOUGH:
            break
    return others[0] if others else None


def _found(rule: str, example: Example) -> tuple[Example, bool] | None:
    """The example with the place of its one finding, and whether it is the only one; None without a finding."""
    dialect = all_dialects()[example.base.partition("/")[0]]
    views = [View(exchange, dialect, number=number) for number, exchange in enumerate(example.exchanges())]
    found = [(view.number, name, hit) for view in views for name, hit in contract_hits(view)]
    own = [(number, hit) for number, name, hit in found if name == rule]
    if len(own) != 1:
        return None
    [(number, hit)] = own
    at = " ".join(each for each in (str(number), hit.side, hit.pointer) if each is not None)
    return Example(example.base, example.edits, at), len(found) == 1


def _edited(dialect: str, rows: Sequence[tuple[Contract, Entry]], *, fills_in: bool) -> Iterator[Example]:
    """Every edit of every base that may show a fault; `fills_in` first gives the base a field on the way to it."""
    worst_first = sorted(rows, key=lambda each: each[1].severity, reverse=True)
    for contract, entry in worst_first:
        for base in sorted(base_names(dialect), key=len):
            name = f"{dialect}/{base}"
            for at, body in _bodies(contract, Example(name).document()):
                if not fills_in:
                    yield from (Example(name, edits) for edits in _edits(entry, at, body))
                    continue
                for first in _preludes(contract.node, body, entry.path.split("/")[1:], at):
                    filled = get(Example(name, (first,)).document(), at)
                    yield from (Example(name, (first, *edits)) for edits in _edits(entry, at, filled))


def _bodies(contract: Contract, document: list[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The bodies of a base that a contract applies to, each with its place."""
    for number, record in enumerate(document):
        response = record["response"]
        if contract.side == "request":
            yield f"/{number}/request/body", record["request"].get("body")
        elif "events" in response:
            yield from (
                (f"/{number}/response/events/{n}/data", each["data"]) for n, each in enumerate(response["events"])
            )
        else:
            yield f"/{number}/response/body", response.get("body")


def _edits(entry: Entry, at: str, body: Any) -> Iterator[tuple[Edit, ...]]:
    if not isinstance(body, dict):
        return
    for place in _places(body, entry.path.split("/")[1:], ""):
        where, there = f"{at}{place}", get(body, place) is not MISSING
        if entry.relation is not None:
            yield from _relating(entry, where, get(body, place)) if there else ()
        elif entry.kind == "missing":
            yield from ((drop(where),),) if there and place else ()
        elif isinstance(entry.node, Object) and entry.kind == "unknown":
            yield from ((put(f"{where}/unheard_of", True),),) if isinstance(get(body, place), dict) else ()
        elif place:
            values = breaking(entry.kind, entry.node)
            yield from ((put(where, each),) for each in values if len(str(each)) <= _LONGEST)


def _preludes(node: Node, value: Any, path: list[str], at: str) -> Iterator[Edit]:
    """Edits that fill in an optional field on the way to a place."""
    if len(path) < 2:
        return
    name, *rest = path
    if name == "*":
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        found = list(items)
    elif isinstance(value, dict) and value.get(name) is None:
        with suppress(LookupError):
            yield put(f"{at}/{name}", grown(node, path)[name])
        return
    else:
        found = [(name, value[name])] if isinstance(value, dict) else []
    for key, each in found:
        for child in children(node, name):
            yield from _preludes(child, each, rest, join(at, key))


def _places(value: Any, path: list[str], at: str) -> Iterator[str]:
    """The places in a body that a path matches; the last field may be missing there."""
    if not path:
        yield at
        return
    name, *rest = path
    if name == "*":
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, each in items:
            yield from _places(each, rest, join(at, key))
    elif isinstance(value, dict) and (name in value or not rest):
        yield from _places(value.get(name), rest, join(at, name))


def _relating(entry: Entry, where: str, there: Any) -> Iterator[tuple[Edit, ...]]:
    """Edits of an object that violate the rows about several of its fields."""
    relation, owner = entry.relation, entry.node
    if relation is None or not isinstance(owner, Object) or not isinstance(there, dict):
        return
    first, *rest = relation.conditions
    if entry.kind == "missing":
        yield tuple(drop(f"{where}/{each.name}") for each in relation.conditions if each.name in there)
    elif entry.kind == "dependency":
        gone = tuple(drop(f"{where}/{each.name}") for each in rest if each.name in there)
        yield (*gone, put(f"{where}/{first.name}", meeting(first, owner)))
    elif entry.kind == "conflict":
        yield tuple(put(f"{where}/{each.name}", meeting(each, owner)) for each in relation.conditions)
    elif entry.kind == "range":
        yield put(f"{where}/{first.name}", 2), put(f"{where}/{rest[0].name}", 1)
