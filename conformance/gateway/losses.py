"""Compares both legs of a run, step by step and as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.gateway.identities import identity_losses
from conformance.gateway.legs import Legs, Step
from conformance.gateway.loss import Difference, Differences, Found, Losses, collect, place
from conformance.gateway.reading import LegExchange
from conformance.gateway.replies import reply_differences
from conformance.gateway.requests import request_differences
from conformance.model.expressible import NotExpressible, expressible_in

_REFUSED, _FAILED, _NOT_IMPLEMENTED = 400, 500, 501
"""The first status of a refusal, the first of a failure, and the failure that is a refusal by itself."""
_UNABLE = re.compile(
    r"(not|n't|no)\b[\w' ]{0,20}\b(support|implement|available|allowed|possible)|unsupported|unavailable for",
    re.IGNORECASE,
)
"""What a failure states that is a refusal in truth."""


def losses_of(legs: Legs, upstream_dialect: str) -> Losses:
    """What is lost in a run. `upstream_dialect` is what the gateway is configured to use."""
    found = [each for number, step in enumerate(legs.steps) for each in _in_step(step, number, upstream_dialect)]
    return collect([*found, *identity_losses(legs.pairs)])


def beyond(legs: Legs, upstream_dialect: str) -> NotExpressible | None:
    """What the upstream's dialect has no form for, if the gateway refuses a request that asks for it."""
    refused = (each.client for each in legs.steps if each.client is not None and not each.upstream)
    return next(filter(None, (_asked_in_vain(each, upstream_dialect) for each in refused)), None)


def untranslated(legs: Legs) -> str | None:
    """What the gateway states if it refuses the first request of a run as one that it does not support.

    Whether that is so for a whole pair of dialects, the table decides.
    """
    first = next((each for each in legs.steps if each.client is not None), None)
    if first is None or first.client is None or first.upstream or not _states_inability(first.client):
        return None
    return first.client.answer.summary


def _states_inability(client: LegExchange) -> bool:
    """Whether an error states that the gateway cannot do what is asked, by its status or in words."""
    answer = client.answer
    return answer.status == _NOT_IMPLEMENTED or (
        answer.status >= _REFUSED and _UNABLE.search(f"{answer.summary} {answer.texts}") is not None
    )


def _asked_in_vain(client: LegExchange, upstream_dialect: str) -> NotExpressible | None:
    there, ask = expressible_in(upstream_dialect), client.ask
    unable = _states_inability(client)
    if not (_REFUSED <= client.answer.status < _FAILED or unable):
        return None
    if client.searches and unable:  # a service of the provider, which a gateway need not offer
        return NotExpressible(upstream_dialect, "the provider's own search", client.answer.summary)
    subjects = {
        "reasoning": "reasoning" in client.switches,
        "parallel-flag": ask.parallel is False,
        "strict": any(tool.strict for tool in ask.tools or ()),
    }
    lacking = there.lacking(*(name for name, asked in subjects.items() if asked))
    return lacking or next(filter(None, map(there.lacking_setting, client.settings)), None)


def _in_step(step: Step, number: int, upstream_dialect: str) -> Iterator[Found]:
    client = step.client
    if client is None:
        return
    if not step.upstream:
        what = f"the gateway {'answers' if client.answer.ok else 'refuses'} the request itself"
        lacking = _asked_in_vain(client, upstream_dialect)
        lost = Difference("request-dropped", what, after=client.answer.summary, lacking=lacking)
        yield from place([lost], "up", client.number, None)
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
    if any(each.answer.whole for each in step.upstream[:-1]):
        what = "the gateway sends a request again that the upstream has answered"
        times = f"{len(step.upstream)} requests"
        yield Difference("request-repeated", what, before="1 request", after=times)
    if upstream.dialect != upstream_dialect:
        what = f"the gateway speaks {upstream.dialect} to its upstream"
        yield Difference("dialect-unexpected", what, (None, None), upstream_dialect, upstream.dialect)
