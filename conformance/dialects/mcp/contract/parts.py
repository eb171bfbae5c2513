"""The messages of an exchange, each with its contract."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from conformance.contract import Contract
from conformance.contract.situation import Situation
from conformance.dialects.mcp.contract.places import REVISIONS
from conformance.dialects.mcp.contract.results import OTHER, RESULTS
from conformance.dialects.mcp.contract.sampling import ANSWERS
from conformance.dialects.mcp.messages import answered, received
from conformance.dialects.mcp.revision import stateless, version_of
from conformance.judge.contracted import Asked
from conformance.judge.situations import situation_of
from conformance.judge.view import View
from conformance.model.jsontext import same
from conformance.model.pointer import join
from conformance.model.transcript import Malformed


def parts(view: View, request: Contract, reply: Contract) -> Iterator[Asked]:
    """Each message of an exchange, with the contract of its side."""
    situation = dataclasses.replace(situation_of(view, dated=False), api_version=_revision(view))
    if view.exchange.request.method == "POST" and not view.exchange.request.body.empty:
        for value, at in _messages(view.request, ""):
            yield Asked(request, value, "request", at, _about(situation, _question(view, value)))
    methods = {response.pointer: asked.method for asked, response in answered(view) if response is not None}
    for value, at in _received(view):
        yield Asked(reply, value, "response", at, _about(situation, methods.get(at)))


def _received(view: View) -> Iterator[tuple[Any, str]]:
    """The messages of the response. A proxy's failure body is not a message, nor is plain text."""
    response = view.exchange.response
    if response.is_event_stream:
        for event in response.events:
            yield from _messages(event.json, event.pointer) if event.complete else ()
    elif not response.body.empty and not isinstance(response.body.json, str):
        found = _messages(response.body.json, "")
        yield from (each for each in found if view.ok or (isinstance(each[0], dict) and "jsonrpc" in each[0]))


def _messages(body: Any, at: str) -> Iterator[tuple[Any, str]]:
    """The one message, or those of a batch, without what could not be parsed."""
    if isinstance(body, list) and body:
        yield from ((each, join(at, number)) for number, each in enumerate(body))
    elif not isinstance(body, Malformed):
        yield body, at


def _about(situation: Situation, method: str | None) -> Situation:
    """The situation of a response to a request of that method; None if the request is unknown."""
    operation = method if method is None or method in {**RESULTS, **ANSWERS} else OTHER
    return dataclasses.replace(situation, operation=operation)


def _question(view: View, value: Any) -> str | None:
    """The method of the server's request that a client's message answers; None if it is unknown."""
    if not isinstance(value, dict) or "method" in value or "id" not in value:
        return None
    for before in reversed(view.earlier):
        for message in received(before):
            if message.is_request and same(message.value["id"], value["id"]):
                return message.method
    return None


def _revision(view: View) -> str | None:
    """The revision by which an exchange is judged: the latest published one that is not newer than its own."""
    if stateless(view):
        return REVISIONS[-1]
    version = version_of(view) or _offered(view)
    return None if version is None else max((each for each in REVISIONS if each <= version), default=None)


def _offered(view: View) -> str | None:
    """The revision in the result of `initialize`, or else the one that the request offers."""
    for asked, response in answered(view, "initialize"):
        result = response.result if response is not None else None
        for version in ((result or {}).get("protocolVersion"), asked.params.get("protocolVersion")):
            if isinstance(version, str):
                return version
    return None
