"""What a client does under each behaviour of the server: one row of a table for each run of the client."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from conformance.model.behaviour import Behaviour
from conformance.model.printable import count, short
from conformance.model.registry import all_dialects
from conformance.reference.behaviours import all_behaviours
from conformance.report.sessions import ClientRun, Record, evidence_lines, stopped

Reaction = Literal["handled", "failed honestly", "silently wrong", "not exercised"]
_ENDED = ("complete", "handled")


@dataclass(frozen=True, slots=True)
class Row:
    """What the client did under one behaviour."""

    behaviour: str
    summary: str
    verdict: Reaction
    detail: str
    evidence: Sequence[Record] = ()

    def __str__(self) -> str:
        return f"{self.behaviour}: {self.verdict}{f' ({short(self.detail)})' if self.detail else ''}"


def behaviours_for(sessions: Sequence[Record]) -> list[Behaviour]:
    """The behaviours that the conversations' dialects and modes can show."""
    played = [each for session in sessions for each in session["conversations"]]
    modes = {(each["dialect"], each["streamed"]) for each in played}
    dialects = all_dialects()
    return [
        each
        for each in all_behaviours().values()
        if any(each.concerns(dialects[name]) and each.streamed in (None, streamed) for name, streamed in modes)
    ]


def row_of(behaviour: Behaviour, sessions: Sequence[Record], usual: Sequence[Record], client: ClientRun) -> Row:
    """The row of a run; `usual` are the sessions of the run without a behaviour."""
    verdict, detail = _verdict(sessions, usual, client)
    return Row(behaviour.name, behaviour.summary, verdict, detail, _evidence(sessions, verdict))


def _evidence(sessions: Sequence[Record], verdict: Reaction) -> list[Record]:
    """What shows that a run went wrong silently."""
    if verdict != "silently wrong":
        return []
    played = [each for session in sessions for each in session["conversations"]]
    return [each for holder in (*played, *sessions) for each in holder["evidence"]]


def _verdict(sessions: Sequence[Record], usual: Sequence[Record], client: ClientRun) -> tuple[Reaction, str]:
    played = [each for session in sessions for each in session["conversations"]]
    wrong = [text for each in played if each["outcome"] == "silently wrong" for text in _why(each)]
    wrong += [text for session in sessions for text in session["wrong"]]
    if wrong:
        return "silently wrong", "; ".join(dict.fromkeys(wrong))
    if client.failed:
        if not any(each["faulted"] for each in played):
            return "not exercised", f"the client failed before: {client.error or client.exit_code}"
        return (
            "failed honestly",
            "it had not ended at the time limit" if client.timed_out else client.error or f"exit {client.exit_code}",
        )
    if not any(each["faulted"] for each in played):
        return "not exercised", ""
    fewer = _ended(usual) - _ended(sessions)
    if fewer > 0:
        return "silently wrong", f"{count(fewer, 'conversation')} not finished, and no error"
    retries = sum(each["retries"] for each in played)
    return "handled", f"after {retries} {'retry' if retries == 1 else 'retries'}" if retries else ""


def _why(each: Record) -> list[str]:
    return each["wrong"] or [stopped(each)]


def _ended(sessions: Sequence[Record]) -> int:
    return sum(each["outcome"] in _ENDED for session in sessions for each in session["conversations"])


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The rows as text, and their sums."""
    width = max((len(row.behaviour) for row in rows), default=0)
    for row in rows:
        yield f"{row.behaviour:<{width}}  {row.verdict:<15}  {short(row.detail)}".rstrip()
        yield from evidence_lines(row.evidence, "    ")
    sums = [f"{sum(row.verdict == name for row in rows)} {name}" for name in dict.fromkeys(row.verdict for row in rows)]
    yield f"{count(len(rows), 'behaviour')}: {', '.join(sums)}"


def rows_as_json(rows: Sequence[Row]) -> list[Record]:
    """The member `faults` of the JSON report."""
    return [
        {
            "behaviour": row.behaviour,
            "summary": row.summary,
            "verdict": row.verdict,
            "detail": short(row.detail),
            "evidence": list(row.evidence),
        }
        for row in rows
    ]
