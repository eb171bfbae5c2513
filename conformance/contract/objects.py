"""The violations of an object's rows and relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from conformance.contract import wording
from conformance.contract.citation import NOT_REQUIRED_BUT_USUAL, Citation, Kind
from conformance.contract.nodes import Field, Node, Object
from conformance.contract.violation import Fault, Frame, Violation
from conformance.errors import closest
from conformance.model.finding import Severity
from conformance.model.pointer import join

Check = Callable[[Node, Any, str, Frame], Iterator[Violation]]


def object_violations(node: Object, value: dict[str, Any], at: str, frame: Frame, check: Check) -> Iterator[Violation]:
    """The violations of an object: of each field's row, missing fields, relations between fields, unknown fields."""
    inner = frame.at_object(node.citations)
    lacking: dict[tuple[Citation, Severity], list[Field]] = {}
    for row in _rows_about(node, value):
        name = next((each for each in (row.name, *row.also) if each in value), None)
        own = inner.at_row(row.citations)
        if name is None:
            if row.presence != "may":
                most = NOT_REQUIRED_BUT_USUAL if row.presence == "should" else Severity.ERROR
                lacking.setdefault((own.citation("missing"), most), []).append(row)
        elif value[name] is None:
            yield from _null(row, join(at, name), own)
        else:
            if own.admits is None or not own.admits(row.node, value[name]):
                yield from check(row.node, value[name], join(at, name), own)
            if "deprecated" in row.citations:
                fault = Fault(f"`{name}` is deprecated", "what replaces it", f"`{name}`", f"leave `{name}` out")
                yield from own.report("deprecated", join(at, name), fault)
    for (citation, most), rows in lacking.items():
        yield from inner.report_as(
            citation, "missing", at, _missing(rows, value), most, fields=tuple(row.name for row in rows)
        )
    for relation in node.relations:
        for breach in relation.breaches(value):
            place = join(at, *breach.place) if breach.place else at
            fault = Fault(breach.message, breach.expected, breach.actual, breach.fix)
            yield from inner.report_as(relation.citation.over(inner.citation(breach.kind)), breach.kind, place, fault)
    if node.closed:
        yield from _strangers(node, value, at, inner)


def _rows_about(node: Object, value: dict[str, Any]) -> Iterator[Field]:
    """The rows of the members that a value has, and of those that it may lack: few of those that a large object has."""
    by_name, needed = _indexed(node)
    numbers = needed.union(*(by_name[name] for name in by_name.keys() & value.keys()))
    return (node.fields[number] for number in sorted(numbers))


@lru_cache(maxsize=4096)
def _indexed(node: Object) -> tuple[dict[str, list[int]], frozenset[int]]:
    """The numbers of an object's rows by their names, and of those without which something is missing."""
    by_name: dict[str, list[int]] = {}
    for number, row in enumerate(node.fields):
        for name in (row.name, *row.also):
            by_name.setdefault(name, []).append(number)
    return by_name, frozenset(number for number, row in enumerate(node.fields) if row.presence != "may")


def _null(row: Field, at: str, frame: Frame) -> Iterator[Violation]:
    if row.null:
        return
    name, wanted = wording.subject(at), wording.described(row.node)
    found: Kind = "null" if row.presence == "may" else "type"
    fix = f"leave {name} out" if row.presence == "may" else f"give {name} as {wanted}"
    yield from frame.report(found, at, Fault(f"{name} is null", wanted, "null", fix))


def _missing(rows: list[Field], value: dict[str, Any]) -> Fault:
    """One violation for all missing fields of an object that are reported in the same way."""
    names = wording.named([row.name for row in rows])
    wanted = ", ".join(f"`{row.name}` ({wording.described(row.node)})" for row in rows)
    return Fault(f"{names} {'is' if len(rows) == 1 else 'are'} missing", wanted, wording.present(value), f"add {names}")


def _strangers(node: Object, value: dict[str, Any], at: str, frame: Frame) -> Iterator[Violation]:
    names = {name for row in node.fields for name in (row.name, *row.also)}
    for key, each in value.items():
        if key not in names and each is not None:
            near = closest(key, names)
            fix = f"write `{near}`" if near else f"leave `{key}` out"
            wanted = f"`{near}`" if near else "a documented field"
            fault = Fault(f"`{key}` is not a documented field", wanted, f"`{key}`", fix)
            yield from frame.report("unknown", join(at, key), fault)
