"""Which finding of an exchange follows from another one: one event is broken once, whatever rules it breaks.

A finding is explained by another one on its side, at most as severe as that one:

- by a pair of rules of `specs/consequences.yaml`, if one place contains the other;
- by what their defects and places say (`_WAYS`): what is at or in a value that cannot be read, has another type, has an
  unknown name or must not be there; what is missing because it was sent in another place, what comes again because of
  that; calls in a stream of which a piece belongs to none that was started; what an object of unknown kind lacks; a sum
  of counts one of which does not include its part; a call whose result names another one; what follows from an end that
  came too early. Not by a pair that the file calls `independent`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from conformance.model.data_files import load_data
from conformance.model.finding import Finding, Severity

_Related = Callable[[Finding, Finding], bool]
_LOST = frozenset({"missing", "unclosed", "incomplete", "unanswered"})
_DONE_WITHOUT = frozenset({"missing", "empty", "ignored", "mismatch"})
_OF_CLIENT = frozenset({"client-error-unexpected", "client-reading-mismatch"})
"""What a client makes of a reply."""
_LAST_MEMBER, _QUOTED, _WORD = re.compile(r"/([A-Za-z_]\w*)[/\d]*\Z"), re.compile(r"`(\w+)`"), re.compile(r"\w+")
_MOST = 16
"""How many findings at one place may explain others: each is compared with all of these."""
_KINDS = frozenset({"type", "role"})
"""Members that decide which other members their object has."""
_ROOTS = ("malformed", "wrong-type", "unknown", "unexpected")
"""Defects of a whole value, the gravest first: whatever is said of the same value, or of what is in it, follows."""


def explained(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings of one exchange, each with the rule of the one that explains it."""
    if len(findings) < 2:
        yield from findings
        return
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    roots = _index(findings)
    for finding in findings:
        named = (each for rule in _causes().get(finding.rule, ()) for each in by_rule.get(rule, ()))
        cause = next((each for each in named if _meets(each, finding)), None) or _root_of(finding, roots)
        yield finding if cause is None else replace(finding, because=cause.rule)


def explained_in_run(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings of one run of a client that is not under test, as `explained`.

    What the client makes of a reply (an error, another reading, the next request) follows from the gravest finding in
    the replies before; of those, from one whose member it names, or the last.
    """
    replies = [
        (each.exchange, each)
        for each in findings
        if each.exchange is not None and each.side == "response" and each.rule not in _OF_CLIENT
        if each.because is None and each.severity > Severity.INFO
    ]
    for finding in findings:
        last = _reply_before(finding) if finding.because is None else -1
        causes = [(each.severity, _is_named(each, finding), number, each) for number, each in replies if number <= last]
        cause = max(causes, key=lambda each: each[:-1])[-1] if causes else None
        yield finding if cause is None else replace(finding, because=cause.rule)


def _is_named(cause: Finding, effect: Finding) -> bool:
    """Whether the effect names the member at which the cause is, or that it quotes: a client's error often does."""
    names = [*_LAST_MEMBER.findall(cause.pointer or ""), *_QUOTED.findall(cause.message)]
    return not set(names).isdisjoint(_WORD.findall(effect.message))


def _reply_before(finding: Finding) -> float:
    """The number of the last reply that a finding about the client can follow from; -1 for any other finding."""
    if finding.rule in _OF_CLIENT:
        return math.inf if finding.exchange is None else finding.exchange
    return (finding.exchange or 0) - 1 if finding.side == "request" else -1


def _index(findings: Iterable[Finding]) -> Mapping[str, Sequence[Finding]]:
    """The findings that may explain others, under the places at which these may be, and a few under the same one."""
    found: dict[str, list[Finding]] = {}
    for each in findings:
        for place in _places_of(each.defect or "", each.pointer or ""):
            if len(there := found.setdefault(place, [])) < _MOST:
                there.append(each)
    return found


def _places_of(defect: str, at: str) -> Sequence[str]:
    """The places around its effects under which a root is found."""
    holder, _, name = at.rpartition("/")
    match defect:
        case "leaked":
            return _around(at)
        case "misplaced":
            return holder, name, *(("event",) if at.startswith("event/") else ())
        case "out-of-range":
            return (holder.rpartition("/")[0],)
        case "orphaned":
            return (_list_of(at),)
        case "truncated":
            return ("",)
        case _ if defect in _WAYS:
            return (at, holder) if name in _KINDS else (at,)
    return ()


def _root_of(effect: Finding, roots: Mapping[str, Sequence[Finding]]) -> Finding | None:
    places = [*reversed(_around(effect.pointer or "")), *(effect.rule.split("-") if effect.defect == "missing" else ())]
    return next((each for place in places for each in roots.get(place, ()) if _explains(each, effect)), None)


def _around(place: str) -> list[str]:
    """The place and all that it lies in, from the whole body on."""
    tokens = place.split("/")
    return list(dict.fromkeys(("", *("/".join(tokens[: end + 1]) for end in range(len(tokens))))))


def _explains(root: Finding, effect: Finding) -> bool:
    if root is effect or root.rule == effect.rule or root.side != effect.side or root.severity < effect.severity:
        return False
    if (root.rule, effect.rule) in _independent():
        return False
    return any(
        (effects is None or effect.defect in effects) and related(root, effect)
        for related, effects in _WAYS[root.defect or ""]
    )


def _is_in(place: str | None, around: str | None) -> bool:
    """Whether a place is another one, or lies in it."""
    return not around or place == around or (place or "").startswith(f"{around}/")


def _of_value(root: Finding, effect: Finding) -> bool:
    """Whether the effect is about the value of the root, or about what is in it."""
    if (root.pointer or "") != (effect.pointer or ""):
        return _is_in(effect.pointer, root.pointer)
    rank = {defect: number for number, defect in enumerate(_ROOTS)}
    return rank[root.defect or ""] < rank.get(effect.defect or "", len(_ROOTS))


def _at_place(root: Finding, effect: Finding) -> bool:
    return root.pointer == effect.pointer


def _in_place(root: Finding, effect: Finding) -> bool:
    """Whether the root is at or in the place of the effect."""
    return bool(effect.pointer) and _is_in(root.pointer, effect.pointer)


def _of_member(root: Finding, effect: Finding) -> bool:
    """Whether the effect is about the object of the member at the root's place, or about that member elsewhere."""
    holder, _, name = (root.pointer or "").rpartition("/")
    inner = "/" in holder.removeprefix("event/")
    return (inner and effect.pointer == holder) or name in effect.rule.split("-")


def _in_event(root: Finding, effect: Finding) -> bool:
    """Whether both are about one event: it has what belongs in another, and repeats the one where it is."""
    return _event(root) is not None and _event(root) == _event(effect)


def _of_start(root: Finding, effect: Finding) -> bool:
    """Whether the root is a piece of a stream whose start is missing: its call lacks the rest, another the piece."""
    if "start" not in root.rule.split("-") or _event(root) is None:
        return False
    return _event(effect) is not None if effect.defect == "malformed" else _event(effect) == _event(root)


def _of_kind(root: Finding, effect: Finding) -> bool:
    """Whether the root is the kind of an object, and the effect about that object."""
    holder, _, name = (root.pointer or "").rpartition("/")
    return name in _KINDS and bool(holder) and _is_in(effect.pointer, holder)


def _of_sum(root: Finding, effect: Finding) -> bool:
    """Whether the effect is a count of an object, and the root is within another member of that object."""
    holder = (root.pointer or "").rpartition("/")[0].rpartition("/")[0]
    return bool(holder) and (effect.pointer or "").rpartition("/")[0] == holder


def _of_list(root: Finding, effect: Finding) -> bool:
    return _list_of(root.pointer or "") == _list_of(effect.pointer or "")


def _list_of(place: str) -> str:
    """The member of the body that a place is in: the messages of a history."""
    return "/".join(place.split("/")[:2])


def _to_the_end(root: Finding, effect: Finding) -> bool:
    """Whether the effect is about the whole answer, or about what comes where it breaks off."""
    ended, event = _event(root), _event(effect)
    return event is None or (ended is not None and event >= ended)


def _event(finding: Finding) -> int | None:
    kind, _, rest = (finding.pointer or "").partition("/")
    number = rest.partition("/")[0]
    return int(number) if kind == "event" and number.isdecimal() else None


_WAYS: Mapping[str, Sequence[tuple[_Related, frozenset[str] | None]]] = {
    **dict.fromkeys(_ROOTS, ((_of_value, None), (_of_kind, frozenset({"missing"})))),
    "misplaced": (
        (_of_member, frozenset({"missing"})),
        (_in_event, frozenset({"repeated"})),
        (_of_start, frozenset({"malformed", "missing"})),
    ),
    "out-of-range": ((_of_sum, frozenset({"wrong"})),),
    "orphaned": ((_of_list, frozenset({"unanswered"})),),
    "empty": ((_at_place, _DONE_WITHOUT - {"empty"}),),
    "leaked": ((_in_place, _DONE_WITHOUT),),
    "truncated": ((_to_the_end, _LOST),),
}
"""For the defect of a root: how its effects are related to it, and which defects they have, None for any."""


def _meets(cause: Finding, effect: Finding) -> bool:
    """Whether two findings are related: on one side, one place contains the other, or one has no place."""
    return cause.side == effect.side and (
        _is_in(cause.pointer, effect.pointer) or _is_in(effect.pointer, cause.pointer)
    )


@cache
def _independent() -> frozenset[tuple[str, str]]:
    """The pairs of rules of which the second says nothing about what the first is about."""
    return frozenset((first, second) for first, second in load_data("consequences.yaml")["independent"])


@cache
def _causes() -> Mapping[str, tuple[str, ...]]:
    """For each rule, the rules whose findings explain its own (`specs/consequences.yaml`)."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in load_data("consequences.yaml")["reasons"]:
        cause, effect = entry["rules"]
        found[effect] = (*found.get(effect, ()), cause)
    return found
