"""The ways to break an order, and what joins two places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from conformance.judge.proofs.edit import Edit
from conformance.judge.relations import joins, order
from conformance.judge.relations.marks import MARK, Completed, LastMark, Titled, Unmarked
from conformance.judge.relations.places import Key, path, places, text_of
from conformance.judge.relations.reported import Reported
from conformance.judge.relations.scan import Sided, scan_of
from conformance.judge.relations.transcript import Transcript
from conformance.judge.view import View
from conformance.model.transcript import Text
from devtools.relation_faults.growth import (
    built,
    found_at,
    grown,
    is_number,
    put,
)
from devtools.relation_faults.planting import (
    Edits,
    Planted,
    again_at,
    grown_at,
    item_of,
    planted,
    put_at,
    rooted,
    there,
)
from devtools.relation_faults.value import broken


@planted.register
def _(relation: Reported, view: View) -> Iterator[Planted]:
    return planted(relation.relation, view) if relation.is_about(view) else iter(())


@planted.register
def _(relation: Transcript, view: View) -> Iterator[Planted]:  # noqa: ARG001 - as all
    """None: what is told lies elsewhere in each dialect, or in no body; `make mutants` breaks it."""
    return iter(())


@planted.register
def _(relation: joins.Matched, view: View) -> Iterator[Planted]:
    for root, value, pointer in scan_of(view).at(relation.what):
        if not relation.by:
            known = len(joins.in_order(scan_of(view), relation.to))
            for _, where in found_at(value, relation.key, pointer):
                yield Planted("past the end", ((root, put(where, known)),))
        for _, _, before, others in relation.belonging(view, value, pointer):
            for that in others:
                ends = {"this": (root, pointer), "that": (that[0], that[2])}
                for form in relation.forms:
                    for label, edits in broken(form, {"this": value, "that": that[1]}, ""):
                        own = [each.pointer.split("/")[1] for each in edits]
                        # of several, it is enough that one fits
                        if "that" not in own or (before is view and len(others) == 1):
                            real = (
                                (ends[end][0], replace(each, pointer=f"{ends[end][1]}{each.pointer[5:]}"))
                                for end, each in zip(own, edits, strict=True)
                            )
                            yield Planted(label, tuple(real))


@planted.register
def _(relation: joins.Ranked, view: View) -> Iterator[Planted]:
    found = joins.in_order(scan_of(view), relation.what)
    first, last = relation.order[0], relation.order[-1]
    for one, two in pairwise(found):
        both = rooted(one[0], _ranked(relation, one, last)) + rooted(two[0], _ranked(relation, two, first))
        yield Planted("order swapped", both)


def _ranked(relation: joins.Ranked, found: Sided, word: str) -> tuple[Edit, ...]:
    there = found_at(found[1], relation.path, found[2])
    return tuple(put(where, word) for _, where in there) or grown(found[1], path(relation.path), found[2], word)


@planted.register
def _(relation: joins.Omits, view: View) -> Iterator[Planted]:
    words = [part.text[:4] for turn in view.replies for part in turn.parts if isinstance(part, Text) and part.text]
    found = there(view, relation.what)
    if words and found is not None:
        yield Planted("what the text has", put_at(found, words[0]))
    elif words:
        yield from grown_at("what the text has added", view, relation.what, words[0])


@planted.register
def _(relation: order.Follows, view: View) -> Iterator[Planted]:
    if relation.unless and there(view, relation.unless) is not None:
        return
    for before, step in _pairs(view, relation.before, relation.what, relation.by):
        yield Planted("order swapped", _swap(before, step))
        yield Planted("the first dropped", _dropped(view, relation.before))


@planted.register
def _(relation: order.Ends, view: View) -> Iterator[Planted]:
    for other_one, end in _pairs(view, relation.other, relation.what, relation.by):
        yield Planted("order swapped", _swap(other_one, end))
    if there(view, relation.what) is None and not relation.by:
        for root, _, pointer in [*scan_of(view).at(relation.other)][-1:]:
            holder, item = item_of(pointer)
            place = next((each for each in places(relation.what) if each.root == root), None)
            if place is None:
                continue
            array = (
                0
                if root == "event"
                else next(
                    (
                        number
                        for number, each in enumerate(place.steps, 1)
                        if isinstance(each, Key) and each.name == "*"
                    ),
                    0,
                )
            )
            ending = built(place.steps[array:])
            yield Planted("the end added too early", ((root, Edit("insert", f"{holder}/{item}", ending)),))


@planted.register
def _(relation: order.Encloses, view: View) -> Iterator[Planted]:
    for one, other in _pairs(view, relation.what, relation.stop, relation.by):
        if relation.keys:
            for number, where in found_at(other[1], relation.by, other[2]):
                yield Planted("another key", ((other[0], put(where, number + 7)),))
        else:
            yield Planted("order swapped", _swap(one, other))
            yield Planted("the first dropped", _dropped(view, relation.what))


@planted.register
def _(relation: Completed, view: View) -> Iterator[Planted]:
    if relation.by != MARK and there(view, relation.what) is not None:
        yield Planted("the end dropped", _dropped(view, relation.by))


@planted.register
def _(relation: LastMark | Titled | Unmarked, view: View) -> Iterator[Planted]:  # noqa: ARG001 - as all
    """None: names and marks are not in the data of events; `make mutants` changes them."""
    return iter(())


@planted.register
def _(relation: order.LeadsTo, view: View) -> Iterator[Planted]:
    if (there(view, relation.end) is not None or not relation.end) and there(view, relation.what) is not None:
        last = max(order.position(pointer) for _, _, pointer in scan_of(view).at(relation.what))
        yield Planted("the later one dropped", _dropped(view, relation.other, after=last))


@planted.register
def _(relation: order.Single, view: View) -> Iterator[Planted]:
    found = there(view, relation.what)
    if found is not None:
        yield Planted("sent twice", again_at(view, found))


@planted.register
def _(relation: order.Changes, view: View) -> Iterator[Planted]:
    found = there(view, relation.what)
    if found is not None:
        yield Planted("sent twice", again_at(view, found))


@planted.register
def _(relation: order.Beside, view: View) -> Iterator[Planted]:
    for found in scan_of(view).at(relation.what):
        if not any(found_at(found[1], each, "") for each in relation.others):
            yield Planted("the same item beside it", again_at(view, found))


@planted.register
def _(relation: order.Rises, view: View) -> Iterator[Planted]:
    if there(view, relation.unless) is not None:
        return
    reached: dict[str, Any] = {}
    for root, value, pointer in scan_of(view).at(relation.what):
        key = str(_by((root, value, pointer), relation.by))
        for number, where in found_at(value, relation.of, pointer):
            if relation.dense and is_number(number):
                yield Planted("left out", ((root, put(where, number + 2)),))
            if key in reached and is_number(number):
                if not relation.flat:
                    yield Planted("repeated", ((root, put(where, reached[key])),))
                yield Planted("lower", ((root, put(where, reached[key] - 1)),))
            reached[key] = number


def _pairs(view: View, before: str, after: str, by: str) -> Iterator[tuple[Sided, Sided]]:
    """A step and the next one of another kind that belongs to it."""
    for one in scan_of(view).at(before):
        for two in scan_of(view).at(after):
            if number_of(two[2]) > number_of(one[2]) and _by(one, by) == _by(two, by):
                yield one, two
                return


def _by(found: Sided, by: str) -> Sequence[str]:
    return [text_of(each) for where in by.split(" ") if where for each, _ in found_at(found[1], where, "")]


def number_of(pointer: str) -> int:
    return item_of(pointer)[1]


def _swap(one: Sided, two: Sided) -> Edits:
    (first, number), (second, other_number) = item_of(one[2]), item_of(two[2])
    if first != second or number == other_number:
        return ()
    return ((one[0], Edit("swap", f"{first}/{number}", f"{second}/{other_number}")),)


def _dropped(view: View, written: str, *, after: int = -1) -> Edits:
    """All steps at a pattern after a number, dropped; the last one first, so that the numbers of the others stay."""
    found = (each for each in scan_of(view).at(written) if order.position(each[2]) > after)
    steps = {(root, *item_of(pointer)) for root, _, pointer in found}
    latest_first = sorted(steps, key=lambda each: each[2], reverse=True)
    return tuple((root, Edit("drop", f"{holder}/{number}")) for root, holder, number in latest_first)
