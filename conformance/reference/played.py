"""One conversation of a client with the reference server: how far it came, and what the client did with each turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from conformance.judge.pairing import pair
from conformance.model import jsontext
from conformance.model.finding import Finding, Severity
from conformance.model.transcript import ToolCall, Turn
from conformance.reference.results import is_failure

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
    the token limit may cut the last one off, too.
    """

    turn: Turn | None
    status: int
    cut: bool = False
    whole: int | None = None

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

    def note(self, text: str) -> None:
        """Keeps a note, once."""
        if text not in self.notes and len(self.notes) < 50:
            self.notes.append(text)

    def accuse(self, text: str) -> None:
        """Keeps what the client did wrong without an error, once."""
        if text not in self.wrong and len(self.wrong) < 50:
            self.wrong.append(text)

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


def observe(played: Played, position: int, history: Sequence[Turn]) -> None:
    """Compares what the client sends back with the turns that it got. `history` begins after the opening."""
    groups = _model_turns(history)
    for number in range(max(0, position - 1), position):
        sent = played.sent.get(number)
        if sent is not None and sent.turn is not None and number < len(groups):
            echoed, following = groups[number]
            for text in _differences(sent, sent.turn, echoed, following):
                played.accuse(f"{text} (turn {number + 1})")
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


def _differences(sent: Sent, turn: Turn, echoed: Turn, following: Turn) -> list[str]:
    if not echoed.calls and not following.results:
        if sent.cut and echoed.text and not turn.calls:
            return ["took an answer that was cut off for the whole one"]
        return []
    found: list[str] = []
    if sent.broken:
        answered = pair(turn.calls, following.results)
        ran = [call for call, result in answered.pairs if call in sent.broken and not is_failure(result)]
        found += [f"ran {call.name}, a call that was cut off" for call in ran]
    if sent.cut and not found and len(echoed.calls) < len(turn.calls):
        found.append(f"took {len(echoed.calls)} of {len(turn.calls)} calls for all of them")
    if sent.cut or sent.broken:
        return found
    by_id = {call.id: call for call in echoed.calls if call.id}
    known = all(call.id in by_id for call in turn.calls)
    if len(echoed.calls) < len(turn.calls):
        lost = [call for call in turn.calls if call.id not in by_id] if by_id else list(turn.calls[len(echoed.calls) :])
        found.append(
            f"lost {_names(lost) or 'a call'}: {len(turn.calls)} calls were sent, {len(echoed.calls)} come back"
        )
    elif len(echoed.calls) > len(turn.calls):
        found.append(f"made {len(echoed.calls)} calls out of {len(turn.calls)}")
    pairs = (
        [(call, by_id[call.id or ""]) for call in turn.calls]
        if known
        else list(zip(turn.calls, echoed.calls, strict=False))
    )
    for call, back in pairs:
        found += _arguments(call, back)
    answered = pair(echoed.calls, following.results)
    found += [f"sent two results of {call.name}: it ran twice" for call, _ in answered.repeated]
    return found


def _arguments(call: ToolCall, back: ToolCall) -> list[str]:
    if isinstance(call.arguments, dict) and isinstance(back.arguments, str):
        return [f"took a string for the arguments of {call.name}"]
    if not isinstance(call.arguments, dict) or jsontext.same(call.arguments, back.arguments):
        return []
    if call.kind != "function":
        return []
    came = jsontext.brief(getattr(back.arguments, "text", back.arguments))
    return [f"changed the arguments of {call.name}: sent {jsontext.brief(call.arguments)}, came back as {came}"]


def _names(calls: Sequence[ToolCall]) -> str:
    return ", ".join(str(call.name) for call in calls)
