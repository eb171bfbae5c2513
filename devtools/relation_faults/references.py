"""The ways to break references: in an exchange, in a run, in a session."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.relations import identity, sessions
from conformance.judge.relations.places import Key, Test, places, select, text_of
from conformance.judge.relations.scan import Sided, scan_of
from conformance.judge.view import View
from devtools.relation_faults.growth import (
    grown,
    other,
)
from devtools.relation_faults.planting import (
    Edits,
    Planted,
    again_at,
    grown_at,
    planted,
    put_at,
    rooted,
    roots_of,
    there,
)

_FAR = 10**9
"""A number that no sender who counts has come to."""


@planted.register
def _(relation: identity.Refers, view: View) -> Iterator[Planted]:
    scan = scan_of(view)
    if relation.given and there(view, relation.given) is None:
        return
    closed = not relation.open and there(view, relation.unless) is None
    found = list(scan.at(relation.what))
    for each in found:
        known_one = relation.to.of(view, each[1]) is not None
        if not known_one and not relation.open:
            continue
        if closed:
            yield Planted("dangling", put_at(each, other(each[1]), relation.what))
        if known_one:
            yield from _of_another_type(each, relation.what)
        for kind in (each for each in relation.others if each != relation.to):
            for before in (view, *reversed(view.earlier if kind.within == "run" else ())):
                for known, _, _ in [*kind.known(before).values()][:1]:
                    if relation.to.of(view, known) is not None:
                        continue  # the run shows it as both
                    yield Planted(f"the {kind.name}", put_at(each, known, relation.what))
            if not known_one and kind.within == "exchange" and not kind.of(view, each[1]):
                yield Planted(f"made the {kind.name}", _made(view, kind, each))
    if closed and not found:
        yield from grown_at("added", view, relation.what)


def _made(view: View, kind: identity.Identity, reference: Sided) -> Edits:
    """Makes what a reference leads to another kind of identity, by the tests in the pattern of that kind."""
    for place in places(kind.made):
        keys = tuple(each for each in place.steps if isinstance(each, Key))
        tests = [each for each in place.steps if isinstance(each, Test)]
        for body, at in roots_of(view, place):
            holders = {pointer: each for each, pointer in select(body, keys[:-1], at)}
            for found, pointer in select(body, keys, at):
                holder = pointer.rpartition("/")[0]
                if (
                    found == reference[1]
                    and pointer != reference[2]
                    and (edits := grown(holders[holder], tests, holder))
                ):
                    return rooted(place.root, edits)
    return ()


def _of_another_type(found: Sided, written: str) -> Iterator[Planted]:
    value = found[1]
    if isinstance(value, int) and not isinstance(value, bool):
        yield Planted("another type", put_at(found, str(value), written))
    elif isinstance(value, str) and value.isdecimal() and str(int(value)) == value:
        yield Planted("another type", put_at(found, int(value), written))


@planted.register
def _(relation: identity.Answered, view: View) -> Iterator[Planted]:
    made = relation.what.known(view)
    if there(view, relation.unless) is None:
        found = [each for each in scan_of(view).at(relation.by) if text_of(each[1]) in made]
        for key in dict.fromkeys(text_of(each[1]) for each in found):
            answers = [each for each in found if text_of(each[1]) == key]
            yield Planted("unanswered", tuple(edit for each in answers for edit in put_at(each, other(each[1]))))


@planted.register
def _(relation: identity.Pending, view: View) -> Iterator[Planted]:
    named = there(view, relation.at)
    continued = (each for each in reversed(view.earlier) if named and text_of(named[1]) in relation.link.known(each))
    for before in [*continued][:1]:
        left = relation.left.known(before)
        for each in scan_of(view).at(relation.by):
            if text_of(each[1]) in left:
                yield Planted("unanswered", put_at(each, other(each[1])))


@planted.register
def _(relation: identity.Returned, view: View) -> Iterator[Planted]:
    left = {} if view.continues is None else relation.left.known(view.earlier[view.continues.earlier])
    found = [each for each in scan_of(view).at(relation.by) if text_of(each[1]) in left]
    yield Planted("not sent back", tuple(edit for each in found for edit in put_at(each, other(each[1]))))


@planted.register
def _(relation: identity.Once, view: View) -> Iterator[Planted]:
    found = [each for each in scan_of(view).at(relation.what) if each[1] not in (None, "")]
    if len(found) > 1:
        yield Planted("doubled", put_at(found[1], found[0][1]))
    elif found and "/first" not in relation.what:  # what is first stays the first
        yield Planted("its item doubled", again_at(view, found[0]))
    if relation.within == "run":
        for before in view.earlier[-1:]:
            for _, value, _ in [*scan_of(before).at(relation.what)][:1]:
                yield from (Planted("used before", put_at(each, value)) for each in found[:1])


@planted.register
def _(relation: sessions.RefersInSession, view: View) -> Iterator[Planted]:
    for found in scan_of(view).at(relation.what):
        if relation.to.of(view, found[1]) is None:
            continue
        if relation.since is None or relation.since.known(view):
            counts = relation.counted and isinstance(found[1], int)
            yield Planted("dangling", put_at(found, _FAR if counts else other(found[1])))
        yield from _of_another_type(found, relation.what)
        for kind in (each for each in relation.others if each != relation.to):
            for known in kind.known(view)[:1]:
                yield Planted(f"the {kind.name}", put_at(found, known))


@planted.register
def _(relation: sessions.OnceInSession, view: View) -> Iterator[Planted]:
    found = [each for each in scan_of(view).at(relation.what) if isinstance(each[1], (str, int))]
    if len(found) > 1:
        yield Planted("doubled", put_at(found[1], found[0][1]))
    before, _ = sessions.Introduced("value", relation.what).before(view)
    for _, value, _, _ in [*before.values()][:1]:
        yield from (Planted("used before", put_at(each, value)) for each in found[:1])


@planted.register
def _(relation: sessions.Ended, view: View) -> Iterator[Planted]:
    before, _ = relation.ended.before(view)
    for _, value, _, _ in [*before.values()][:1]:
        for found in [*scan_of(view).at(relation.what)][:1]:
            yield Planted("one that ended", put_at(found, value))
