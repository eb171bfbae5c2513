"""A captured exchange as an interaction of a cassette, in vcrpy's form, with notes on what it does not contain."""

from __future__ import annotations

from typing import Any

from conformance.inputs import interactions
from conformance.model.exchange import UNANSWERED, Exchange, Headers
from conformance.proxy.bodies import UnreadableError, decoded
from conformance.proxy.captured import Captured, Kept

Interaction = dict[str, Any]
_Fields = tuple[tuple[str, str], ...]
_CODED = ("content-encoding", "content-length", "transfer-encoding")


def interaction_of(captured: Captured) -> Interaction:
    """The interaction, with its secrets. Without a response, the status is that of a request that still waits."""
    notes: dict[str, Any] = {}
    sent, request_headers = _content(captured.request, captured.headers, whole=captured.sent)
    got, response_headers = _content(captured.response, captured.response_headers, whole=captured.ending == "whole")
    if isinstance(sent, UnreadableError):
        notes["request"] = f"not recorded: {sent}"
    if captured.request.note:
        notes["request"] = captured.request.note
    if isinstance(got, UnreadableError):
        notes["response"] = f"not recorded: {got}"
    if captured.response.note:
        notes["response"] = captured.response.note
    if captured.ending in ("client", "lost"):
        notes.setdefault("response", captured.why)
        if not captured.sent:
            notes.setdefault("request", captured.why)
    if captured.ending != "whole":
        notes["ended"] = captured.why
    if captured.lacks:
        notes["lacks"] = list(captured.lacks)
    made: Interaction = {
        "request": {
            "method": captured.method,
            "uri": captured.url,
            "headers": request_headers,
            "body": "" if isinstance(sent, UnreadableError) else _text(sent),
        },
        "response": {
            "status": {
                "code": UNANSWERED if captured.status is None else captured.status,
                "message": captured.reason or None,
            },
            "headers": response_headers,
            "body": {"string": "" if isinstance(got, UnreadableError) else _text(got)},
        },
    }
    return {**made, interactions.NOTES: notes} if notes else made


def exchange_of(interaction: Interaction, source: str) -> Exchange:
    """The exchange as `check` reads it from the cassette."""
    [found] = interactions.exchanges_of([interaction], source, own=True)
    return found


def without_bodies(interaction: Interaction, reason: str) -> Interaction:
    """The interaction with a note in place of both bodies."""
    request, response = interaction["request"], interaction["response"]
    notes = interaction.get(interactions.NOTES, {})
    return {
        "request": {**request, "body": ""},
        "response": {**response, "body": {"string": ""}},
        interactions.NOTES: {**notes, "request": reason, "response": reason},
    }


def _content(kept: Kept, fields: _Fields, *, whole: bool) -> tuple[bytes | UnreadableError, dict[str, list[str]]]:
    """A body without content codings, and the headers that then are true of it."""
    headers = Headers(fields).lists()
    codings = ",".join(value for name, value in fields if name.lower() == "content-encoding").split(",")
    try:
        content = decoded(kept.content, codings, whole=whole)
    except UnreadableError as error:
        return error, headers
    if content != kept.content:
        headers = {name: values for name, values in headers.items() if name.lower() not in _CODED}
    return content, headers


def _text(content: bytes) -> str | bytes:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content
