"""The side at fault: a fault of a reply that a client only sends back unchanged is the server's finding.

A request repeats earlier replies. If a rule reports a part there that equals the part that the server sent, the
finding is moved to that reply. What the client itself did (it left a call without a result, changed one, sent
results in another order) stays a finding of the request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from conformance.judge.continuation import spelled
from conformance.judge.echoed_calls import pairs_of
from conformance.judge.relations.places import Key
from conformance.judge.relations.rows import rows
from conformance.judge.rule import Rule, rules_of
from conformance.judge.rule_ids import defect_of
from conformance.judge.view import Received, View
from conformance.model.finding import Finding, Tally
from conformance.model.jsontext import same
from conformance.model.pointer import MISSING, get
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall, ToolResult, Turn, Unknown

_CLIENTS = frozenset({"unanswered", "orphaned", "changed", "dropped"})
"""Defects that only the client can cause: what it adds to a reply, or leaves out of it."""
_OF_ORDER = frozenset({"misplaced", "out-of-order", "duplicate", "repeated", "reused", "too-many", "unexpected"})
"""Defects of several parts together: the server's only if it sent them all like this."""
_REMEMBERED = 256
"""The number of exchanges of a run whose replies' findings are remembered."""


class Blame:
    """Assigns the findings of one run to replies."""

    def __init__(self) -> None:
        self._reported: dict[int, _Reported] = {}

    def sort(self, findings: Iterable[Finding], view: View) -> tuple[list[Finding], list[Finding]]:
        """The findings of one exchange: its own, and those that belong to earlier replies and are new there."""
        own: list[Finding] = []
        moved: list[Finding] = []
        for finding in findings:
            theirs = _theirs(finding, view) if finding.side == "request" and view.received else None
            if theirs is None:
                own.append(finding)
                continue
            reported = self._reported.setdefault(theirs.exchange or 0, _Reported())
            known = reported.like(theirs)
            if known is None and _reads_elsewhere(finding):
                own.append(finding)
            elif known is None:
                reported.add(theirs)
                moved.append(theirs)
            else:
                known.tally.again(None)
        replied = [each for each in own if each.side == "response"]
        if replied:
            reported = self._reported.setdefault(view.number, _Reported())
            for each in replied:
                reported.add(each)
        while len(self._reported) > _REMEMBERED:
            del self._reported[min(self._reported)]
        return own, moved


def _reads_elsewhere(finding: Finding) -> bool:
    """Whether a finding of a request may be due to what is beside its history, such as tools that it no longer has."""
    row = rows().get(finding.rule)
    history = (finding.pointer or "").split("/")[1]
    places = [place for each in (row.relations if row else ()) for place in each.places if place.root == "request"]
    return any(place.steps and place.steps[0] != Key(history) for place in places)


class _Reported:
    """The findings of one reply, by what a later finding has in common with them."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str | None, str | None], int] = {}
        self._findings: list[Finding] = []

    def add(self, finding: Finding) -> None:
        for key in _common(finding):
            self._numbers.setdefault(key, len(self._findings))
        self._findings.append(finding)

    def like(self, late: Finding) -> Finding | None:
        """The first one with the same rule or the same defect at the same place."""
        numbers = [self._numbers[key] for key in _common(late) if key in self._numbers]
        return self._findings[min(numbers)] if numbers else None


def _common(finding: Finding) -> tuple[tuple[str, str | None, str | None], ...]:
    return ("rule", finding.rule, finding.pointer), ("defect", defect_of(finding.rule), finding.pointer)


def _theirs(finding: Finding, view: View) -> Finding | None:
    """The finding at the reply that contained the part; None if it is the client's."""
    rule, pointer = rules_of(view.dialect.name).get(finding.rule), finding.pointer
    defect = defect_of(finding.rule)
    if pointer is None or defect in _CLIENTS or (rule is not None and rule.scope == "conversation"):
        return None
    found = _place(pointer, view)
    if found is None:
        return None
    received = found.received
    twin = _twin(found, view)
    if twin is None or (defect in _OF_ORDER and not _all_alike(found, view)):
        return None
    there = _unchanged(rule, pointer, found, twin, view.request)
    if there is None:
        return None
    return replace(
        finding,
        message=f"{finding.message}, and a request sends it back",
        side="response",
        pointer=there,
        exchange=received.number,
        source=received.exchange.source,
        id=received.exchange.id,
        conversation=received.exchange.conversation,
        traffic=received.exchange,
        tally=Tally(),
    )


class _Echo(NamedTuple):
    """A part of the history, its turn, and the reply that it is from."""

    part: Part
    turn: Turn
    received: Received


def _place(pointer: str, view: View) -> _Echo | None:
    """The part of the history around a place, if it came in a reply."""
    parts = _received_parts(view)
    steps = pointer.split("/")
    around = [echo for end in range(len(steps), 0, -1) for echo in parts.get("/".join(steps[:end]), ())]
    return around[0] if len(around) == 1 else None  # in a prompt, which is one text, all parts have one place


def _received_parts(view: View) -> dict[str, list[_Echo]]:
    """By their places, the parts of the history that came in replies."""
    if _received_parts not in view.found:
        found: dict[str, list[_Echo]] = {}
        for number, received in view.received.items():
            turn = view.history[number]
            for part in turn.parts:
                found.setdefault(part.pointer, []).append(_Echo(part, turn, received))
        view.found[_received_parts] = found
    indexed: dict[str, list[_Echo]] = view.found[_received_parts]
    return indexed


def _twin(echo: _Echo, view: View) -> Part | None:
    """The part of the reply that a part of the history repeats."""
    turn, reply = echo.turn, echo.received.turn
    kind = ToolCall if isinstance(echo.part, ToolCall) else type(echo.part)
    key = (_twin, id(turn), id(reply), kind)
    if key not in view.found:
        view.found[key] = {id(sent): call for call, sent in _twins(turn, reply, kind)}
    twins: dict[int, Part] = view.found[key]
    return twins.get(id(echo.part))


def _twins(turn: Turn, reply: Turn, kind: type[Part]) -> Iterable[tuple[Part, Part]]:
    """The parts of one kind: each of the reply, and that of the turn which repeats it."""
    if kind is ToolCall:
        return pairs_of(_calls(reply), _calls(turn))
    here, there = ([each for each in each_turn.parts if type(each) is kind] for each_turn in (turn, reply))
    return zip(there, here, strict=True) if len(here) == len(there) else ()


def _calls(turn: Turn) -> Sequence[ToolCall]:
    """All calls, including those of server tools."""
    return [part for part in turn.parts if isinstance(part, ToolCall)]


def _unchanged(rule: Rule | None, pointer: str, echo: _Echo, twin: Part, request: Any) -> str | None:
    """The place of the same part in the reply; None if the client sends something else.

    Rules of the neutral transcript read a part as a whole. Those of a dialect, and its contract (`rule` is None then),
    read its fields: those of a reply in one piece are compared as they are on the wire; those of a stream, as
    they were assembled. What is next to the place, such as a signature, belongs to the part.
    """
    rest, body = pointer.removeprefix(echo.part.pointer), echo.received.body
    if not rest and not _alike(echo.part, twin):
        return None
    if not rest and rule is not None and (rule.opt_in or not rule.dialects):
        return twin.pointer
    value = get(request, pointer)
    if value is MISSING:
        return None
    if body is not None:
        there = f"{twin.pointer}{rest}"
        return there if same(get(body, there), value) else None
    return twin.pointer if any(each is not None and same(each, value) for each in _values(twin, rest)) else None


_TEXT = "/arguments"
"""The member that is JSON in a text, where a dialect's stream has it as pieces of that text."""


def _values(part: Part, rest: str) -> Iterator[Any]:
    """The values of a part that was assembled from a stream, for a place in it."""
    if isinstance(part, ToolCall):
        yield from (part.id, part.name, part.wire, part.signature)
        if not isinstance(part.arguments, Malformed) and not (part.wire is not None and rest.endswith(_TEXT)):
            yield part.arguments
    elif isinstance(part, Text):
        yield part.text
    elif isinstance(part, Reasoning):
        yield from (part.text, part.signature)


def _all_alike(echo: _Echo, view: View) -> bool:
    turn, reply = echo.turn, echo.received.turn
    key = (_all_alike, id(turn), id(reply))
    if key not in view.found:
        view.found[key] = len(turn.parts) == len(reply.parts) and all(map(_alike, turn.parts, reply.parts))
    return bool(view.found[key])


def _alike(one: Part, other: Part) -> bool:
    """Whether two parts are equal, apart from their places."""
    if isinstance(one, ToolCall) and isinstance(other, ToolCall):
        first, second = ((each.id, each.name, each.kind, spelled(each.signature or "")) for each in (one, other))
        return first == second and _same_arguments(one, other)
    if isinstance(one, ToolResult) and isinstance(other, ToolResult):
        return one.call_id == other.call_id and bool(same(one.content, other.content))
    if isinstance(one, Unknown) and isinstance(other, Unknown):
        return one.kind == other.kind and bool(same(one.value, other.value))
    return replace(one, pointer="") == replace(other, pointer="")


def _same_arguments(one: ToolCall, other: ToolCall) -> bool:
    if isinstance(one.arguments, Malformed) or isinstance(other.arguments, Malformed):
        return one.wire == other.wire
    return bool(same(one.arguments, other.arguments))
