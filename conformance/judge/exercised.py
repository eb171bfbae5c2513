"""How often each rule was exercised: in how many exchanges it had something to judge.

The judge counts shapes of exchanges (`ExchangeShape`), which is cheap; the rules that apply to one are looked up once,
for the report. A rule in Python applies where its scope and its subject are; a rule of a contract where the body is
that it is about, with the member of that body that contains its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from conformance.contract.listing import field_names
from conformance.judge.contracted import contracts_of
from conformance.judge.rule import Rule, Scope, rules_for
from conformance.judge.subjects import SUBJECTS
from conformance.judge.view import View
from conformance.model.finding import Side

Exercised = dict[str, dict[Side, dict[str, int]]]
"""By dialect, side and rule: the number of exchanges in which the rule had something to judge."""

_MANY = 4_096
"""How many shapes are counted apart; the rules of contracts are not counted in further ones."""
_FIRST, _LAST = 16, 8
"""How many events of a stream are looked at for members of its contract."""
_ASKED: frozenset[Scope] = frozenset({"request", "conversation"})
_BODIES: Mapping[str, Scope] = {"request": "request", "reply": "response", "chunk": "stream", "error": "failure"}
"""The contracts of a dialect, each with the scope in which it checks a body."""


class ExchangeShape(NamedTuple):
    """The shape of an exchange, as far as it decides which rules apply. It consists of plain values.

    `absent` has a bit for each subject that is missing. `asked` and `answered` are the members of the two bodies that
    contract rules are about, None if the source does not have the bodies as they were sent. `unread` are the rules
    that need a request, if the source has none.
    """

    dialect: str
    scopes: tuple[Scope, ...]
    complete: bool
    absent: int
    asked: tuple[str, ...] | None
    answered: tuple[str, ...] | None
    unread: tuple[str, ...]

    @classmethod
    def from_json(cls, value: Sequence[Any]) -> ExchangeShape:
        """The shape that was written as an array."""
        dialect, scopes, complete, absent, asked, answered, unread = value
        asked, answered = (each if each is None else tuple(each) for each in (asked, answered))
        return cls(dialect, tuple(scopes), complete, absent, asked, answered, tuple(unread))

    @property
    def of_request(self) -> ExchangeShape:
        """The same without the answer, for a server that judges only what its clients send."""
        scopes = tuple(scope for scope in self.scopes if scope in _ASKED)
        return self._replace(scopes=scopes, answered=())


def count_shape(
    counts: dict[ExchangeShape, int],
    view: View,
    scopes: tuple[Scope, ...],
    present: Mapping[Callable[[View], object], bool],
    unread: Sequence[str] = (),
) -> None:
    """Counts a judged exchange. `present` names the subjects that it has."""
    absent, bits = 0, _bits()
    for subject, there in present.items():
        if not there:
            absent |= bits[subject]
    asked: tuple[str, ...] | None = None
    answered: tuple[str, ...] | None = None
    if "members" not in view.exchange.lacks and len(counts) < _MANY:
        asked = _members(view.dialect.name, "request", view.request) if "request" in scopes else ()
        answered = _answered(view, scopes)
    key = ExchangeShape(view.dialect.name, scopes, view.complete, absent, asked, answered, tuple(unread))
    counts[key] = counts.get(key, 0) + 1


def _answered(view: View, scopes: tuple[Scope, ...]) -> tuple[str, ...]:
    if "stream" in scopes:
        events = view.events or ()
        some = events if len(events) <= _FIRST + _LAST else (*events[:_FIRST], *events[-_LAST:])
        found: set[str] = set()
        for event in some:
            if isinstance(event.json, dict):
                found.update(event.json)
        return _deciding(view.dialect.name, "stream", tuple(sorted(found)))
    for scope in ("response", "failure"):
        if scope in scopes:
            return _members(view.dialect.name, scope, view.response)
    return ()


def _members(dialect: str, scope: str, body: Any) -> tuple[str, ...]:
    return _deciding(dialect, scope, tuple(body)) if isinstance(body, dict) else ()


@lru_cache(maxsize=1_024)
def _deciding(dialect: str, scope: str, members: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the members that may decide whether a rule of the contract applies."""
    return tuple(sorted(_wanted(dialect)[scope].intersection(members)))


def rules_exercised(counts: Mapping[ExchangeShape, int]) -> Exercised:
    """How often each rule was exercised, sorted by name."""
    found: Exercised = {}
    for shape, number in counts.items():
        counted = found.setdefault(shape.dialect, {"request": {}, "response": {}})
        for side, rule in _applying(shape):
            counted[side][rule] = counted[side].get(rule, 0) + number
    return {
        dialect: {side: dict(sorted(rules.items())) for side, rules in sides.items()}
        for dialect, sides in sorted(found.items())
    }


def _applying(shape: ExchangeShape) -> Iterator[tuple[Side, str]]:
    rules = rules_for(shape.dialect)
    for scope in shape.scopes:
        for rule in rules.get(scope, ()):
            bit = _bits()[SUBJECTS[rule.about]] if rule.about else 0
            if rule.id not in shape.unread and not shape.absent & bit and shape.complete >= rule.needs_complete:
                for side in _sides(rule, scope):
                    yield side, rule.id
    for (rule_id, scope), members in _of_contract(shape.dialect).items():
        here = shape.asked if scope == "request" else shape.answered
        if scope in shape.scopes and here is not None and ("" in members or not members.isdisjoint(here)):
            yield "request" if scope == "request" else "response", rule_id


def _sides(rule: Rule, scope: Scope) -> Iterable[Side]:
    """The sides that a rule judges: that of its scope; of the whole exchange its own `side`, or both."""
    if scope != "exchange":
        return ("request",) if scope in _ASKED else ("response",)
    return ("request", "response") if rule.side is None else (rule.side,)


@cache
def _bits() -> Mapping[Callable[[View], object], int]:
    """A bit for each subject."""
    return {subject: 1 << number for number, subject in enumerate(SUBJECTS.values())}


@cache
def _wanted(dialect: str) -> Mapping[str, frozenset[str]]:
    """By scope, the members of a body that may decide whether a rule of the contract applies: those of its rows."""
    contracts = contracts_of(dialect)
    apart = contracts is not None and contracts.asked is not None
    bodies = {scope: getattr(contracts, name, None) for name, scope in _BODIES.items()}
    return {
        scope: frozenset() if contract is None or apart else field_names(contract.node)
        for scope, contract in bodies.items()
    }


@cache
def _of_contract(dialect: str) -> Mapping[tuple[str, Scope], frozenset[str]]:
    """The rules of a contract, each with a scope and the members of that body it is about; `""` is the body itself."""
    contracts = contracts_of(dialect)
    apart = contracts is not None and contracts.asked is not None
    found: dict[tuple[str, Scope], set[str]] = {}
    for name, scope in _BODIES.items():
        contract = getattr(contracts, name, None)
        for entry in contract.entries("member") if contract is not None else ():
            # A missing value is reported at its own place, and judged wherever its object is.
            place = entry.path.rpartition("/")[0] if entry.kind == "missing" else entry.path
            member = place.split("/")[1] if place else ""
            found.setdefault((entry.rule or "", scope), set()).add("" if apart or member == "*" else member)
    return {key: frozenset(there) for key, there in found.items()}
