"""Lines of standard input and output as exchanges: which line of the server belongs to which of the client."""

from __future__ import annotations

import json
from concurrent.futures import Future
from typing import Any

import pytest

from conformance.proxy.captured import Captured
from conformance.proxy.stdio_exchanges import StdioExchanges

Line = tuple[str, dict[str, Any]]
"""The side that writes a message, and the message."""
INITIALIZE: Line = ("client", {"id": 0, "method": "initialize"})
INITIALIZED: Line = ("server", {"id": 0, "result": {}})
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


class Kept(list[tuple[str, list[Any]]]):
    """Each exchange as the method of its request and what the server wrote, in the order of recording."""

    def exchanged(self, captured: Captured) -> Future[None]:
        text = captured.response.content.decode()
        lines = [each.removeprefix("data: ") for each in text.splitlines() if each[:1] != "e" and each]
        self.append((captured.method, [json.loads(each) for each in lines]))
        done: Future[None] = Future()
        done.set_result(None)
        return done


def kept(*lines: Line) -> Kept:
    found = Kept()
    exchanges = StdioExchanges(found, "server")
    for side, message in lines:
        take = exchanges.from_client if side == "client" else exchanges.from_server
        take(json.dumps(message).encode())
    exchanges.end("client", "the end")
    return found


def test_a_response_belongs_to_the_request_with_its_id() -> None:
    asked: list[Line] = [("client", {"id": number, "method": "ping"}) for number in (1, 2)]
    answers: list[dict[str, Any]] = [{"id": number, "result": {}} for number in (2, 1)]
    assert kept(*asked, *(("server", each) for each in answers)) == [("POST", [each]) for each in answers]


@pytest.mark.parametrize(("asked", "answered"), [(1, "1"), ("1", 1)])
def test_an_id_of_another_type_is_that_of_the_request_that_waits(asked: object, answered: object) -> None:
    answer: dict[str, Any] = {"id": answered, "result": {}}
    assert kept(("client", {"id": asked, "method": "ping"}), ("server", answer)) == [("POST", [answer])]


def test_a_response_that_nothing_waits_for_stands_alone() -> None:
    for number in (None, 7):
        answer: dict[str, Any] = {"id": number, "result": {}}
        assert kept(("client", {"id": 1, "method": "ping"}), ("server", answer)) == [("GET", [answer]), ("POST", [])]


def test_what_comes_before_the_answer_to_initialize_is_recorded_after_it() -> None:
    question = {"id": "q", "method": "roots/list"}
    opened = [INITIALIZE, ("server", question), ("client", {"method": "notifications/cancelled"}), INITIALIZED]
    assert kept(*opened) == [("POST", [INITIALIZED[1]]), ("GET", [question]), ("POST", [])]


def test_without_an_answer_to_initialize_nothing_is_lost() -> None:
    log = {"method": "notifications/message"}
    ping = ("client", {"id": 1, "method": "ping"})
    assert kept(ping, INITIALIZE, ("server", log)) == [("POST", []), ("GET", [log]), ("POST", [])]


def test_progress_and_notifications_belong_to_what_asked_for_them() -> None:
    progress = {"method": "notifications/progress", "params": {"progressToken": "t"}}
    change = {"method": "notifications/tools/list_changed", "params": {"_meta": {SUBSCRIPTION: 2}}}
    answer: dict[str, Any] = {"id": 1, "result": {}}
    found = kept(
        ("client", {"id": 1, "method": "tools/call", "params": {"_meta": {"progressToken": "t"}}}),
        ("client", {"id": 2, "method": "subscriptions/listen"}),
        *(("server", each) for each in (progress, change, answer, progress)),
    )
    assert found == [("POST", [progress, answer]), ("GET", [progress]), ("POST", [change])]
