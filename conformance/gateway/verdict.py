"""The verdicts of a run: one for each leg, with the losses at the leg where they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conformance.gateway.flow import GatewayRun
from conformance.gateway.loss import Loss, Place
from conformance.gateway.table import not_offered
from conformance.judge.checker import Checker
from conformance.matrix.verdict import Verdict
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding

_FAILURES = frozenset({"client-error-unexpected", "refusal-unexpected"})
"""The rules about an error that the client gets."""


@dataclass(frozen=True, slots=True)
class _Leg:
    name: str
    dialect: str
    source: str
    exchanges: Sequence[Exchange]


def verdicts_of(judged: Verdict, run: GatewayRun) -> list[Verdict]:
    """The verdicts of the client leg, as it was `judged` when it was driven, and of the upstream leg."""
    if run.beyond is not None:
        words = not_offered(run.beyond)
        return [replace(judged, findings=[], exchanges=0, transcript=(), exercised={}, not_offered=words)]
    cell = f"{run.pair.name}: {run.cell.id}"
    client = _Leg("client leg", run.pair.client, f"{cell}: client leg", run.legs.client)
    upstream = _Leg("upstream leg", run.pair.upstream, f"{cell}: upstream leg", run.legs.upstream)
    requests = _judge_requests(upstream)
    excused = {"request-unanswered"} if _breaks_off(run) else set()
    failed = _failed(run)
    on_client = [
        replace(each, source=client.source)
        for each in judged.findings
        if each.rule not in excused and not (each.rule in _FAILURES and each.exchange in failed)
    ]
    for loss in run.losses:
        if loss.direction == "down" or loss.upstream is None:
            on_client.append(_finding(loss, client, loss.client, upstream, loss.upstream))
        else:
            requests.findings.append(_finding(loss, upstream, loss.upstream, client, loss.client))
    return [replace(judged, source=client.source, findings=on_client), requests]


def _failed(run: GatewayRun) -> set[int]:
    """The exchanges of the client whose upstream failed: an error is what the client is to get."""
    answered = ((each.client, each.upstream[-1].answer) for each in run.legs.steps if each.client and each.upstream)
    return {client.number for client, answer in answered if not answer.whole}


def _breaks_off(run: GatewayRun) -> bool:
    """Whether the gateway breaks an answer off as its upstream did: for the client, that is an error."""
    unanswered = (each for each in run.legs.steps if each.client is None and each.upstream)
    return any(each.upstream[-1].answer.broken for each in unanswered)


def _judge_requests(leg: _Leg) -> Verdict:
    """Judges what the gateway sends. The answers are those of our own server."""
    checker = Checker()
    sent = [replace(exchange, source=leg.source, group=leg.source) for exchange in leg.exchanges]
    findings = [finding for exchange in sent for finding in checker.feed(exchange) if finding.side == "request"]
    return Verdict(None, leg.source, findings, len(sent), checker.summary.harness_errors)


def _finding(loss: Loss, leg: _Leg, here: Place, other: _Leg, there: Place | None) -> Finding:
    """The finding about a loss at its place on one leg; the message names the place on the other."""
    message = loss.what
    if there is not None:
        place = f"exchange {there.exchange}, {loss.side} {there.pointer or ''}".rstrip()
        message = f"{loss.what} ({loss.direction}; on the {other.name}: {place})"
    return Finding(
        rule=loss.rule,
        severity=loss.severity,
        message=message,
        dialect=leg.dialect,
        source=leg.source,
        exchange=here.exchange,
        side=loss.side,
        pointer=here.pointer,
        expected=loss.before,
        actual=loss.after,
        traffic=leg.exchanges[here.exchange] if here.exchange < len(leg.exchanges) else None,
    )
