"""Compares an answer of the upstream with the client's where one of them is an error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.gateway.ledger import Notes, brief_text
from conformance.gateway.legs import Answered
from conformance.judge.view import View
from conformance.model.transcript import Malformed

_KINDS = {
    400: "invalid request",
    422: "invalid request",
    401: "authentication",
    403: "permission",
    404: "not found",
    408: "timeout",
    413: "too large",
    429: "rate limit",
    500: "server",
    502: "server",
    503: "overload",
    504: "timeout",
    529: "overload",
}
"""The kinds of errors that clients distinguish, by status."""


def kind_of(status: int) -> str:
    """The kind of error of a status."""
    return _KINDS.get(status, "invalid request" if status < 500 else "server")


def compare_failures(notes: Notes, client: View, upstream: Answered) -> bool:
    """Notes errors that are lost, changed or new. Returns whether both sides have an answer of the model to compare."""
    there, here = upstream.view.exchange.response, client.exchange.response
    if there.ok and not upstream.broken:
        if not here.ok:
            what = f"the upstream answered, but the client gets {here.status}"
            notes.lost("error-unexpected", what, before=there.status, after=words(client))
        elif not client.replies and upstream.view.replies:
            notes.lost(
                "error-unexpected", "the client's answer cannot be read", before=there.status, after=words(client)
            )
        return here.ok and bool(client.replies)
    if upstream.broken:
        if here.ok and client.replies and client.replies[0].stop not in (None, "error"):
            what = "the upstream's answer fails half-way, but the client's ends as if it were whole"
            notes.lost("error-dropped", what, after=client.replies[0].stop_wire)
        return False
    if here.ok:
        what = f"the upstream returned {there.status}, but the client gets {here.status}"
        stop = client.replies[0].stop if client.replies else "error"
        name = "error-changed" if stop in (None, "error") else "error-dropped"
        notes.lost(name, what, before=there.status, after=here.status)
        return False
    if kind_of(there.status) != kind_of(here.status):
        what = f"{there.status} ({kind_of(there.status)}) becomes {here.status} ({kind_of(here.status)})"
        notes.lost("error-changed", what, before=there.status, after=here.status)
    message = _message(upstream.view)
    if message and message not in " ".join(_strings(client.response)):
        notes.lost("error-message-dropped", "what the error says is lost", before=message, after=words(client))
    return False


def _message(view: View) -> str | None:
    body = view.response
    error: Any = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) else None


def _strings(value: Any) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, (str, Malformed)):
        yield value if isinstance(value, str) else value.text
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def words(view: View) -> str:
    """The status of a response, and the beginning of what it says."""
    body = view.response
    text = _message(view) or (body.text if isinstance(body, Malformed) else view.exchange.response.body.text) or ""
    return brief_text(f"{view.exchange.response.status}: {' '.join(text.split())}")
