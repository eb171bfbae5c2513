"""Faults of the HTTP message: a header field missing or changed, another status."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from conformance.model.exchange import Headers
from devtools.mutants.operator import Fault, operator
from devtools.mutants.subject import Subject
from devtools.mutants.tree import MutantSide

_ASKED = ("content-type", "authorization", "x-api-key", "x-goog-api-key")
_ANSWERED = ("content-type",)
"""The header fields that every contract covers; each dialect adds its own. No contract covers any other field."""


def _fields(subject: Subject) -> Iterator[tuple[MutantSide, str, Headers]]:
    request, response = subject.exchange.request, subject.exchange.response
    own = subject.layers[0].headers
    asked = (*_ASKED, *own.checked, *((own.version,) if own.version else ()))
    if not request.body.empty:
        yield from (("request", name, request.headers) for name, _ in request.headers if name.lower() in asked)
    if not response.body.empty:
        yield from (("response", name, response.headers) for name, _ in response.headers if name.lower() in _ANSWERED)


@operator("drop-header")
def drop_header(subject: Subject) -> Iterator[Fault]:
    """A header field is missing."""
    for side, name, headers in _fields(subject):
        rest = Headers((key, value) for key, value in headers if key != name)
        place = f"headers/{name.lower()}"
        yield Fault(side, place, place, partial(subject.with_headers, side, rest))


@operator("alter-header")
def alter_header(subject: Subject) -> Iterator[Fault]:
    """A header field has another value."""
    for side, name, headers in _fields(subject):
        other = "text/html" if name.lower() in ("content-type", "accept") else "other"
        changed = Headers((key, other if key == name else value) for key, value in headers)
        place = f"headers/{name.lower()}"
        yield Fault(side, place, place, partial(subject.with_headers, side, changed))


@operator("fail-status")
def fail_status(subject: Subject) -> Iterator[Fault]:
    """A successful response has the status of a failure, or the reverse."""
    response = subject.exchange.response
    status = 500 if response.ok else 200
    yield Fault(
        "response", "status", "status", lambda: replace(subject.exchange, response=replace(response, status=status))
    )
