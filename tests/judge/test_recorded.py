"""A rule cannot read that something is absent which the source would lack anyway; what is there it can read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from conformance.contract.situation import Situation, When, when
from conformance.inputs import messages, native
from conformance.judge.header_evidence import is_evidence
from conformance.judge.proofs.example import Example
from conformance.judge.recorded import Excerpt, NotRecordedError, as_recorded
from conformance.judge.situations import situation_of
from conformance.judge.view import View
from conformance.model.exchange import Lack
from conformance.model.registry import all_dialects

_HELD: list[View] = []
"""Whole views, which a run holds as long as rules read what is shown of them."""
BUILT: frozenset[Lack] = frozenset({"url", "headers", "status", "members"})


def shown(lacks: frozenset[Lack], **changes: Any) -> View:
    """A whole exchange with a call, as rules see it if its source lacks something."""
    exchange = replace(Example("openai-chat/call").exchanges()[0], complete=False, lacks=lacks, **changes)
    _HELD.append(View(exchange, all_dialects()["openai-chat"]))
    return as_recorded(_HELD[-1])


def test_an_excerpt_has_what_is_there_and_hides_what_its_source_would_lack() -> None:
    message = {"role": "user", "name": "Ada"}
    found = Excerpt({"messages": [message], "n": 2}, {"messages": {"*": {"role": {}}}, "system": {}})
    assert (found["n"], found.get("n"), "n" in found) == (2, 2, True)
    assert ("system" in found, found.get("system")) == (False, None)
    assert (found["messages"], found["messages"][0]["name"]) == ([message], "Ada")
    for read in (lambda: found.get("stream"), lambda: "stream" in found, lambda: found["messages"][0].get("content")):
        with pytest.raises(NotRecordedError):
            read()


def test_an_excerpt_of_everything_hides_only_what_is_named() -> None:
    found = Excerpt({"a": 1}, {"*": {}}, frozenset({"status"}))
    assert found.get("b") is None
    with pytest.raises(NotRecordedError):
        found.get("status")


@pytest.mark.parametrize(
    ("lacks", "members", "read"),
    [
        ({"status"}, None, lambda view: view.exchange.response.status),
        ({"request"}, None, lambda view: view.request),
        ({"request"}, None, lambda view: view.ask.tools),
        ({"members"}, messages.CONTAINED, lambda view: view.ask.choice),
        ({"members"}, messages.CONTAINED, lambda view: view.request.get("tool_choice")),
        ({"members"}, messages.CONTAINED, lambda view: view.response.get("usage", {}).get("cost")),
        ({"members"}, messages.CONTAINED, lambda view: view.replies[0].calls[0].signature),
    ],
)
def test_a_rule_ends_where_it_reads_what_the_source_lacks(
    lacks: set[Lack], members: Any, read: Callable[[View], object]
) -> None:
    exchange = Example("openai-chat/call").exchanges()[0]
    body = {key: value for key, value in exchange.response.body.json.items() if key != "usage"}
    response = replace(exchange.response, body=type(exchange.response.body)(body))
    with pytest.raises(NotRecordedError):
        read(shown(frozenset(lacks), members=members, response=response))
    read(shown(frozenset(), response=response))


def test_what_the_source_contains_is_read() -> None:
    view = shown(BUILT, members=native.CONTAINED)
    assert view.ok
    assert view.ask.tools
    assert view.replies[0].stop == "tool-calls"
    assert view.replies[0].calls[0].signature is None
    assert view.request["messages"] == view.plain.request["messages"]
    assert view.exchange.request.headers.get("content-type") is not None


def test_without_headers_the_absence_of_one_is_never_evidence() -> None:
    view = shown(frozenset({"headers"}))
    assert is_evidence(replace_complete(view), "x-absent") is False
    assert is_evidence(replace_complete(shown(frozenset())), "x-absent") is True
    assert is_evidence(view, "content-type") is True


def replace_complete(view: View) -> View:
    return View(replace(view.exchange, complete=True), view.dialect)


@pytest.mark.parametrize(
    ("only", "certain"),
    [
        (When(), True),
        (when(path="/invoke$"), False),
        (When(no=(when(path="/invoke$"),)), False),
        (when(model="gpt"), True),
    ],
)
def test_a_row_that_depends_on_what_is_unknown_is_not_certain(only: When, certain: bool) -> None:  # noqa: FBT001
    assert only.certain(Situation(model="gpt-5", path="/v1", unknown=frozenset({"path"}))) is certain
    assert only.certain(Situation(model="gpt-5", path="/invoke", unknown=frozenset({"path"}))) is certain


def test_what_is_unknown_follows_from_what_the_source_lacks() -> None:
    assert situation_of(shown(frozenset())).unknown == frozenset()
    assert situation_of(shown(BUILT, members=messages.CONTAINED)).unknown == {"path", "beta", "api_version"}
