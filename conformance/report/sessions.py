"""The sessions of a reference server as plain records: what the reports and the live page show of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.cassette.redact import shown
from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, cut
from conformance.reference.played import Played, Refused
from conformance.reference.session import Session

Keeps = Callable[[Finding], bool]
Record = dict[str, Any]


@dataclass(slots=True)
class ClientRun:
    """One run of a client program: its command, its exit code, and the last line that it wrote to standard error."""

    command: tuple[str, ...]
    exit_code: int | None = None
    error: str | None = None
    timed_out: bool = False

    @property
    def failed(self) -> bool:
        return self.exit_code != 0

    def as_json(self) -> Record:
        """The member `client` of the JSON report."""
        error = None if self.error is None else shown(cut(self.error))
        return {"command": [shown(each) for each in self.command], "exit_code": self.exit_code, "error": error}


@dataclass(slots=True)
class Verdict:
    """What a run of `serve` comes to: `wrong` are the reasons for which it fails, `told` is what else to say."""

    wrong: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


def records(sessions: Iterable[Session], keeps: Keeps = lambda _: True, exit_code: int | None = None) -> list[Record]:
    """The member `sessions` of the JSON report."""
    return [_session(each, keeps, exit_code) for each in sessions]


def _session(session: Session, keeps: Keeps, exit_code: int | None) -> Record:
    return {
        "name": shown(session.name),
        "client": None if session.client is None else shown(cut(session.client)),
        "requests": session.requests,
        "others": session.others,
        "conversations": [_conversation(each, keeps, exit_code) for each in session.played],
        "dropped": session.dropped,
        "refused": [_refused(each) for each in session.loose],
        "tool_runs": [shown(each.tool) for each in session.runs],
        "wrong": [shown(each) for each in session.tool_faults()],
    }


def _conversation(played: Played, keeps: Keeps, exit_code: int | None) -> Record:
    kept = [finding for finding in played.findings if keeps(finding)]
    return {
        "scenario": played.scenario,
        "number": played.number,
        "dialect": played.dialect,
        "streamed": played.streamed,
        "turn": played.reached,
        "turns": played.turns,
        "requests": played.requests,
        "retries": played.retries,
        "outcome": played.outcome(exit_code),
        "faulted": played.faulted,
        "errors": sum(finding.severity is Severity.ERROR for finding in kept),
        "warnings": sum(finding.severity is Severity.WARNING for finding in kept),
        "rules": list(dict.fromkeys(finding.rule for finding in kept if finding.severity > Severity.INFO)),
        "refused": [_refused(each) for each in played.refused],
        "notes": [shown(cut(each)) for each in played.notes],
        "wrong": [shown(cut(each)) for each in played.wrong],
    }


def _refused(refused: Refused) -> Record:
    return {"exchange": refused.exchange, "status": refused.status, "message": shown(cut(refused.message))}


def verdict_of(
    sessions: Sequence[Record],
    *,
    errors: int,
    warnings: int = 0,
    faulted: bool,
    client: ClientRun | None,
    scripted_error: bool,
) -> Verdict:
    """Whether the clients pass. Under a fault (`faulted`), it is enough that nothing went wrong silently."""
    made = Verdict()
    played = [(session, each) for session in sessions for each in session["conversations"]]
    if not any(session["requests"] for session in sessions):
        made.wrong.append("no request was sent")
    elif not played:
        made.wrong.append("no request began a scenario")
    silent = [_line(session, each) for session, each in played if each["outcome"] == "silently wrong"]
    made.wrong += silent
    made.wrong += [f"session {session['name']}: {text}" for session in sessions for text in session["wrong"]]
    if not faulted:
        made.wrong += [f"requests have {count(errors, 'finding')} of severity error"] if errors else []
        made.wrong += [f"requests have {count(warnings, 'finding')} of severity warning"] if warnings else []
        made.wrong += [_line(session, each) for session, each in played if each["outcome"] == "unfinished"]
        loose = sum(len(session["refused"]) for session in sessions)
        made.wrong += [f"{count(loose, 'request')} refused outside any conversation"] if loose else []
    if client is not None and client.failed:
        how = "ran too long" if client.timed_out else f"exited with {client.exit_code}"
        told = f"the client {how}{f': {shown(cut(client.error))}' if client.error else ''}"
        (made.told if faulted or scripted_error else made.wrong).append(told)
    return made


def _line(session: Record, each: Record) -> str:
    reached = f"turn {each['turn']} of {each['turns']}"
    why = "; ".join(each["wrong"]) or (each["refused"][-1]["message"] if each["refused"] else "")
    why = why or ("; ".join(each["notes"]) if each["outcome"] == "unfinished" else stopped(each))
    said = f": {why}" if why else ""
    name = f"{each['scenario']} {each['number']} ({each['dialect']}, session {session['name']})"
    return f"{name}: {each['outcome']} at {reached}{said}"


def stopped(each: Record) -> str:
    """What a client did that ended too early and without an error."""
    if each["turn"] >= each["turns"]:
        return "took a part of the last answer for all of it"
    return f"stopped at turn {each['turn']} of {each['turns']} without an error"


def lines(sessions: Sequence[Record]) -> Iterable[str]:
    """The sessions as text: one line for each conversation, then what was refused or not understood."""
    for session in sessions:
        client = f"  {session['client']}" if session["client"] else ""
        yield f"session {session['name']}{client}: {count(session['requests'], 'request')}"
        for each in session["conversations"]:
            yield f"  {_row(each)}"
            for name in ("wrong", "notes"):
                yield from (f"      {text}" for text in each[name])
            for refused in each["refused"]:
                yield f"      exchange {refused['exchange']} answered with {refused['status']}: {refused['message']}"
        for refused in session["refused"]:
            yield f"  request {refused['exchange']} answered with {refused['status']}: {refused['message']}"
        if session["dropped"]:
            yield f"  and {count(session['dropped'], 'earlier conversation')} without anything to tell"


def _row(each: Record) -> str:
    mode = "stream" if each["streamed"] else "sync"
    found = f"  {count(each['errors'], 'error')}, {count(each['warnings'], 'warning')}" if each["rules"] else ""
    retries = f"  {each['retries']} {'retry' if each['retries'] == 1 else 'retries'}" if each["retries"] else ""
    name = f"{each['scenario']} {each['number']}"
    return (
        f"{name:<28} {each['dialect']:<20} {mode:<7} turn {each['turn']} of {each['turns']}  {each['outcome']}"
        f"{retries}{found}"
    )
