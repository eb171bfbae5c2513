"""The sessions of a reference server as plain records: what the reports and the live page show of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.cassette.redact import shown
from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, cut, visible
from conformance.reference.evidence import Evidence
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
    """The verdict on a run of `serve`: it fails for the reasons in `wrong`; `notes` do not make it fail."""

    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def records(sessions: Iterable[Session], keeps: Keeps = lambda _: True, exit_code: int | None = None) -> list[Record]:
    """The member `sessions` of the JSON report."""
    return [_session(each, keeps, exit_code) for each in sessions]


def _session(session: Session, keeps: Keeps, exit_code: int | None) -> Record:
    faults = session.tool_faults()
    return {
        "name": shown(session.name),
        "client": None if session.client is None else shown(cut(session.client)),
        "requests": session.requests,
        "others": session.others,
        "conversations": [_conversation(session, each, keeps, exit_code) for each in session.played],
        "dropped": session.dropped,
        "refused": [_refused(each) for each in session.loose],
        "tool_runs": [shown(each.tool) for each in session.runs],
        "wrong": [shown(each.what) for each in faults],
        "evidence": [_evidence(session.evidence_of(each)) for each in faults],
    }


def _conversation(session: Session, played: Played, keeps: Keeps, exit_code: int | None) -> Record:
    """A conversation. One that is the reason for what only the runs of tools show is as wrong as they are."""
    outcome, evidence = played.outcome(exit_code), list(played.evidence)
    if outcome == "silently wrong" and not played.wrong:
        evidence.append(played.where(exit_code))
    wrong = list(played.wrong)
    if outcome in ("complete", "handled") and (faults := session.at_fault(played)):
        outcome, wrong = "silently wrong", [each.what for each in faults]
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
        "outcome": outcome,
        "faulted": played.faulted,
        "errors": sum(finding.severity is Severity.ERROR for finding in kept),
        "warnings": sum(finding.severity is Severity.WARNING for finding in kept),
        "rules": list(dict.fromkeys(finding.rule for finding in kept if finding.severity > Severity.INFO)),
        "refused": [_refused(each) for each in played.refused],
        "notes": [shown(cut(each)) for each in played.notes],
        "wrong": [shown(cut(each)) for each in wrong],
        "evidence": list(map(_evidence, evidence)),
    }


def _evidence(evidence: Evidence) -> Record:
    """Evidence without secrets."""
    return {
        name: [shown(each) for each in value] if isinstance(value, tuple) else value
        for name, value in evidence.as_json().items()
    }


def _refused(refused: Refused) -> Record:
    return {"exchange": refused.exchange, "status": refused.status, "message": shown(cut(refused.message))}


def conclude(
    sessions: Sequence[Session], keeps: Keeps = lambda _: True, client: ClientRun | None = None, *, strict: bool = False
) -> tuple[list[Record], Verdict]:
    """The records of the sessions, and whether the clients pass; `client` is the run of a single one, if it has ended.

    Under a fault it is enough that nothing went wrong silently. With `strict`, warnings count as errors do.
    """
    found = records(sessions, keeps, None if client is None else client.exit_code)
    made = Verdict()
    conversations = [(session, each) for session in found for each in session["conversations"]]
    if not any(session["requests"] for session in found):
        made.wrong.append("no request was sent")
    elif not conversations:
        made.wrong.append("no request began a scenario")
    made.wrong += [_line(session, each) for session, each in conversations if each["outcome"] == "silently wrong"]
    known = {text for _, each in conversations for text in each["wrong"]}
    made.wrong += [
        f"session {session['name']}: {text}" for session in found for text in session["wrong"] if text not in known
    ]
    played = [each for session in sessions for each in session.played]
    faulted = any(each.faulted for each in played)
    if not faulted:
        severities = Counter(each.severity for session in sessions for each in filter(keeps, session.all_findings))
        for severity in (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,):
            if severities[severity]:
                made.wrong.append(f"requests have {count(severities[severity], 'finding')} of severity {severity}")
        made.wrong += [_line(session, each) for session, each in conversations if each["outcome"] == "unfinished"]
        loose = sum(len(session["refused"]) for session in found)
        made.wrong += [f"{count(loose, 'request')} refused outside any conversation"] if loose else []
    if client is not None and client.failed:
        how = "ran too long" if client.timed_out else f"exited with {client.exit_code}"
        failure = f"the client {how}{f': {shown(cut(client.error))}' if client.error else ''}"
        expected = faulted or any(each.scripted_error for each in played)
        (made.notes if expected else made.wrong).append(failure)
    return found, made


def _line(session: Record, each: Record) -> str:
    reached = f"turn {each['turn']} of {each['turns']}"
    why = "; ".join(each["wrong"]) or (each["refused"][-1]["message"] if each["refused"] else "")
    why = why or ("; ".join(each["notes"]) if each["outcome"] == "unfinished" else stopped(each))
    reason = f": {why}" if why else ""
    name = f"{each['scenario']} {each['number']} ({each['dialect']}, session {session['name']})"
    return f"{name}: {each['outcome']} at {reached}{reason}"


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
            yield from evidence_lines(each["evidence"], "        ")
            for refused in each["refused"]:
                yield f"      exchange {refused['exchange']} answered with {refused['status']}: {refused['message']}"
        for refused in session["refused"]:
            yield f"  request {refused['exchange']} answered with {refused['status']}: {refused['message']}"
        yield from evidence_lines(session["evidence"], "    ")
        if session["dropped"]:
            yield f"  and {count(session['dropped'], 'earlier conversation')} with nothing to report"


def evidence_lines(evidence: Iterable[Record], indent: str) -> Iterator[str]:
    """Evidence as text: what came, what did not, what the client had, where it stopped."""
    for each in evidence:
        turn = "" if each["turn"] is None else f" (turn {each['turn']})"
        yield f"{indent}evidence: {each['what']}{turn}"
        for title, lines_of in (("came", each["came"]), ("missing", each["missing"]), ("had", each["had"])):
            for number, line in enumerate(lines_of):
                yield f"{indent}  {title if not number else '':8} {visible(line)}"
        yield f"{indent}  stopped  {each['stopped']}"


def _row(each: Record) -> str:
    mode = "stream" if each["streamed"] else "sync"
    found = f"  {count(each['errors'], 'error')}, {count(each['warnings'], 'warning')}" if each["rules"] else ""
    retries = f"  {each['retries']} {'retry' if each['retries'] == 1 else 'retries'}" if each["retries"] else ""
    name = f"{each['scenario']} {each['number']}"
    return (
        f"{name:<28} {each['dialect']:<20} {mode:<7} turn {each['turn']} of {each['turns']}  {each['outcome']}"
        f"{retries}{found}"
    )
