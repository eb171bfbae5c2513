"""Compares both legs of a run, step by step and as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.gateway.identities import identity_losses
from conformance.gateway.legs import Legs, Step
from conformance.gateway.loss import Difference, Differences, Found, Losses, collect, place
from conformance.gateway.reading import LegExchange
from conformance.gateway.replies import reply_differences
from conformance.gateway.requests import request_differences


def losses_of(legs: Legs, upstream_dialect: str) -> Losses:
    """What is lost in a run. `upstream_dialect` is what the gateway is configured to use."""
    found = [each for number, step in enumerate(legs.steps) for each in _in_step(step, number, upstream_dialect)]
    return collect([*found, *identity_losses(legs.pairs)])


def _in_step(step: Step, number: int, upstream_dialect: str) -> Iterator[Found]:
    client = step.client
    if client is None:
        return
    if not step.upstream:
        what = f"the gateway {'answers' if client.answer.ok else 'refuses'} the request itself"
        yield from place([Difference("request-dropped", what, after=client.answer.summary)], "up", client.number, None)
        return
    upstream = step.upstream[-1]
    differences = [*_sending(step, upstream, upstream_dialect), *request_differences(client, upstream)]
    yield from place(differences, "up", client.number, upstream.number)
    differences = [*reply_differences(client, upstream, f"answer {number + 1}")]
    yield from place(differences, "down", client.number, upstream.number)


def _sending(step: Step, upstream: LegExchange, upstream_dialect: str) -> Differences:
    """A request that is sent once too often, or in another dialect.

    One that is sent again after an error is no loss: gateways try again as clients do.
    """
    if any(each.answer.ok and not each.answer.broken for each in step.upstream[:-1]):
        what = "the gateway sends a request again that the upstream has answered"
        times = f"{len(step.upstream)} requests"
        yield Difference("request-repeated", what, before="1 request", after=times)
    if upstream.dialect != upstream_dialect:
        what = f"the gateway speaks {upstream.dialect} to its upstream"
        yield Difference("dialect-unexpected", what, (None, None), upstream_dialect, upstream.dialect)
