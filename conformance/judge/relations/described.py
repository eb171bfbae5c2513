"""Patterns in the words of a finding: `` `/tools/*` of the request with `type: function` ``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from conformance.contract.relations import snake_case
from conformance.contract.wording import subject
from conformance.judge.relations.places import Key, Place, Root, Step, Test, in_body, places, side_of
from conformance.model.pointer import join

_MOST = 3
"""So many alternatives are named."""
_HOLDERS: dict[Root, str] = {
    "request": "the request",
    "response": "the answer",
    "event": "an event",
    "events": "the stream",
    "header": "the header",
    "client": "a message of the client",
    "server": "a message of the server",
    "exchange": "the exchange",
}
_POSITIONS = {"*": "an item", "@": "a name", "first": "the first item", "last": "the last item"}
_EVENT = re.compile(r"event/\d+")
_REPLIES = ("response", "event", "events")
"""The roots of what one reply has, streamed or not."""


def found_at(root: str, pointer: str) -> str:
    """Where something was found; nothing for a whole body or message."""
    if root == "exchange":
        root, inner = in_body(pointer)
        pointer = inner if pointer.startswith(("/sent", "/reply", "/events")) else pointer
    return f"`{pointer}` of the {side_of(root)}" if pointer else ""


def names_of(path: Iterable[Step], *, many: bool = False) -> str:
    """The names of a path within a value, with dots between them; its end in words, if that is a position.

    `many`: what is at the path is named together: `` the items of `x` ``.
    """
    words = {**_POSITIONS, "*": "the items"} if many else _POSITIONS
    steps = list(path)
    found = " and ".join(_shown(each) for each in steps if isinstance(each, Test) and each.values and not each.absent)
    return either(_named(names, words) for names in _spellings(steps)) + (f" with {found}" if found else "")


def _named(names: tuple[str, ...], positions: Mapping[str, str]) -> str:
    end = next((number for number, each in enumerate(names[:-1], 1) if each in ("first", "last")), None)
    if end is not None:
        return f"{_named(names[end:], positions)} of {_named(names[:end], positions)}"
    *holder, last = names or ("",)
    holder = [each for each in holder if each not in positions]
    if last not in positions:
        return f"`{'.'.join((*holder, last))}`" if names else ""
    return f"{positions[last]} of `{'.'.join(holder)}`" if holder else positions[last]


@cache
def described(pattern: str, root: str = "") -> str:
    """The places of a pattern. Of a reply only those in the kind of the `root`, streamed or whole: whole if unknown."""
    found = places(pattern)
    kind = root if root in _REPLIES else "response"
    if any(each.root == kind for each in found):
        found = tuple(each for each in found if each.root == kind or each.root not in _REPLIES)
    return either(words for each in found for words in _words(each))


def either(words: Iterable[str]) -> str:
    """Alternatives, each once, the first few of them."""
    alternatives = list(dict.fromkeys(words))
    shown = alternatives[:_MOST] if len(alternatives) <= _MOST else [*alternatives[: _MOST - 1], "others"]
    *most, last = shown
    return f"{', '.join(most)} or {last}" if most else last


@cache
def demanded(pattern: str, root: str) -> str:
    """What must hold of a value that no place of a pattern may have: `` not be `gif` where `type` is `image` ``."""
    found = (each for each in places(pattern) if each.root == root)
    return either(_demand(each, names) for each in found for names in _spellings(each.steps))


def _demand(place: Place, names: tuple[str, ...]) -> str:
    tests = _tests(place, names)
    own = [test for test in tests if test.values and test.path in ((), names[-1:])]
    if len(own) == 1:
        tests.remove(own[0])
        demand = f"{'' if own[0].absent else 'not '}be {_alternatives(own[0])}"
    else:
        demand = "be absent"
    return f"{demand} where {' and '.join(map(_tested, tests))}" if tests else demand


def subject_of(pointer: str) -> str:
    """The name of a place in a message about it."""
    return "this event" if _EVENT.fullmatch(pointer) else subject(pointer)


def _words(place: Place) -> Iterator[str]:
    holder = _HOLDERS[place.root]
    for names in _spellings(place.steps):
        tests = _tests(place, names)
        if len(names) == 1 and any(test.path == names and test.values for test in tests):
            names = ()  # noqa: PLW2901 - what is tested says what it is
        found = " and ".join(map(_shown, tests))
        if not names:
            article = holder.startswith(("a ", "an "))
            yield (f"{holder} with {found}" if article else f"{found} in {holder}") if tests else holder
        elif tests and not tests[-1].path and tests[-1].values and not tests[-1].absent:
            *others, last = tests
            where = f" where {' and '.join(map(_tested, others))}" if others else ""
            yield f"{_alternatives(last)} in `{join('', *names)}` of {holder}{where}"
        else:
            yield f"`{join('', *names)}` of {holder}{f' with {found}' if tests else ''}"


def _tests(place: Place, names: Sequence[str]) -> list[Test]:
    return [step for step in place.steps if isinstance(step, Test) and not _is_there(step, names)]


def _spellings(path: Iterable[Step]) -> Iterator[tuple[str, ...]]:
    """The names of the members on a path, with each of those that one may have; in camel case, of two spellings."""
    keys = [(step.name, *step.others) for step in path if isinstance(step, Key)]
    snakes = [{snake_case(each) for each in names if each != snake_case(each)} for names in keys]
    yield from product(
        *([each for each in names if each not in snake] for names, snake in zip(keys, snakes, strict=True))
    )


def _is_there(test: Test, names: Sequence[str]) -> bool:
    """Whether the place itself states what is tested: that something is there."""
    return not test.values and not test.absent and (not test.path or test.path[-1] in names)


def _tested(test: Test) -> str:
    name = f"`{'.'.join(test.path)}`" if test.path else "it"
    if not test.values:
        return f"{name} is {'absent' if test.absent else 'set'}"
    return f"{name} is {'not ' if test.absent else ''}{_alternatives(test)}"


def _shown(test: Test) -> str:
    """A member as it is written: `` `stream: true` ``."""
    name = ".".join(test.path)
    if not test.values:
        return f"{'no ' if test.absent else ''}`{name}`"
    if test.absent or "" in test.values:
        return f"{f'`{name}`' if name else 'what'} that is {'not ' if test.absent else ''}{_alternatives(test)}"
    return either(f"`{name}: {each}`" for each in test.values)


def _alternatives(test: Test) -> str:
    return either(f"`{each}`" if each else "empty" for each in test.values)
