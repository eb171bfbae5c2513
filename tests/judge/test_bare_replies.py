"""A reply whose request the source does not have: what relates its own parts is judged all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from conformance.judge.checker import Checker
from conformance.judge.relations.rows import rows
from conformance.judge.rule import Rule, all_rules
from conformance.model.exchange import Exchange

_OF_REPLY = {"response", "event", "events", "replies"}
_OF_REQUEST = {
    *("tool-choice-ignored", "tool-call-name-invalid", "tool-call-kind-mismatch", "parallel-calls-unexpected"),
    *("messages-input-transformation-orphaned", "gemini-server-result-id-orphaned", "responses-file-citation-orphaned"),
}
"""What their relations look for can be in the request, or depends on what it asks for."""


def _within_replies() -> Iterator[Rule]:
    for each in all_rules().values():
        row = rows().get(each.id)
        places = [place.root for relation in row.relations for place in relation.places] if row is not None else []
        if places and _OF_REPLY.issuperset(places) and not each.needs_complete and each.id not in _OF_REQUEST:
            yield each


def _finds(rule: Rule, exchange: Exchange) -> bool:
    return any(finding.rule == rule.id and finding.side == "response" for finding in Checker().feed(exchange))


@pytest.mark.parametrize("rule", list(_within_replies()), ids=lambda rule: rule.id)
def test_a_relation_within_a_reply_needs_no_request(rule: Rule) -> None:
    for example in rule.violating:
        for exchange in example.exchanges():
            if _finds(rule, replace(exchange, complete=False)):
                bare = replace(exchange, lacks=exchange.lacks | {"request", "url", "headers", "status"}, complete=False)
                assert _finds(rule, bare), example


def test_a_stream_that_breaks_off_is_found_without_its_request() -> None:
    for name in ("chat-finish-missing", "chat-done-missing"):
        rule = all_rules()[name]
        [exchange] = rule.violating[0].exchanges()
        bare = replace(exchange, lacks=frozenset({"request", "url", "headers", "status"}), complete=False)
        assert _finds(rule, bare), name
