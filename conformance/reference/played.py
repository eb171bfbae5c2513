"""One conversation of a client with the reference server: how far it came, and what the client did with each turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from conformance.judge.pairing import pair
from conformance.model import jsontext
from conformance.model.finding import Finding, Severity
from conformance.model.transcript import ToolCall, ToolResult, Turn
from conformance.reference.evidence import Evidence, Wire, sent_back
from conformance.reference.names import is_name_of
from conformance.reference.results import is_failure

_TOOK_A_PART = "took a part of the last answer for all of it"
Outcome = Literal["complete", "handled", "failed honestly", "silently wrong", "unfinished"]


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that got an error which the scenario does not script, or that belongs to none."""

    exchange: int
    status: int
    message: str


@dataclass(slots=True)
class Sent:
    """One turn as the server sent it.

    `cut` is whether the client did not get all of it; `whole` is how many of its calls arrived whole, None for all:
    the token limit may cut the last one off, too. `wire` is its answer, until it is known that nothing is wrong with
    it; `changed` is whether a behaviour changed that.
    """

    turn: Turn | None
    status: int
    cut: bool = False
    whole: int | None = None
    wire: Wire | None = None
    changed: bool = False

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls that arrived whole."""
        calls = self.turn.calls if self.turn is not None else ()
        return calls if self.whole is None else calls[: self.whole]

    @property
    def broken(self) -> tuple[ToolCall, ...]:
        """The calls that did not."""
        return self.turn.calls[len(self.calls) :] if self.turn is not None else ()


@dataclass(slots=True, eq=False)
class Played:
    """A conversation. `reached` is how many turns of the script were answered, of `turns`.

    `wrong` is what the client did without an error: it lost a call, ran one twice, or ran one that was cut off.
    """

    number: int
    scenario: str
    part: int
    dialect: str
    streamed: bool
    turns: int
    reached: int = 0
    requests: int = 0
    retries: int = 0
    connection: str = ""
    finished: bool = False
    scripted_error: bool = False
    faulted: bool = False
    refused: list[Refused] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    sent: dict[int, Sent] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.scenario} {self.number}"

    @property
    def errors(self) -> int:
        """How many findings of severity error the requests have."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def clean(self) -> bool:
        """Whether there is nothing to report of it but that it was played."""
        return self.finished and not (self.findings or self.notes or self.wrong or self.refused)

    @property
    def interrupted(self) -> bool:
        """Whether the client got less than all of the last turn."""
        last = self.sent.get(self.reached - 1)
        return last is not None and last.cut

    def called(self, tool: str) -> bool:
        """Whether it was sent a call of a tool."""
        turns = (sent.turn for sent in self.sent.values() if sent.turn is not None)
        return any(is_name_of(call.name, tool) for turn in turns for call in turn.calls)

    def note(self, text: str) -> None:
        """Keeps a note, once."""
        if text not in self.notes and len(self.notes) < 50:
            self.notes.append(text)

    def accuse(self, text: str, evidence: Evidence) -> None:
        """Keeps what the client did wrong without an error, once."""
        if text not in self.wrong and len(self.wrong) < 50:
            self.wrong.append(text)
            self.evidence.append(evidence)

    def settle(self, position: int) -> None:
        """Drops the answers before a turn that have shown nothing wrong, and will show nothing any more."""
        for number, sent in self.sent.items():
            if number < position and not sent.changed:
                sent.wire = None

    def where(self, exit_code: int | None = None) -> Evidence:
        """The evidence that the client stopped too early; its last answer is what it had to go on with."""
        last = max(self.sent, default=None)
        wire = self.sent[last].wire if last is not None else None
        ended = "" if exit_code is None else f"; the client exited with {exit_code}"
        return Evidence(
            _TOOK_A_PART if self.reached >= self.turns else "stopped without an error",
            None if last is None else last + 1,
            wire.lines() if wire is not None else (),
            wire.missing() if wire is not None else (),
            (),
            f"no request came after turn {self.reached} of {self.turns}{ended}",
        )

    def outcome(self, exit_code: int | None = None) -> Outcome:
        """What the client made of the conversation; `exit_code` is that of its process, if it has ended.

        A client that stops early without an error has silently done something wrong.
        """
        if self.wrong:
            return "silently wrong"
        whole = self.finished and not self.interrupted
        if whole and not self.faulted:
            return "complete"
        if whole:
            return "handled"
        if exit_code is None or not (self.faulted or self.scripted_error):
            return "unfinished"
        return "failed honestly" if exit_code else "silently wrong"


def observe(played: Played, position: int, history: Sequence[Turn], body: Any = None) -> None:
    """Compares what the client sends back with the turns that it got.

    `history` begins after the opening; `body` is the request that has it.
    """
    groups = _model_turns(history)
    for number in range(max(0, position - 1), position):
        sent = played.sent.get(number)
        if sent is not None and sent.turn is not None and number < len(groups):
            echoed, following = groups[number]
            for found in _differences(sent, sent.turn, echoed, following):
                played.accuse(f"{found.what} (turn {number + 1})", _evidence(played, number, sent, found, body))
            if sent.turn.calls and not echoed.calls and not following.results:
                played.note("the client sends its history as text: its calls and results cannot be compared")


def _model_turns(history: Sequence[Turn]) -> list[tuple[Turn, Turn]]:
    """The model's turns, neighbouring ones joined, each with the results after it."""
    found: list[tuple[Turn, Turn]] = []
    before: str | None = None
    for turn in history:
        if turn.role == "assistant" and before == "assistant":
            found[-1] = (Turn("assistant", (*found[-1][0].parts, *turn.parts)), found[-1][1])
        elif turn.role == "assistant":
            found.append((turn, Turn("tool", ())))
        elif found:
            found[-1] = (found[-1][0], Turn("tool", (*found[-1][1].parts, *turn.results)))
        before = turn.role
    return found


@dataclass(frozen=True, slots=True)
class _Found:
    """Something that the client did with a turn: with these calls as they were sent, and these parts as it has them."""

    what: str
    sent: Sequence[ToolCall]
    had: Sequence[ToolCall | ToolResult]


def _evidence(played: Played, number: int, sent: Sent, found: _Found, body: Any) -> Evidence:
    words = [call.id or call.name for call in found.sent]
    return Evidence(
        found.what,
        number + 1,
        sent.wire.lines(*words) if sent.wire is not None else (),
        sent.wire.missing() if sent.wire is not None and sent.changed else (),
        sent_back(body, (each.pointer for each in found.had)),
        f"it went on with request {played.requests} of the conversation, which has it so",
    )


def _differences(sent: Sent, turn: Turn, echoed: Turn, following: Turn) -> list[_Found]:
    if not echoed.calls and not following.results:
        if sent.cut and echoed.text and not turn.calls:
            return [_Found("took an answer that was cut off for the whole one", (), ())]
        return []
    found: list[_Found] = []
    if sent.broken:
        answered = pair(turn.calls, following.results)
        ran = [each for each in answered.pairs if each[0] in sent.broken and not is_failure(each[1])]
        found += [_Found(f"ran {call.name}, a call that was cut off", (call,), (result,)) for call, result in ran]
    if sent.cut and not found and len(echoed.calls) < len(turn.calls):
        what = f"took {len(echoed.calls)} of {len(turn.calls)} calls for all of them"
        found.append(_Found(what, (), echoed.calls))
    if sent.cut or sent.broken:
        return found
    pairs, lost = _paired(turn.calls, echoed.calls)
    numbers = f"{len(turn.calls)} calls were sent, {len(echoed.calls)} come back"
    if lost:
        found.append(_Found(f"lost {_names(lost) or 'a call'}: {numbers}", lost, echoed.calls))
    elif len(echoed.calls) > len(turn.calls):
        what = f"made {len(echoed.calls)} calls out of {len(turn.calls)}"
        found.append(_Found(what, turn.calls, echoed.calls))
    for call, back in pairs:
        found += _arguments(call, back)
    answered = pair(echoed.calls, following.results)
    twice = (call for call, _ in answered.repeated)
    found += [_Found(f"sent two results of {call.name}: it ran twice", (call,), following.results) for call in twice]
    return found


def _paired(
    sent: Sequence[ToolCall], echoed: Sequence[ToolCall]
) -> tuple[list[tuple[ToolCall, ToolCall]], list[ToolCall]]:
    """Each call with what came back of it, and those of which nothing did.

    The ids decide; then the same name and arguments, as a client may leave ids out or make its own; then the order.
    """
    left, back = list(sent), list(echoed)
    pairs: list[tuple[ToolCall, ToolCall]] = []
    for fits in (_same_id, _same_call, lambda _one, _other: True):
        for call in tuple(left):
            found = next((each for each in back if fits(call, each)), None)
            if found is not None:
                pairs.append((call, found))
                left.remove(call)
                back.remove(found)
    return pairs, left


def _same_id(one: ToolCall, other: ToolCall) -> bool:
    return one.id is not None and one.id == other.id


def _same_call(one: ToolCall, other: ToolCall) -> bool:
    return one.name == other.name and jsontext.same(one.arguments, other.arguments)


def _arguments(call: ToolCall, back: ToolCall) -> list[_Found]:
    if isinstance(call.arguments, dict) and isinstance(back.arguments, str):
        return [_Found(f"took a string for the arguments of {call.name}", (call,), (back,))]
    if not isinstance(call.arguments, dict) or jsontext.same(call.arguments, back.arguments):
        return []
    if call.kind != "function":
        return []
    came = jsontext.brief(getattr(back.arguments, "text", back.arguments))
    what = f"changed the arguments of {call.name}: sent {jsontext.brief(call.arguments)}, came back as {came}"
    return [_Found(what, (call,), (back,))]


def _names(calls: Sequence[ToolCall]) -> str:
    return ", ".join(str(call.name) for call in calls)
