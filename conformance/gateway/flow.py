"""The way of a cell through the gateway: capture, legs, losses; the verdict comes at the end, with both modes known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from conformance.campaign.attempt import Notify, settle
from conformance.campaign.task import Key, Outcome, Task
from conformance.gateway.capture import PlayedUpstream, capture
from conformance.gateway.legs import Legs, legs_of
from conformance.gateway.loss import Loss
from conformance.gateway.losses import beyond, losses_of, untranslated
from conformance.gateway.pairs import Pair
from conformance.matrix.cells import Cell
from conformance.model.expressible import NotExpressible


@dataclass(frozen=True, slots=True)
class GatewayRun:
    """One run of a cell through the gateway: both legs, and what is lost between them.

    `not_expressible` is what was not lost, because the dialect where it would arrive has no form for it; for `beyond`,
    which is one of these, the gateway refuses the request. `unable` is what it states if it refuses the first request
    as one that it does not support.
    """

    cell: Cell
    pair: Pair
    legs: Legs
    losses: tuple[Loss, ...]
    not_expressible: frozenset[NotExpressible]
    beyond: NotExpressible | None
    unable: str | None = None


@dataclass(kw_only=True)
class GatewayOutcome(Outcome):
    """The outcome of a task, whose findings are those of the client leg, with the run."""

    run: GatewayRun


def perform(upstream: PlayedUpstream, pairs: Mapping[str, Pair], task: Task, notify: Notify) -> GatewayOutcome:
    """Runs a cell through the gateway, judges the client leg, and compares both legs.

    `pairs` are the pairs of dialects by the names of their targets.
    """
    captured, outcome = settle(task, partial(capture, task, upstream), notify)
    pair, legs = pairs[task.cell.target], legs_of(captured)
    lost, lacking, unable = losses_of(legs, pair.upstream), beyond(legs, pair.upstream), untranslated(legs)
    run = GatewayRun(task.cell, pair, legs, *lost, lacking, unable)
    # A gateway that states what it cannot do is in no trouble, nor one that passes on that its upstream failed.
    failed = bool(captured.arrived) and all(each.cut or not each.exchange.response.ok for each in captured.arrived)
    trouble = None if lacking or unable or failed else outcome.trouble
    return GatewayOutcome(**(vars(outcome) | {"trouble": trouble}), run=run)


def with_untranslated_pairs(runs: Mapping[Key, GatewayRun]) -> dict[Key, GatewayRun]:
    """The runs; if a gateway states for each run of a pair that it does not support it, the pair is not offered."""
    able = {run.pair.name for run in runs.values() if run.unable is None}
    return {
        key: run
        if run.unable is None or run.pair.name in able
        else replace(run, beyond=NotExpressible(run.pair.upstream, f"requests in {run.pair.client}", run.unable))
        for key, run in runs.items()
    }
