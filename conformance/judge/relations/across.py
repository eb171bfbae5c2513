"""Relations between places of one exchange: in the request, in the reply, or between the two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conformance.judge.relations.forms import Form
from conformance.judge.relations.places import Place, places
from conformance.judge.relations.rows import Relation, Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief, same


@dataclass(frozen=True, slots=True, init=False)
class Within:
    """Each value at the places has relations between its fields."""

    at: str
    forms: tuple[Form, ...]

    def __init__(self, at: str, *forms: Form) -> None:
        object.__setattr__(self, "at", at)
        object.__setattr__(self, "forms", forms)

    @property
    def places(self) -> Sequence[Place]:
        return places(self.at)

    def words(self) -> str:
        return f"In `{self.at}`, {'; '.join(each.words() for each in self.forms)}."

    def hits(self, view: View) -> Iterator[Sided]:
        for root, value, pointer in scan_of(view).at(self.at):
            for form in self.forms:
                for hit in form.hits(value, pointer):
                    yield root, hit


@dataclass(frozen=True, slots=True, init=False)
class Every:
    """Several relations hold: those of one rule."""

    relations: tuple[Relation, ...]

    def __init__(self, *relations: Relation) -> None:
        object.__setattr__(self, "relations", relations)

    @property
    def places(self) -> Sequence[Place]:
        return [place for each in self.relations for place in each.places]

    def words(self) -> str:
        return " ".join(each.words() for each in self.relations)

    def hits(self, view: View) -> Iterator[Sided]:
        for each in self.relations:
            yield from each.hits(view)


@dataclass(frozen=True, slots=True)
class Requires:
    """What is at the places needs something at others, anywhere in the exchange; `unless` something is elsewhere."""

    what: str
    needed: str
    unless: str = ""

    @property
    def places(self) -> Sequence[Place]:
        return (*places(self.what), *places(self.needed), *(places(self.unless) if self.unless else ()))

    def words(self) -> str:
        return f"`{self.what}` must come only with `{self.needed}`."

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        found = scan.first(self.what)
        if found is None or scan.first(self.needed) is not None:
            return
        if self.unless and scan.first(self.unless) is not None:
            return
        root, value, pointer = found
        yield root, Hit(pointer, f"this needs `{self.needed}`, which is absent", self.needed, brief(value))


@dataclass(frozen=True, slots=True)
class Forbids:
    """Where there is something at `other`, there is nothing at the places `what`, which are at fault."""

    what: str
    other: str

    @property
    def places(self) -> Sequence[Place]:
        return (*places(self.what), *places(self.other))

    def words(self) -> str:
        return f"`{self.what}` must not come with `{self.other}`."

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        against = scan.first(self.other)
        if against is None:
            return
        for root, value, pointer in scan.at(self.what):
            message = f"this excludes `{against[2] or self.other}` of the {_side(against[0])}"
            yield root, Hit(pointer, message, "one of the two", brief(value))


@dataclass(frozen=True, slots=True)
class Echoes:
    """Every value at the places repeats the first value at `of`."""

    what: str
    of: str

    @property
    def places(self) -> Sequence[Place]:
        return (*places(self.what), *places(self.of))

    def words(self) -> str:
        return f"`{self.what}` must repeat `{self.of}`."

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        wanted = scan.first(self.of)
        if wanted is None or wanted[1] is None:
            return
        for root, value, pointer in scan.at(self.what):
            if value is None or isinstance(value, dict) is not isinstance(wanted[1], dict):
                continue
            if not same(value, wanted[1]):
                message = f"this differs from `{wanted[2]}` of the {_side(wanted[0])}, which it repeats"
                yield root, Hit(pointer, message, brief(wanted[1]), brief(value))


@dataclass(frozen=True, slots=True)
class Bounded:
    """Every number, and the length of every array and text, at the places is at most the number at `by`."""

    what: str
    by: str

    @property
    def places(self) -> Sequence[Place]:
        return (*places(self.what), *places(self.by))

    def words(self) -> str:
        return f"`{self.what}` must be at most `{self.by}`."

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        limit = scan.first(self.by)
        most = None if limit is None else limit[1]
        if not isinstance(most, (int, float)) or isinstance(most, bool):
            return
        for root, value, pointer in scan.at(self.what):
            found = len(value) if isinstance(value, (list, str)) else value
            if isinstance(found, (int, float)) and not isinstance(found, bool) and found > most:
                message = f"{found:g} is more than `{self.by}` allows"
                yield root, Hit(pointer, message, f"at most {most:g}", f"{found:g}")


@dataclass(frozen=True, slots=True)
class AtMost:
    """There are at most so many values at all the places together."""

    number: int
    what: str

    @property
    def places(self) -> Sequence[Place]:
        return places(self.what)

    def words(self) -> str:
        return f"There must be at most {self.number} of `{self.what}`."

    def hits(self, view: View) -> Iterator[Sided]:
        found = list(scan_of(view).at(self.what))
        if len(found) > self.number:
            root, _, pointer = found[self.number]
            yield root, Hit(pointer, f"there are {len(found)} of these", f"at most {self.number}", str(len(found)))


def _side(root: str) -> str:
    return "request" if root == "request" else "response"
