"""Compares the token counts of an answer on both legs."""

from __future__ import annotations

from conformance.campaign.cost import counts_of
from conformance.gateway.ledger import Notes, crossing_of
from conformance.judge.view import View
from conformance.model.pointer import get


def compare_usage(notes: Notes, client: View, upstream: View) -> None:
    """Notes counts of input and output that are lost, changed or made up."""
    counted, told = counts_of(upstream.exchange), counts_of(client.exchange)
    asked = _asked(client)
    if not asked and told == (None, None):
        return
    for name, before, after in zip(("input", "output"), counted, told, strict=True):
        if before == after:
            continue
        if before is None:
            if after:
                what = f"{name} tokens that the upstream did not count"
                notes.lost("usage-unexpected", what, before=before, after=after)
            else:
                notes.lost("usage-dropped", f"there are no {name} tokens{_why(upstream)}", before=before, after=after)
        elif not after:
            notes.lost("usage-dropped", f"the {name} tokens are lost", before=before, after=after)
        else:
            notes.lost("usage-changed", f"the {name} tokens are changed", before=before, after=after)


def _asked(view: View) -> bool:
    """Whether token counts belong into the answer."""
    at = crossing_of(view.dialect.name).usage_asked_at
    return at is None or not view.ask.stream or get(view.request, at) is True


def _why(upstream: View) -> str:
    return "" if _asked(upstream) else ": the gateway does not ask its upstream for them"
