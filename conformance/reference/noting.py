"""What a session keeps of a request and its answer: for the verdict, the report and the live page."""

from __future__ import annotations

import time
from itertools import takewhile

from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.jsontext import brief, same
from conformance.model.transcript import Turn
from conformance.reference.answering import Answer
from conformance.reference.evidence import Wire
from conformance.reference.placing import Place
from conformance.reference.played import Played, Refused, Sent, observe
from conformance.reference.session import Session
from conformance.reference.stored import Refusal, remember


def note(session: Session, place: Place, refusal: Refusal | None, answer: Answer) -> None:
    """Keeps a request, its judgement and its answer in the session."""
    played = _conversation(session, place, refusal)
    findings, got = _compared(session, place, played, answer)
    if played is None:
        session.add_loose(Refused(session.requests - 1, answer.status, answer.refusal or ""), findings)
    else:
        played.findings += findings
        _progress(session, played, place, answer, got)
        session.limit()
    if place.dialect is not None and answer.turn is not None:
        session.called.update((call.name or "", time.monotonic_ns()) for call in answer.turn.calls)
        remember(session.kept, place.dialect, place.whole.body.json, answer.rendered)


def _conversation(session: Session, place: Place, refusal: Refusal | None) -> Played | None:
    """The conversation that a request counts for, which begins with it if it is new.

    A refused request that plays no scenario, or a recording, counts for the latest open conversation of its dialect.
    """
    played = place.played
    if refusal is not None and (place.script is None or place.script.recorded):
        name = place.dialect.name if place.dialect is not None else None
        return next((each for each in reversed(session.played) if each.dialect == name and not each.finished), None)
    if played is None:
        return None
    if played.number > session.numbers[played.scenario]:
        _note_changed_history(session, place, played)
        session.numbers[played.scenario] = played.number
        session.played.append(played)
        session.conversations_of(played).add(played)
    played.connection = place.connection
    played.asked[place.position] = place.attempt + 1
    return played


def _note_changed_history(session: Session, place: Place, begun: Played) -> None:
    """Notes at the last unfinished conversation of the scenario that a new one begins in the middle."""
    if not any(turn.role in ("assistant", "tool") for turn in place.history):
        return
    alike = (
        each for each in reversed(session.played) if (each.scenario, each.dialect) == (begun.scenario, begun.dialect)
    )
    before = next((each for each in alike if not each.finished), None)
    if before is not None:
        before.note(f"{begun.name} begins in the middle: the client changed the history of this one")


def _compared(
    session: Session, place: Place, played: Played | None, answer: Answer
) -> tuple[list[Finding], Turn | None]:
    """The findings of the request, compared with its conversation; and the turn that the client got."""
    name = played.name if played is not None else None
    group = f"{session.name}/{name or session.requests}"
    exchange = Exchange(
        place.request,
        answer.delivery.response,
        source=f"session {session.name}",
        conversation=name,
        complete=True,
        group=group,
    )
    findings = [each for each in session.checker.feed(exchange, place.views) if each.side == "request"]
    views = session.checker.views(group, place.dialect.name) if place.dialect is not None else ()
    return findings, views[-1].replies[0] if views and views[-1].replies else None


def _progress(session: Session, played: Played, place: Place, answer: Answer, got: Turn | None) -> None:
    """How far a conversation comes by an answer, and what the client has done with the turns before."""
    exchange = played.requests
    played.requests += 1
    for text in answer.notes:
        played.note(text)
    if answer.refusal is not None:
        played.refused.append(Refused(exchange, answer.status, answer.refusal))
        return
    position = place.position
    if played.asked[position] > 1:
        played.retries += 1
    observe(played, position, place.history, place.whole.body.json)
    if not played.wrong:
        played.settle(position)
    played.turns = max(answer.turns, 1)
    played.faulted = played.faulted or answer.changed
    meant = _meant(place, answer, got)
    wire = Wire.of(answer.delivery.body, answer.rendered.body)
    whole = _whole(answer, meant, got)
    sent = Sent(meant, answer.status, answer.delivery.lost, whole, wire, answer.changed)
    session.conversations_of(played).sent(played, position, sent)
    played.scripted_error = played.scripted_error or answer.scripted_error
    if answer.status >= 400 and not answer.scripted_error:
        text = answer.delivery.body.decode("utf-8", "replace")
        played.refused.append(Refused(exchange, answer.status, brief(text, 300)))
        return
    played.reached = max(played.reached, position + 1)
    ended = answer.ends or (position + 1 >= answer.turns and not answer.withheld)
    played.finished = played.finished or ended
    if played.finished and not played.wrong:
        played.settle(position + 1)


def _meant(place: Place, answer: Answer, got: Turn | None) -> Turn | None:
    """The turn as it was sent, with its ids, if no behaviour had changed its bytes."""
    if place.dialect is None or answer.turn is None:
        return None
    meant = answer.rendered
    if answer.status == meant.status and answer.delivery.body == meant.body:
        return got
    return next(iter(View(Exchange(place.request, meant.response), place.dialect).replies), None)


def _whole(answer: Answer, meant: Turn | None, got: Turn | None) -> int | None:
    """How many of the calls the client got whole; None for all of them."""
    if answer.turn is None or not answer.turn.calls:
        return None
    if not answer.delivery.lost:
        return len(answer.turn.calls) - 1 if answer.turn.stop == "length" else None
    pairs = zip(meant.calls if meant else (), got.calls if got else (), strict=False)
    return sum(1 for _ in takewhile(lambda pair: same(pair[0].arguments, pair[1].arguments), pairs))
