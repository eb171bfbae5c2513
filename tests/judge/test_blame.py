"""What a server invented, and a client only sends back, is reported at the server's reply."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Edit, drop, example, put
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding

LONG = "call_" + "x" * 59
CALLS, ECHO = "/0/response/body/choices/0/message/tool_calls", "/1/request/body/messages/1/tool_calls"
RESULT = "/1/request/body/messages/2/tool_call_id"
OPENAI_SINCE = put("/0/response/body/created", 1767225600), put("/1/response/body/created", 1767225600)


def reported(*edits: Edit, base: str = "openai-chat/run", rule: str, repeat: int = 1) -> list[Finding]:
    """The findings of one rule in an example whose last exchange comes again, with longer histories."""
    exchanges = example(base, *edits).exchanges()
    checker = Checker()
    found = [each for exchange in exchanges for each in checker.feed(exchange)]
    for _ in range(repeat - 1):
        body = copy.deepcopy(exchanges[-1].request.body.json)
        body["messages"].append({"role": "user", "content": "And tomorrow?"})
        again = {
            "request": {"method": "POST", "url": exchanges[-1].request.url, "headers": {}, "body": body},
            "response": {"status": 500, "headers": {}, "body": ""},
        }
        found += checker.feed(Exchange.of(again, source="again", complete=False, group="example"))
    summary = checker.summary
    assert summary.errors + summary.warnings + summary.infos == len(found)
    return [each for each in found if each.rule == rule]


def places(found: list[Finding]) -> list[tuple[int | None, str | None, str | None]]:
    return [(each.exchange, each.side, each.pointer) for each in found]


def test_an_id_that_the_server_invented_is_reported_at_its_reply_and_once() -> None:
    edits = put(f"{CALLS}/0/id", LONG), put(f"{ECHO}/0/id", LONG), put(RESULT, LONG)
    found = reported(*edits, *OPENAI_SINCE, rule="chat-tool-call-id-too-long", repeat=3)
    assert places(found) == [(0, "response", "/choices/0/message/tool_calls/0/id")]


def test_an_id_that_the_client_invented_stays_with_its_request() -> None:
    edits = put(f"{ECHO}/0/id", LONG), put(RESULT, LONG)
    found = reported(*edits, *OPENAI_SINCE, rule="chat-tool-call-id-too-long")
    assert places(found) == [(1, "request", "/messages/1/tool_calls/0/id")]


def test_another_host_refuses_what_it_did_not_say() -> None:
    edits = put(f"{CALLS}/0/id", LONG), put(f"{ECHO}/0/id", LONG), put(RESULT, LONG)
    elsewhere = put("/1/request/url", "https://gateway.example/v1/chat/completions")
    found = reported(*edits, elsewhere, rule="chat-tool-call-id-too-long")
    assert places(found) == [(1, "request", "/messages/1/tool_calls/0/id")]


def test_what_the_reply_has_already_been_reported_is_not_reported_again() -> None:
    edits = put(f"{CALLS}/0/function/arguments", "{"), put(f"{ECHO}/0/function/arguments", "{")
    assert reported(*edits, rule="history-arguments-malformed") == []
    assert places(reported(*edits, rule="arguments-malformed")) == [(0, "response", "/choices/0/message/tool_calls/0")]


def test_arguments_that_only_the_client_broke_are_the_clients() -> None:
    found = reported(put(f"{ECHO}/0/function/arguments", "{"), rule="history-arguments-malformed")
    assert places(found) == [(1, "request", "/messages/1/tool_calls/0")]


def test_a_member_that_the_client_dropped_is_missing_in_its_request() -> None:
    assert places(reported(drop(f"{ECHO}/0/type"), rule="chat-history-call-incomplete")) == [
        (1, "request", "/messages/1/tool_calls/0")
    ]
    both = drop(f"{CALLS}/0/type"), drop(f"{ECHO}/0/type")
    assert places(reported(*both, rule="chat-history-call-incomplete")) == [
        (0, "response", "/choices/0/message/tool_calls/0")
    ]


def test_options_that_the_client_dropped_are_its_own_whoever_sent_the_call() -> None:
    found = reported(
        drop("/1/request/body/toolConfig"), base="bedrock-converse/run", rule="converse-tool-config-missing"
    )
    assert places(found)[0] == (1, "request", "/messages/1/content/1/toolUse")


def test_what_the_client_leaves_undone_stays_its_own() -> None:
    found = reported(drop("/1/request/body/messages/3"), rule="tool-call-unanswered")
    assert places(found) == [(1, "request", "/messages/1/tool_calls/1")]


def test_the_order_is_the_servers_where_it_sent_it() -> None:
    text = {"type": "text", "text": "Both, then."}
    reply, echo = "/0/response/body/content", "/1/request/body/messages/1/content"
    base, rule = "anthropic-messages/run", "messages-text-after-tool-use-unexpected"
    assert [each[:2] for each in places(reported(put(f"{echo}/2", text), base=base, rule=rule))] == [(1, "request")]
    served = put(f"{reply}/2", text), put(f"{echo}/2", text)
    assert places(reported(*served, base=base, rule=rule)) == [(0, "response", "/content/2")]


@pytest.mark.parametrize("whole", [True, False])
def test_a_streamed_reply_is_compared_as_it_came_together(whole: bool) -> None:  # noqa: FBT001
    pieces = "/0/response/events"
    at = f"{pieces}/1/data/choices/0/delta/tool_calls/0/id"
    edits = [put(f"{ECHO}/0/id", LONG), put(RESULT, LONG), *([put(at, LONG)] if whole else [])]
    found = reported(*edits, base="openai-chat/stream-run", rule="chat-tool-call-id-too-long")
    assert places(found) == (
        [(0, "response", "event/1/choices/0/delta/tool_calls/0")]
        if whole
        else [(1, "request", "/messages/1/tool_calls/0/id")]
    )


def test_arguments_that_came_as_pieces_of_text_and_go_back_as_an_object_are_the_clients() -> None:
    *_, second = example("openai-chat/stream-run").exchanges()
    text = second.request.body.json["messages"][1]["tool_calls"][0]["function"]["arguments"]
    edit = put(f"{ECHO}/0/function/arguments", json.loads(text))
    [found] = reported(edit, base="openai-chat/stream-run", rule="chat-history-call-incomplete")
    assert (found.side, found.exchange) == ("request", 1)


def test_an_old_call_beside_the_new_ones_accuses_no_client() -> None:
    call: dict[str, Any] = {"name": "get_weather", "arguments": json.dumps({"latitude": 35.18, "longitude": 129.08})}
    beside = put("/0/response/body/choices/0/message/function_call", call)
    assert reported(beside, rule="echoed-calls-mismatch") == []
    streamed = put("/0/response/events/4/data/choices/0/delta/function_call", call)
    assert reported(streamed, base="openai-chat/stream-run", rule="echoed-calls-mismatch") == []


def test_a_blamed_finding_names_the_exchange_that_it_is_about() -> None:
    documents = example("openai-chat/run", put(f"{CALLS}/0/id", LONG), put(f"{ECHO}/0/id", LONG), put(RESULT, LONG))
    checker = Checker()
    found = [
        each
        for number, record in enumerate(documents.records())
        for each in checker.feed(Exchange.of({**record, "id": f"e{number}"}, source=f"log:{number}", group="run"))
        if each.rule == "chat-tool-call-id-too-long"
    ]
    assert [(each.id, each.source) for each in found] == [("e0", "log:0")]


def test_a_blamed_finding_states_that_a_request_showed_it() -> None:
    edits = put(f"{CALLS}/0/id", LONG), put(f"{ECHO}/0/id", LONG), put(RESULT, LONG)
    (found,) = reported(*edits, *OPENAI_SINCE, rule="chat-tool-call-id-too-long")
    assert found.message.endswith(", and a request sends it back")
