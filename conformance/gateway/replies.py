"""Compares the upstream's answer, or its error, with the one that reached the client."""

from __future__ import annotations

from conformance.gateway.history import Round
from conformance.gateway.loss import Difference, Differences, Way
from conformance.gateway.parts import round_differences
from conformance.gateway.reading import Answer, LegExchange
from conformance.model.transcript import Turn

_KINDS = {
    401: "authentication",
    403: "permission",
    404: "not found",
    408: "timeout",
    413: "too large",
    429: "rate limit",
    503: "overload",
    504: "timeout",
    529: "overload",
}
"""The kinds of errors that clients distinguish, by status; the others are invalid requests, or errors of the server."""


def reply_differences(client: LegExchange, upstream: LegExchange, whose: str) -> Differences:
    """What is lost on the way down."""
    yield from _failure_differences(client.answer, upstream.answer)
    sent, got = upstream.answer.turn, client.answer.turn
    if sent is None or got is None or not _is_answered(client.answer, upstream.answer):
        return
    way = Way(upstream.expressible, client.expressible)
    yield from round_differences(way, Round(list(sent.parts)), Round(list(got.parts)), whose)
    if not _same_stop(client, upstream, sent, got):
        at = sent.stop_pointer or None, got.stop_pointer or None
        what = f"the stop reason of {whose} is changed: {sent.stop} becomes {got.stop or 'missing'}"
        yield Difference("stop-reason-changed", what, at, sent.stop_wire, got.stop_wire)
    yield from _usage(client, upstream)
    lost = sorted(upstream.answer.cited - client.answer.cited)
    if lost:
        lacking = client.expressible.lacking("citations")
        yield Difference("citation-dropped", f"sources that {whose} cites are lost", before=lost, lacking=lacking)


def _same_stop(client: LegExchange, upstream: LegExchange, sent: Turn, got: Turn) -> bool:
    if sent.stop == got.stop:
        return True
    choice = client.ask.choice
    named = choice is not None and choice.mode == "named"
    normal = client.named_choice_stops_normally or upstream.named_choice_stops_normally
    return named and normal and {sent.stop, got.stop} == {"end", "tool-calls"} and bool(got.calls)


def _usage(client: LegExchange, upstream: LegExchange) -> Differences:
    """Counts of input and output that are lost, changed or made up."""
    sent, got = upstream.answer.counts, client.answer.counts
    if not client.counted and not any(got):
        return
    for tokens, before, after in zip(("input tokens", "output tokens", "cached tokens"), sent, got, strict=True):
        not_asked = before is None and not upstream.counted
        if (before == after and not not_asked) or (tokens == "cached tokens" and not (before or after)):
            continue
        if before is None and after:
            name, what = "usage-unexpected", f"{tokens} that the upstream did not count"
        elif before is None:
            why = ": the gateway does not ask its upstream for them" if not_asked else ""
            name, what = "usage-dropped", f"there are no {tokens}{why}"
        elif not after:
            name, what = "usage-dropped", f"the {tokens} are lost"
        else:
            name, what = "usage-changed", f"the {tokens} are changed"
        yield Difference(name, what, before=before, after=after)


def _kind_of(status: int) -> str:
    """The kind of error of a status."""
    return _KINDS.get(status, "invalid request" if status < 500 else "server")


def _is_answered(client: Answer, upstream: Answer) -> bool:
    """Whether both sides have an answer of the model to compare."""
    return upstream.whole and client.ok and client.turn is not None


def _failure_differences(client: Answer, upstream: Answer) -> Differences:
    """Errors that are lost, changed or new."""
    if upstream.broken:
        if client.ok and not client.failed:
            whole = client.turn is not None and client.turn.stop is not None
            how = "as if it were whole" if whole else "without an error"
            what = f"the upstream's answer fails half-way, but the client's ends {how}"
            yield Difference("error-dropped", what, after=client.turn.stop_wire if client.turn is not None else None)
    elif upstream.ok and not client.ok:
        what = f"the upstream answered, but the client gets {client.status}"
        yield Difference("error-unexpected", what, before=upstream.status, after=client.summary)
    elif upstream.ok and client.turn is None and upstream.turn is not None:
        what = "the client's answer cannot be read"
        yield Difference("error-unexpected", what, before=upstream.status, after=client.summary)
    elif not upstream.ok:
        yield from _error_differences(client, upstream)


def _error_differences(client: Answer, upstream: Answer) -> Differences:
    """An error of the upstream that is no error for the client, of another kind, or without its message."""
    there, here = upstream.status, client.status
    if client.ok:
        ended = client.turn is not None and client.turn.stop not in (None, "error")
        what = f"the upstream returned {there}, but the client gets {here}"
        yield Difference("error-dropped" if ended else "error-changed", what, before=there, after=here)
        return
    if _kind_of(there) != _kind_of(here):
        what = f"{there} ({_kind_of(there)}) becomes {here} ({_kind_of(here)})"
        yield Difference("error-changed", what, before=there, after=here)
    if upstream.waits and not client.waits:
        yield Difference(
            "retry-after-dropped",
            "how long to wait is lost: it was in a header, or in Google's RetryInfo",
            before=upstream.summary,
        )
    if upstream.message and upstream.message not in client.texts:
        what = "the message of the error is lost"
        yield Difference("error-message-dropped", what, before=upstream.message, after=client.summary)
