"""Which rows can find something in an exchange: the words that their places need, against the words of its bodies.

Most rows are about what few exchanges have. They are found by an index, not tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from conformance.judge.relations.places import POSITIONS, Key, Place, Root, places
from conformance.judge.relations.scan import messages_of
from conformance.judge.view import View
from conformance.model.transcript import Malformed

Words = AbstractSet[str]
"""The roots that have a body, the names of its members, as `request/tools`, and the values of those that distinguish
objects, as `request=function`."""
Groups = Sequence[frozenset[str]]
"""Groups of words: of each, a body has at least one if it has something at a place."""
_KINDS = ("type", "role", "method")
_SIDES: Final[tuple[Root, ...]] = ("client", "server")
_SHALLOW = ("event", *_SIDES)
"""The roots of which there may be many: their words are those of the outermost members."""


def _groups(place: Place) -> Groups:
    """What bodies need to have something at a place. The last group is the rarest: of what distinguishes an object."""
    found: list[frozenset[str]] = [frozenset((place.root,))]
    for step in place.steps if place.root not in ("events", "header") else ():
        if isinstance(step, Key):
            if step.name in POSITIONS:
                if place.root in _SHALLOW:
                    break
                continue
            found.append(frozenset(f"{place.root}/{name}" for name in (step.name, *step.others)))
        elif not step.absent:
            shown = step.path[:1] if place.root in _SHALLOW else step.path
            found += [frozenset((f"{place.root}/{name}",)) for name in shown]
            if step.values and shown == step.path and step.path[-1:] and step.path[-1] in _KINDS:
                found.append(frozenset(f"{place.root}={value}" for value in step.values))
        if place.root in _SHALLOW:
            break
    return found


class Needed:
    """What bodies need to have something at a place of each of some patterns; `rarest`: a group for each of the first.

    `words` are all needed, and one of each of the `groups`; of the `others`, each for a pattern with several places, so
    much for one place.
    """

    def __init__(self, begins: Sequence[str]) -> None:
        every = [[_groups(place) for place in places(each)] for each in begins]
        single = [group for pattern in every if len(pattern) == 1 for group in pattern[0]]
        self.words = frozenset(word for group in single if len(group) == 1 for word in group)
        self.groups = [group for group in single if len(group) > 1]
        self.others = [pattern for pattern in every if len(pattern) > 1]
        self.rarest = frozenset().union(*(groups[-1] for groups in every[0]))

    def may_be_in(self, words: Words) -> bool:
        """Whether there may be something at a place of each pattern."""
        if not self.words <= words or (self.groups and any(map(words.isdisjoint, self.groups))):
            return False
        return not any(all(any(map(words.isdisjoint, groups)) for groups in pattern) for pattern in self.others)


class Index:
    """The relations of a plan by a word that each needs: the numbers of a rule, and of a relation of that row."""

    def __init__(self, found: Iterable[Sequence[Needed] | None]) -> None:
        """What the relations of each rule need; those of None are no rows, and always asked."""
        self._others: list[int] = []
        self._by_word: dict[str, dict[tuple[int, int], Needed]] = {}
        for number, relations in enumerate(found):
            if relations is None:
                self._others.append(number)
            for each, needed in enumerate(relations or ()):
                for word in needed.rarest:
                    self._by_word.setdefault(word, {})[number, each] = needed

    def possible(self, words: Words) -> Iterator[tuple[int, Sequence[int]]]:
        """The numbers of the rules to ask, in their order, each with those of its relations."""
        found: dict[int, set[int]] = {}
        for word in self._by_word.keys() & words:
            for (number, each), needed in self._by_word[word].items():
                if needed.may_be_in(words):
                    found.setdefault(number, set()).add(each)
        return ((number, sorted(found.get(number, ()))) for number in sorted([*self._others, *found]))


def words_of(view: View) -> Words | None:
    """The words of an exchange; None if every row is asked: that is quicker, or what the view is for."""
    if words_of not in view.found:
        whole = view.reuses and not view.exchange.lacks and not hasattr(view, "reads_more")
        view.found[words_of] = _words_of(view) if whole else None
    found: Words | None = view.found[words_of]
    return found


def _words_of(view: View) -> Words | None:
    bodies = _bodies(view)
    if not all(isinstance(body, dict) for body in bodies.values()):
        return None
    found: set[str] = set()
    for root, body in bodies.items():
        found |= _request_words(view) if root == "request" else _words(body, root)
    if view.endpoint is not None:
        return found
    found.add("header")
    if view.events is not None:
        found.add("events")
        found |= _outermost((event.json for event in view.events), "event")
    for side in _SIDES:
        if messages := messages_of(view, side):
            found |= _outermost((message for message, _ in messages), side)
    return found


def _bodies(view: View) -> dict[Root, Any]:
    found: dict[Root, Any] = {}
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
            view.found[_request_words] = _words(view.request, "request")
        else:
            view.found[_request_words] = known | _words(view.request[history.key][repeated.items :], "request")
    found: set[str] = view.found[_request_words]
    return found


def _words(value: Any, root: Root) -> set[str]:
    names: set[str] = set()
    found: set[str] = {root}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            names.update(each)
            for kind in _KINDS:
                if isinstance(word := each.get(kind), str):
                    found.add(f"{root}={word}")
            waiting += [inner for inner in each.values() if isinstance(inner, (dict, list))]
        else:
            waiting += [inner for inner in each if isinstance(inner, (dict, list))]
    found.update(f"{root}/{name}" for name in names)
    return found


def _outermost(bodies: Iterable[Any], root: Root) -> set[str]:
    objects = [each for each in bodies if isinstance(each, dict)]
    names = set[str]().union(*objects)
    kinds = {
        f"{root}={each[kind]}"
        for kind in names.intersection(_KINDS)
        for each in objects
        if isinstance(each.get(kind), str)
    }
    return {root, *(f"{root}/{name}" for name in names), *kinds}
