"""Which rows can find something in an exchange: the words that their places need, against the words of its bodies.

Most rows are about what few exchanges have. They are found by an index, not tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from conformance.judge.relations.places import Key, Place, Test
from conformance.judge.relations.scan import messages_of
from conformance.judge.view import View
from conformance.model.frozen import dataclass
from conformance.model.transcript import Malformed

Words = Mapping[str, set[str]]
"""By root: the names of members, as `/tools`, and the values of those that distinguish objects, as `=function`."""
Needs = tuple[frozenset[str], ...]
"""Groups of words: of each, a body has at least one if it has something at a place."""
_KINDS = ("type", "role", "method")
_POSITIONS = ("*", "@", "first", "last")
_SHALLOW = ("event", "client", "server")
"""The roots of which there may be many: their words are those of the outermost members."""


def needs(place: Place) -> Needs:
    """What a body needs to have something at a place."""
    found: list[frozenset[str]] = []
    for step in place.steps:
        if isinstance(step, Key):
            if step.name in _POSITIONS:
                if place.root in _SHALLOW:
                    break
                continue
            found.append(frozenset(f"/{name}" for name in (step.name, *step.others)))
        elif isinstance(step, Test) and not step.absent:
            shown = step.path[:1] if place.root in _SHALLOW else step.path
            found += [frozenset((f"/{name}",)) for name in shown]
            if step.values and shown == step.path and step.path[-1:] and step.path[-1] in _KINDS:
                found.append(frozenset(f"={value}" for value in step.values))
        if place.root in _SHALLOW:
            break
    return tuple(found) if place.root not in ("events", "header") else ()


@dataclass(slots=True)
class Index:
    """The rows of a plan, by a word that one of their places needs, and the places of each."""

    others: list[int] = field(default_factory=list)
    rows: dict[str, dict[str, set[int]]] = field(default_factory=dict)
    places: dict[int, list[tuple[str, Needs]]] = field(default_factory=dict)

    @classmethod
    def of(cls, found: Iterable[Sequence[Place] | None]) -> Index:
        """The index of rules by their places; those without places are no rows, and always asked."""
        index = cls()
        for number, places in enumerate(found):
            if places is None:
                index.others.append(number)
            for place in places or ():
                groups = needs(place)
                index.places.setdefault(number, []).append((place.root, groups))
                # the last word is the rarest: that of what distinguishes an object, or of the innermost member
                for word in groups[-1] if groups else ("",):
                    index.rows.setdefault(place.root, {}).setdefault(word, set()).add(number)
        return index

    def possible(self, words: Words) -> list[int]:
        """The numbers of the rules to ask, in their order."""
        found: set[int] = set()
        for root, there in words.items():
            rows = self.rows.get(root)
            if rows is not None:
                found.update(*(rows[word] for word in rows.keys() & there))
        rows_there = (each for each in found if self._may_find(each, words))
        return sorted([*self.others, *rows_there])

    def _may_find(self, number: int, words: Words) -> bool:
        return any(
            root in words and not any(group.isdisjoint(words[root]) for group in groups)
            for root, groups in self.places[number]
        )


def words_of(view: View) -> Words | None:
    """The words of an exchange; None if a body is no object: then every row is asked."""
    bodies = _bodies(view)
    if not all(isinstance(body, dict) for body in bodies.values()):
        return None
    found = {root: _request_words(view) if root == "request" else _words(body) for root, body in bodies.items()}
    if view.endpoint is not None:
        return found
    found["header"] = {""}
    if view.events is not None:
        found["events"] = {""}
        found["event"] = _outermost(event.json for event in view.events)
    for side in ("client", "server"):
        if messages := messages_of(view, side):
            found[side] = _outermost(message for message, _ in messages)
    return found


def _bodies(view: View) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if view.endpoint is None and view.exchange.request.body.note is None and not isinstance(view.request, Malformed):
        found["request"] = view.request
    read = view.ok and view.events is None and view.exchange.response.body.note is None
    if read and not isinstance(view.response, Malformed):
        found["response" if view.endpoint is None else "beside"] = view.response
    return found


def _request_words(view: View) -> set[str]:
    """The words of a request: those of the part that it repeats are the words of the earlier one."""
    if _request_words not in view.found:
        history, repeated = view.dialect.readers.history, view.repeated
        known = None if repeated is None else repeated.earlier.found.get(_request_words)
        if known is None or history is None or repeated is None:
            view.found[_request_words] = _words(view.request)
        else:
            view.found[_request_words] = known | _words(view.request[history.key][repeated.items :])
    found: set[str] = view.found[_request_words]
    return found


def _words(value: Any) -> set[str]:
    names: set[str] = set()
    found = {""}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            names.update(each)
            found.update(f"={each[kind]}" for kind in _KINDS if isinstance(each.get(kind), str))
            waiting += [inner for inner in each.values() if isinstance(inner, (dict, list))]
        else:
            waiting += [inner for inner in each if isinstance(inner, (dict, list))]
    found.update(f"/{name}" for name in names)
    return found


def _outermost(bodies: Iterable[Any]) -> set[str]:
    objects = [each for each in bodies if isinstance(each, dict)]
    found = {f"/{name}" for name in set().union(*objects)}
    for kind in _KINDS:
        if f"/{kind}" in found:
            found |= {f"={value}" for value in {each.get(kind) for each in objects if isinstance(each.get(kind), str)}}
    return found | {""}
