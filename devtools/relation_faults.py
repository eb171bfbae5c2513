"""Breaks every relation where recorded traffic has it, and counts what is found: `python -m devtools.relation_faults`.

Each row of relations is broken in a few recordings in every way that its form knows: a dangling or doubled reference,
one of another type or kind, a sum off by one, a part above the whole, a range past the end of its text, two steps in
the wrong order. The recording itself is the twin: where it is not silent about the row, no fault is planted.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.proofs.bases import base, base_names
from conformance.judge.proofs.edit import Edit, apply
from conformance.judge.proofs.example import rendered
from conformance.judge.relations import across, comparisons, contents, forms, identity, instances, joins, order, strict
from conformance.judge.relations.places import Key, Test, path, places, select, text_of
from conformance.judge.relations.rows import Relation, rows
from conformance.judge.relations.scan import scan_of
from conformance.judge.rule import rules_of
from conformance.judge.view import View
from conformance.model.exchange import Body, Exchange
from conformance.model.pointer import get
from conformance.model.registry import all_dialects, claimants
from conformance.model.transcript import Text
from devtools.contract_silence import FILES, recordings

Planted = tuple[str, tuple[Edit, ...]]
"""What was done, and the edits of one exchange: `/request/…`, `/response/…` or `/event/N/…`."""
_EACH = 3
"""In so many recordings each way is tried."""
_BEFORE = 6
"""How many exchanges of a run are judged before the one with the fault."""


@dataclass(frozen=True, slots=True)
class Site:
    """An exchange where a row has something to judge, with those before it in its run."""

    dialect: str
    earlier: tuple[Exchange, ...]
    exchange: Exchange

    def finds(self, rule: str, exchange: Exchange) -> bool:
        """Whether the rule, or any other at an error, has a finding about the exchange."""
        checker = Checker(self.dialect)
        for each in self.earlier:
            checker.feed(replace(each, complete=True, group="run"))
        found = checker.feed(replace(exchange, complete=True, group="run"))
        return any(each.rule == rule and each.exchange == len(self.earlier) for each in found)

    def view(self) -> View:
        """The exchange as a row sees it."""
        checker = Checker(self.dialect)
        for each in (*self.earlier, self.exchange):
            checker.feed(replace(each, complete=True, group="run"))
        *earlier, last = checker.views("run", self.dialect)
        return View(last.exchange, last.dialect, tuple(earlier), last.number)


def at(root: str, pointer: str) -> str:
    """The place of a value in the document of an exchange."""
    if pointer.startswith("event"):
        return f"/{pointer}"
    return f"/{'request' if root == 'request' else 'response'}{pointer}"


def put(root: str, pointer: str, value: Any) -> Edit:
    return Edit("put", at(root, pointer), value)


def with_edits(exchange: Exchange, edits: Iterable[Edit]) -> Exchange:
    """The exchange with edits of its bodies.

    Raises:
        ValueError: an edit does not fit.
    """
    view = View(exchange, all_dialects()["openai-chat"])
    events = View(exchange, claimants(exchange.request)[0]).events if claimants(exchange.request) else None
    document: dict[str, Any] = {"request": copy.deepcopy(view.request)}
    if events is None:
        document["response"] = copy.deepcopy(view.response)
    else:
        document["event"] = [copy.deepcopy(each.json) for each in events]
    for edit in edits:
        apply(document, edit)
    request = replace(exchange.request, body=Body(document["request"]))
    if events is None:
        body = Body(document["response"])
    else:
        names = [each.name for each in events]
        body = Body(
            "".join(
                _event(name, value) for name, value in zip(_fitted(names, document), document["event"], strict=True)
            )
        )
    return replace(exchange, request=request, response=replace(exchange.response, body=body))


def _fitted(names: list[str | None], document: dict[str, Any]) -> list[str | None]:
    """The names of events, by their types if they have names."""
    if not any(names):
        return [None] * len(document["event"])
    return [each.get("type") if isinstance(each, dict) else None for each in document["event"]]


def _event(name: str | None, value: Any) -> str:
    data = value.text if hasattr(value, "reason") else json.dumps(value)
    return f"event: {name}\ndata: {data}\n\n" if name else f"data: {data}\n\n"


@singledispatch
def plant(relation: Any, view: View) -> Iterator[Planted]:
    """The ways to break a relation in an exchange."""
    del relation, view
    yield from ()


@plant.register
def _(relation: across.Within, view: View) -> Iterator[Planted]:
    if relation.given and scan_of(view).first(relation.given) is None:
        return
    for root, value, pointer in scan_of(view).at(relation.at):
        for form in relation.forms:
            yield from break_form(form, value, root, pointer)


@singledispatch
def break_form(form: Any, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    """The ways to break a relation between the fields of a value."""
    del form, value, root, pointer
    yield from ()


def _found(value: Any, where: str, pointer: str) -> list[tuple[Any, str]]:
    return list(select(value, path(where), pointer))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@break_form.register
def _(form: forms.SumOf, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    whole = all(_found(value, each, pointer) for each in form.parts)
    for total, where in _found(value, form.total, pointer):
        if _is_number(total) and whole:
            yield "sum + 1", (put(root, where, total + 1),)
            yield "sum - 1", (put(root, where, total - 1),)


@break_form.register
def _(form: forms.PartOf, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for whole, _ in _found(value, form.whole, pointer):
        for part, where in _found(value, form.part, pointer):
            if _is_number(whole) and _is_number(part):
                yield "part above the whole", (put(root, where, whole + 1),)


@break_form.register
def _(form: forms.CountOf, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for items, _ in _found(value, form.items, pointer):
        for count, where in _found(value, form.count, pointer):
            if isinstance(items, list) and _is_number(count):
                yield "count + 1", (put(root, where, len(items) + 1),)


@break_form.register
def _(form: forms.IndexInto, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for items, _ in _found(value, form.items, pointer):
        for index, where in _found(value, form.index, pointer):
            if isinstance(items, (list, str)) and _is_number(index):
                yield "past the end", (put(root, where, len(items)),)
                yield "before the start", (put(root, where, -1),)


@break_form.register
def _(form: forms.RangeOf, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for whole, _ in _found(value, form.whole, pointer):
        for holder, where in _found(value, form.ranges, pointer):
            if not isinstance(whole, (str, list)):
                continue
            for _, end in _found(holder, form.end, where):
                yield "past the end", (put(root, end, form.measure(whole) + 1),)
            for start, _ in _found(holder, form.start, where):
                for _, end in _found(holder, form.end, where):
                    if _is_number(start) and start > 0:
                        yield "ends before it begins", (put(root, end, start - 1),)


@break_form.register
def _(form: forms.Unique, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    found = [(each, where) for each, where in _found(value, form.what, pointer) if each not in (None, "")]
    if len(found) > 1:
        yield "doubled", (put(root, found[1][1], found[0][0]),)


@break_form.register
def _(form: forms.Increases, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    found = [(each, where) for each, where in _found(value, form.what, pointer) if _is_number(each)]
    if len(found) > 1:
        yield "repeated", (put(root, found[1][1], found[0][0]),)
        yield "lower", (put(root, found[1][1], found[0][0] - 1),)


@break_form.register
def _(form: forms.Together, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    there = [where for each in form.fields for found, where in _found(value, each, pointer) if found is not None]
    if len(there) > 1:
        yield "one without the other", (Edit("drop", at(root, there[0])),)


@break_form.register
def _(form: forms.Same, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for one, _ in _found(value, form.one, pointer)[:1]:
        for other, where in _found(value, form.other, pointer):
            if one is not None and other is not None:
                yield "another value", (put(root, where, _other(other)),)


@break_form.register
def _(form: forms.Encodes, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for text, where in _found(value, form.what, pointer):
        if isinstance(text, str):
            yield "not encoded", (put(root, where, "data:;base64,%" if "URL" in form.encoding else "{ %"),)


@break_form.register
def _(form: contents.Quotes, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for text, where in _found(value, form.excerpt, pointer):
        if isinstance(text, str) and _found(value, form.end, pointer) and _found(value, form.whole, pointer):
            yield "other words", (put(root, where, f"{text}_x"),)


@break_form.register
def _(form: contents.InstanceOf, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for schema, _ in _found(value, form.schema, pointer):
        for _, where in _found(value, form.what, pointer):
            if isinstance(schema, dict) and schema.get("type") == "object":
                yield "broken by its type", (put(root, where, []),)


@break_form.register
def _(form: contents.SameLength, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    one, other = (_found(value, each, pointer) for each in form.fields)
    for items, where in other if one else ():
        if isinstance(items, list):
            yield "one more", (put(root, where, [*items, items[-1] if items else 0]),)


@break_form.register
def _(form: contents.Among, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for found, where in _found(value, form.what, pointer):
        if found is not None and (form.default or _found(value, form.choices, pointer)):
            yield "not among them", (put(root, where, _other(found)),)


@break_form.register
def _(form: contents.Translates, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    known = dict(form.table)
    for word, _ in _found(value, form.of, pointer):
        for found, where in _found(value, form.what, pointer):
            others = [
                each for row, words in form.table if row != word for each in words if each not in known.get(word, ())
            ]
            if isinstance(word, str) and found in known.get(word, ()) and others:
                yield "another word", (put(root, where, others[0]),)


@break_form.register
def _(form: comparisons.Has, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for field in form.fields:
        for found, where in _found(value, field, pointer):
            if found not in (None, ""):
                yield "taken away", (put(root, where, None),)


@break_form.register
def _(form: comparisons.Contains, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    wanted = [each for each, _ in _found(value, form.of, pointer)]
    for found, where in _found(value, form.what, pointer):
        if found in wanted:
            yield "one taken away", (put(root, where, _other(found)),)


@break_form.register
def _(form: contents.BytesOf, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for data, where in _found(value, form.data, pointer):
        if isinstance(data, list):
            yield "another byte", (put(root, where, [*data, 0]),)


@break_form.register
def _(form: contents.Concatenates, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for whole, where in _found(value, form.whole, pointer):
        if isinstance(whole, str) and _found(value, form.parts, pointer):
            yield "more text", (put(root, where, f"{whole}x"),)


@break_form.register
def _(form: strict.StrictSchema, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for schema, where in _found(value, form.what, pointer):
        if isinstance(schema, dict) and schema.get("type") == "object":
            yield "an open object", (put(root, f"{where}/additionalProperties", True),)


@break_form.register
def _(form: comparisons.NotLess, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    for least, _ in _found(value, form.than, pointer):
        for found, where in _found(value, form.what, pointer):
            if _is_number(least) and _is_number(found):
                yield "less", (put(root, where, least - 1),)


@break_form.register
def _(form: comparisons.Decreases, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    found = [each for each in _found(value, form.what, pointer) if _is_number(each[0])]
    if len(found) > 1:
        yield "larger", (put(root, found[1][1], found[0][0] + 1),)


@break_form.register
def _(form: comparisons.Constant, value: Any, root: str, pointer: str) -> Iterator[Planted]:
    found = _found(value, form.what, pointer)
    if len(found) > 1:
        yield "another value", (put(root, found[1][1], _other(found[1][0])),)


@plant.register
def _(relation: joins.Matched, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    for root, value, pointer in scan.at(relation.what):
        for _, where, _, others in relation.belonging(view, value, pointer):
            if len(others) != 1:
                continue
            if where != pointer and not relation.by:
                yield "past the last", (put(root, where, len(joins.in_order(scan, relation.to))),)
            for form in relation.forms:
                for label, edits in break_form(form, {"this": value, "that": others[0][1]}, root, ""):
                    wanted = at(root, "/this")
                    if all(each.pointer.startswith(wanted) for each in edits):
                        moved = (
                            replace(each, pointer=at(root, pointer) + each.pointer[len(wanted) :]) for each in edits
                        )
                        yield label, tuple(moved)


@plant.register
def _(relation: joins.Ranked, view: View) -> Iterator[Planted]:
    found = joins.in_order(scan_of(view), relation.what)
    if len(found) > 1 and "/" not in relation.path[1:]:
        first, last = at(found[0][0], found[0][2]), at(found[-1][0], found[-1][2])
        edits = (f"{first}{relation.path}", relation.order[-1]), (f"{last}{relation.path}", relation.order[0])
        yield "order swapped", tuple(Edit("put", pointer, value) for pointer, value in edits)


@plant.register
def _(relation: joins.Omits, view: View) -> Iterator[Planted]:
    for root, stop, pointer in scan_of(view).at(relation.what):
        for turn in view.replies if isinstance(stop, str) else ():
            words = next(
                (part.text.split()[0] for part in turn.parts if isinstance(part, Text) and part.text.split()), ""
            )
            if words:
                yield "in the text", (put(root, pointer, words),)


@plant.register
def _(relation: across.Never, view: View) -> Iterator[Planted]:
    place = places(relation.what)[0]
    *before, last = place.steps
    if isinstance(last, Key) or not isinstance(last, Test) or last.absent or len(last.path) != 1 or not last.values:
        return
    for _, pointer in scan_of(view).of(replace(place, steps=tuple(before))):
        yield "what must not be there", (put(place.root, f"{pointer}/{last.path[0]}", last.values[0]),)


@plant.register
def _(relation: instances.Structured, view: View) -> Iterator[Planted]:
    for turn in view.replies if scan_of(view).first(relation.schema) is not None and view.events is None else ():
        for part in turn.parts:
            if isinstance(part, Text) and turn.stop == "end" and not turn.calls:
                where = next(
                    (
                        f"{part.pointer}{end}"
                        for end in ("/text", "")
                        if isinstance(get(view.response, part.pointer + end), str)
                    ),
                    "",
                )
                if where:
                    yield "not of the schema", (put("response", where, "[none"),)


def _other(value: Any) -> Any:
    return f"{value}_x" if isinstance(value, str) else value + 1 if _is_number(value) else "x"


@plant.register
def _(relation: across.Requires, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    if scan.first(relation.what) is None or (relation.unless and scan.first(relation.unless) is not None):
        return
    edits = []
    for place in places(relation.needed):
        last = place.steps[-1] if place.steps else None
        for _, pointer in scan.of(place):
            inner = "".join(f"/{key}" for key in last.path) if isinstance(last, Test) and not last.absent else ""
            # null and absent are the same to a test; what needs it may be the very field
            edits.append(put(place.root, pointer + inner, None) if inner else Edit("drop", at(place.root, pointer)))
    if edits:
        yield "what it needs taken away", tuple(reversed(edits))


@plant.register
def _(relation: across.Forbids, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    if scan.first(relation.other) is None or scan.first(relation.what) is not None:
        return
    place = places(relation.what)[0]
    if place.steps and all(isinstance(each, Key) and each.name != "*" for each in place.steps):
        pointer = "".join(f"/{each.name}" for each in place.steps if isinstance(each, Key))
        yield "what it excludes added", (put(place.root, pointer, "x"),)


@plant.register
def _(relation: across.Echoes, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    wanted = scan.first(relation.of)
    for root, value, pointer in scan.at(relation.what):
        if wanted is not None and wanted[1] is not None and value is not None:
            yield "another value", (put(root, pointer, _other(value)),)


@plant.register
def _(relation: across.Bounded, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    limit = scan.first(relation.by)
    for root, value, pointer in scan.at(relation.what):
        if limit is not None and _is_number(limit[1]) and _is_number(value):
            yield "limit + 1", (put(root, pointer, limit[1] + 1),)


@plant.register
def _(relation: across.AtMost, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    limit = scan.first(relation.number) if isinstance(relation.number, str) else ("", relation.number, "")
    for root, value, pointer in scan.at(relation.what):
        if limit is not None and isinstance(limit[1], int) and pointer.rpartition("/")[2].isdecimal():
            yield "too many", tuple(Edit("insert", at(root, pointer), value) for _ in range(limit[1] + 1))


@plant.register
def _(relation: identity.Refers, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    closed = not relation.open and not (relation.unless and scan.first(relation.unless) is not None)
    for root, value, pointer in scan.at(relation.what):
        if relation.to.of(view, value) is None:
            continue
        if closed:
            yield "dangling", (put(root, pointer, _other(value)),)
        if isinstance(value, int):
            yield "another type", (put(root, pointer, str(value)),)
        for other in relation.others:
            for known, _, _ in [*other.table(view).values()][:1]:
                yield f"the {other.name}", (put(root, pointer, known),)


@plant.register
def _(relation: identity.Answered, view: View) -> Iterator[Planted]:
    made = relation.what.table(view)
    for root, value, pointer in scan_of(view).at(relation.by):
        if text_of(value) in made:
            yield "unanswered", (Edit("drop", at(root, pointer)),)


@plant.register
def _(relation: identity.Pending, view: View) -> Iterator[Planted]:
    if scan_of(view).first(relation.at) is not None and not [*relation.hits(view)]:
        before = [key for each in view.earlier for key in relation.left.table(each)]
        for root, value, pointer in scan_of(view).at(relation.by):
            if text_of(value) in before:
                yield "unanswered", (put(root, pointer, _other(value)),)


@plant.register
def _(relation: identity.Once, view: View) -> Iterator[Planted]:
    found = [each for each in scan_of(view).at(relation.what) if each[1] not in (None, "")]
    if len(found) > 1:
        yield "doubled", (put(found[1][0], found[1][2], found[0][1]),)
    if relation.within == "run":
        for before in view.earlier[-1:]:
            for _, value, _ in [*scan_of(before).at(relation.what)][:1]:
                for root, _, pointer in found[:1]:
                    yield "used before", (put(root, pointer, value),)


@plant.register
def _(relation: order.Follows, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    first, step = scan.first(relation.before), scan.first(relation.what)
    if first is not None and step is not None and (ends := _swap(first[2], step[2])):
        yield "order swapped", ends


@plant.register
def _(relation: order.Ends, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    end, other = scan.first(relation.what), scan.first(relation.other)
    if end is not None and other is not None and (ends := _swap(end[2], other[2])):
        yield "order swapped", ends


@plant.register
def _(relation: order.LeadsTo, view: View) -> Iterator[Planted]:
    found = scan_of(view).first(relation.other)
    if found is not None and (number := _event_of(found[2])) is not None:
        yield "the later one dropped", (Edit("drop", f"/event/{number}"),)


@plant.register
def _(relation: order.Single, view: View) -> Iterator[Planted]:
    found = scan_of(view).first(relation.what)
    if found is not None and (number := _event_of(found[2])) is not None:
        yield "sent twice", (Edit("insert", f"/event/{number}", (view.events or ())[number].json),)


def _event_of(pointer: str) -> int | None:
    return int(pointer.split("/")[1]) if pointer.startswith("event/") else None


def _swap(one: str, other: str) -> tuple[Edit, ...]:
    numbers = _event_of(one), _event_of(other)
    return (
        () if None in numbers or numbers[0] == numbers[1] else (Edit("swap", *(f"/event/{each}" for each in numbers)),)
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the faults of a dialect: found and not, by row and way; and the rows without any."""

    found: Counter[tuple[str, str]]
    missed: dict[tuple[str, str], list[str]]
    untried: list[str]


def measured(dialect: str, *, files: Sequence[str] | None = None) -> Outcome:
    """Plants faults in the recordings of a dialect, or in some of them, then in the bases of its proofs."""
    rules_of(dialect)
    known = {rule: each for rule, each in rows().items() if rule in rules_of(dialect)}
    tried: Counter[tuple[str, str]] = Counter()
    outcome = Outcome(Counter(), defaultdict(list), [])
    for site in sites(dialect, FILES.get(dialect, ()) if files is None else files):
        view = site.view()
        if view.endpoint is not None:  # it shows what another exchange made
            continue
        for rule, relations in known.items():
            for label, edits in _wanted(relations, view, rule, tried):
                try:
                    faulty = with_edits(site.exchange, edits)
                except ValueError:
                    continue
                if site.finds(rule, site.exchange):
                    break
                tried[rule, label] += 1
                if site.finds(rule, faulty):
                    outcome.found[rule, label] += 1
                else:
                    outcome.missed[rule, label].append(f"{site.exchange.source}: {edits[0]}")
    outcome.untried.extend(rule for rule in known if not any(each == rule for each, _ in tried))
    return outcome


def _wanted(relations: Sequence[Relation], view: View, rule: str, tried: Counter[tuple[str, str]]) -> Iterator[Planted]:
    seen: set[str] = set()
    for relation in relations:
        for label, edits in plant(relation, view):
            if label not in seen and tried[rule, label] < _EACH:
                seen.add(label)
                yield label, edits


def sites(dialect: str, files: Sequence[str]) -> Iterator[Site]:
    """The recorded exchanges that a dialect claims, with those before them; those of the proofs' bases last."""
    for name in files:
        if not recordings(name).exists():
            continue
        runs: dict[str, list[Exchange]] = defaultdict(list)
        for exchange in read([recordings(name)]):
            if any(each.name == dialect for each in claimants(exchange.request)):
                key = f"{exchange.source.rpartition(':')[0]}#{exchange.conversation}"
                if "eventstream" not in (exchange.response.headers.get("content-type") or ""):  # AWS frames stay closed
                    yield Site(dialect, tuple(runs[key][-_BEFORE:]), exchange)
                runs[key].append(exchange)
    for name in base_names(dialect):
        run = [Exchange.of(rendered(record), source=f"base {name}") for record in base(f"{dialect}/{name}")]
        yield from (Site(dialect, tuple(run[:number]), each) for number, each in enumerate(run))


def main() -> int:
    """1 where less than 98 % of the faults are found."""
    parser = argparse.ArgumentParser(prog="python -m devtools.relation_faults", description=__doc__)
    parser.add_argument("--dialect", action="append", help="only this one; may be given more than once")
    chosen = parser.parse_args().dialect or sorted(all_dialects())
    found = missed = 0
    for dialect in chosen:
        outcome = measured(dialect)
        lost = {key: len(each) for key, each in outcome.missed.items()}
        found, missed = found + outcome.found.total(), missed + sum(lost.values())
        sys.stdout.write(f"{dialect}: {outcome.found.total()} found, {sum(lost.values())} missed\n")
        for rule, label in sorted({*outcome.found, *lost}):
            count, bad = outcome.found[rule, label], lost.get((rule, label), 0)
            sys.stdout.write(f"  {rule}: {label}: {count} of {count + bad}\n")
            sys.stdout.writelines(f"    {each}\n" for each in outcome.missed.get((rule, label), ()))
        sys.stdout.writelines(f"  {rule}: no recording has it\n" for rule in outcome.untried)
    share = found / (found + missed) if found + missed else 1.0
    sys.stdout.write(f"{found} of {found + missed} faults of relations found ({share:.1%})\n")
    return 0 if share >= 0.98 else 1


if __name__ == "__main__":
    sys.exit(main())
