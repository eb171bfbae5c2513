"""One cause, one finding: what says the same again is counted where it was said first."""

from __future__ import annotations

import json
from typing import Any

from conformance.judge.checker import Checker
from conformance.judge.folding import shape_of
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.finding import Finding
from conformance.model.pointer import without_numbers

JSON = Headers([("content-type", "application/json")])
USER = {"role": "user", "content": "Hello?"}
SILENT = {"role": "assistant"}
"""A message of nobody: neither content nor calls."""


def asked(messages: list[dict[str, Any]], conversation: str | None = "one", **more: Any) -> Exchange:
    """A request whose answer has not been recorded."""
    body = json.dumps({"model": "m", "messages": messages, **more})
    request = Request("POST", "https://gateway.example/v1/chat/completions", JSON, Body(body))
    return Exchange(request, Response(100), conversation=conversation)


def reported(*exchanges: Exchange, rule: str) -> list[Finding]:
    checker = Checker()
    found = [finding for exchange in exchanges for finding in checker.feed(exchange)]
    assert checker.summary.errors + checker.summary.warnings + checker.summary.infos == len(found)
    return [finding for finding in found if finding.rule == rule]


EMPTY = "chat-assistant-message-empty"


def test_places_that_differ_in_their_numbers_are_one_finding_with_all_places() -> None:
    (found,) = reported(asked([USER, SILENT, USER, SILENT, USER, SILENT, USER]), rule=EMPTY)
    assert (found.pointer, found.occurrences, found.tally.places) == ("/messages/1", 3, ["/messages/3", "/messages/5"])


def test_what_a_request_repeats_unchanged_is_counted_where_it_was_first() -> None:
    history = [USER, SILENT, USER]
    (found,) = reported(asked(history), asked([*history, SILENT]), asked([*history, USER]), rule=EMPTY)[:1]
    assert (found.exchange, found.occurrences) == (0, 3)


def test_what_a_later_request_adds_is_reported_there() -> None:
    first, second = reported(asked([USER, SILENT, USER]), asked([USER, SILENT, USER, SILENT, USER]), rule=EMPTY)
    assert (first.exchange, first.pointer, first.occurrences) == (0, "/messages/1", 2)
    assert (second.exchange, second.pointer, second.occurrences) == (1, "/messages/3", 1)


def test_another_message_at_the_same_place_is_reported_again() -> None:
    named = {**SILENT, "name": "planner"}
    found = reported(asked([USER, SILENT, USER]), asked([USER, named, USER]), rule=EMPTY)
    assert [(each.exchange, each.occurrences) for each in found] == [(0, 1), (1, 1)]


def test_conversations_do_not_count_for_each_other() -> None:
    found = reported(asked([USER, SILENT, USER], "one"), asked([USER, SILENT, USER], "two"), rule=EMPTY)
    assert [each.conversation for each in found] == ["one", "two"]


def test_the_findings_of_two_answers_are_two() -> None:
    def answered() -> Exchange:
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": []}
        return Exchange(asked([USER]).request, Response(200, JSON, Body(json.dumps(answer))), conversation="one")

    found = reported(answered(), answered(), rule="chat-choices-empty")
    assert [(each.exchange, each.occurrences) for each in found] == [(0, 1), (1, 1)]


def test_places_and_messages_are_compared_without_their_values() -> None:
    assert without_numbers("event/12/choices/0/delta") == "event/*/choices/*/delta"
    assert without_numbers("/tools/3/function/x1") == "/tools/*/function/x1"
    assert shape_of('`n` is "a", not 4') == shape_of('`n` is "bc", not 17') == "`n` is #, not #"
    assert shape_of("`n` is missing") != shape_of("`m` is missing")


def test_a_finding_survives_its_json() -> None:
    (found,) = reported(asked([USER, SILENT, USER, SILENT, USER]), rule=EMPTY)
    again = Finding.from_json(found.as_json())
    assert again == found
    assert (again.occurrences, again.tally.places) == (2, ["/messages/3"])
