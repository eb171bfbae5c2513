"""Reading, judging and rendering Messages; the rules themselves are proved by their examples."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.dialects.anthropic_messages import DIALECT, render
from conformance.judge.checker import Checker
from conformance.judge.proofs.bases import base as exchanges_of
from conformance.judge.proofs.bases import base_names
from conformance.judge.proofs.example import Example, drop
from conformance.judge.view import View
from conformance.model import eventstream
from conformance.model.exchange import Exchange, Headers
from conformance.model.registry import claim
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Turn
from tests.judged import judge


def exchange(base: str, number: int = 0) -> Exchange:
    return Example(f"anthropic-messages/{base}").exchanges()[number]


def view(base: str, number: int = 0) -> View:
    return View(exchange(base, number), DIALECT)


def said(turn: Turn) -> list[object]:
    """A turn without places and wire texts, so that a streamed one can be compared with a whole one."""
    plain: list[object] = []
    for part in turn.parts:
        if isinstance(part, ToolCall):
            plain.append((part.id, part.name, part.arguments, part.kind))
        elif isinstance(part, Reasoning):
            plain.append((part.text, part.signature))
        elif isinstance(part, Text):
            plain.append(part.text)
        elif isinstance(part, ToolResult):
            plain.append((part.call_id, part.content, part.kind))
    return [*plain, turn.stop]


def record(url: str, body: Any) -> Exchange:
    answer = {"status": 200, "headers": {}, "body": None}
    return Exchange.of({"request": {"method": "POST", "url": url, "body": body}, "response": answer})


@pytest.mark.parametrize(
    ("url", "body", "claimed"),
    [
        ("https://api.anthropic.com/v1/messages?beta=true", {}, True),
        ("http://localhost:8080/v1/messages", {"max_tokens": 1, "messages": []}, True),
        ("https://x.services.ai.azure.com/anthropic/v1/messages", {"messages": []}, True),
        ("https://api.anthropic.com/v1/messages/count_tokens", {"messages": []}, False),
        ("https://api.anthropic.com/v1/messages/batches", {"requests": []}, False),
        ("https://api.openai.com/v1/threads/thread_1/messages", {"role": "user", "content": "x"}, False),
        ("https://mcp.example/messages", {"jsonrpc": "2.0", "method": "tools/list"}, False),
        (
            "https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict",
            {"anthropic_version": "vertex-2023-10-16", "messages": []},
            True,
        ),
        (
            "https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.m-v1%3A0/invoke",
            {"anthropic_version": "bedrock-2023-05-31", "messages": []},
            True,
        ),
        ("https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-v2/invoke", {"prompt": "x"}, False),
        ("https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-v1/invoke", {"messages": []}, False),
    ],
)
def test_a_request_is_claimed_by_its_path_and_the_keys_of_its_body(url: str, body: Any, claimed: bool) -> None:  # noqa: FBT001
    assert DIALECT.claims(record(url, body).request) is claimed
    assert (claim(record(url, body).request) is DIALECT) is claimed


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("run", ["run", "thinking-run"])
def test_a_stream_reads_as_the_same_turn_as_the_whole_answer(run: str, number: int) -> None:
    streamed, whole = view(f"stream-{run}", number).replies, view(run, number).replies
    assert [said(turn) for turn in streamed] == [said(turn) for turn in whole]


@pytest.mark.statement("ANT-S-007")
def test_a_call_without_arguments_streams_empty_text_and_means_an_empty_object() -> None:
    (call,) = view("stream-no-arguments").replies[0].calls
    assert (call.arguments, call.wire) == ({}, "")


@pytest.mark.statement("0.3.4", "ANT-C-002")
def test_neighbours_of_one_role_are_one_turn_whose_parts_keep_their_places() -> None:
    body = exchange("answer").request.body.json
    question, asked, answered = body["messages"]
    text, *calls = asked["content"]
    split = [
        question,
        {"role": "assistant", "content": [text, calls[0]]},
        {"role": "assistant", "content": [calls[1]]},
        *({"role": "user", "content": [result]} for result in answered["content"]),
    ]
    ask = DIALECT.readers.read_request(exchange("answer").request, {**body, "messages": split})
    assert [turn.role for turn in ask.history] == ["user", "assistant", "user"]
    assert [call.pointer for call in ask.history[1].calls] == ["/messages/1/content/1", "/messages/2/content/0"]
    assert [result.pointer for result in ask.history[2].results] == ["/messages/3/content/0", "/messages/4/content/0"]


def test_a_server_tool_is_not_the_clients_to_answer() -> None:
    turn = view("pause-run").replies[0]
    kinds = [part.kind for part in turn.parts if isinstance(part, (ToolCall, ToolResult))]
    assert kinds == ["server", "server"]
    assert (turn.calls, turn.results, turn.stop) == ((), (), "pause")


def test_a_result_of_a_server_tool_that_names_no_call_answers_none() -> None:
    faulty = Example("anthropic-messages/pause-run", (drop("/1/request/body/messages/1/content/2/tool_use_id"),))
    places = [each.pointer for each in judge(faulty) if each.rule == "history-server-result-orphaned"]
    assert places == ["/messages/1/content/2"]


def test_an_error_result_says_so() -> None:
    (result,) = view("error-result", 1).ask.history[-1].results
    assert result.is_error is True


def test_the_choice_carries_the_switch_of_parallel_calls() -> None:
    ask = view("named-serial").ask
    assert ask.choice is not None
    assert (ask.choice.mode, ask.choice.names, ask.parallel) == ("named", ("get_weather",), False)


def bedrock_stream(wrap: str) -> Any:
    """The events of a stream as Bedrock's event stream carries them, at each layer a recorder may keep."""
    events = [event["data"] for event in exchanges_of("anthropic-messages/stream-call")[0]["response"]["events"]]
    wrapped = [{"bytes": base64.b64encode(json.dumps(event).encode()).decode()} for event in events]
    if wrap == "frames":
        return b"".join(eventstream.encoded("chunk", json.dumps(each).encode()) for each in wrapped)
    layers = {"events": events, "payload": [{"headers": {}, "payload": each} for each in wrapped]}
    return layers.get(wrap) or [{"chunk": each} for each in wrapped]


@pytest.mark.parametrize("wrap", ["events", "payload", "chunk", "frames"])
def test_a_bedrock_stream_reads_as_the_same_turn(wrap: str) -> None:
    asked = exchange("bedrock").request
    sent = {"method": "POST", "url": f"{asked.url}-with-response-stream", "body": asked.body.json}
    headers = {"content-type": "application/vnd.amazon.eventstream"}
    answer = {"status": 200, "headers": headers, "body": bedrock_stream(wrap)}
    found = Checker()
    streamed = Exchange.of({"request": sent, "response": answer})
    assert found.feed(streamed) == []
    assert said(View(streamed, DIALECT).replies[0]) == said(view("call").replies[0])


def judged(rendered: Rendered, base: str, *, stream: bool = False) -> View:
    """What the suite says to a rendered answer: nothing."""
    asked = exchange(base).request
    body = {**asked.body.json, "stream": stream}
    sent = {"method": "POST", "url": asked.url, "headers": dict(asked.headers), "body": body}
    answer = {"status": rendered.status, "headers": dict(rendered.headers), "body": rendered.body.decode()}
    one = Exchange.of({"request": sent, "response": answer}, complete=True)
    checker = Checker()
    assert checker.feed(one) == []
    assert checker.summary.harness_errors == []
    return View(one, DIALECT)


_TURNS: dict[str, tuple[Part, ...]] = {
    "call": (Text("Both, then."), ToolCall(None, "get_weather", {"latitude": 37.57, "longitude": 126.98})),
    "answer": (Text("14.2 °C in Seoul — 서울."),),
    "thinking-run": (
        Reasoning("Two places."),
        Reasoning(None),
        ToolCall("toolu_01Own", "get_weather", {"latitude": 1, "longitude": 2}),
    ),
    "stream-no-arguments": (ToolCall(None, "get_time", {}),),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("base", _TURNS)
def test_a_rendered_turn_reads_back_and_is_conforming(base: str, stream: bool) -> None:  # noqa: FBT001
    asked = exchange(base).request
    stop: Any = "tool-calls" if any(isinstance(part, ToolCall) for part in _TURNS[base]) else "end"
    ask = DIALECT.readers.read_request(asked, {**asked.body.json, "stream": stream})
    rendered = render.answer(Turn("assistant", _TURNS[base], stop=stop), ask, asked, IdFactory("seed"))
    assert (len(rendered.chunks) > 1) is stream
    turn = judged(rendered, base, stream=stream).replies[0]
    assert turn.stop == stop
    assert [type(part) for part in turn.parts] == [type(part) for part in _TURNS[base]]
    assert turn.text == "".join(part.text for part in _TURNS[base] if isinstance(part, Text))
    assert [call.arguments for call in turn.calls] == [
        part.arguments for part in _TURNS[base] if isinstance(part, ToolCall)
    ]


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 529])
def test_a_rendered_failure_is_conforming(status: int) -> None:
    rendered = render.failure(status, "No.", exchange("call").request, IdFactory("seed"))
    assert rendered.status == status
    assert ("retry-after" in Headers(rendered.headers)) is (status == 429)
    judged(rendered, "call")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "text", "tool_use", "assistant", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "id", "content"]), inner),
    max_leaves=4,
)


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    return [path, *(place for key, value in keys for place in places(value, (*path, key)))]


def event_text(event: Any) -> str:
    whole = event if isinstance(event, dict) else {"event": "ping", "data": event}
    return f"event: {whole.get('event')}\ndata: {json.dumps(whole.get('data'))}\n\n"


@given(data=st.data(), base=st.sampled_from(base_names("anthropic-messages")))
def test_no_rule_raises_on_anything(data: st.DataObject, base: str) -> None:
    document: Any = exchanges_of(f"anthropic-messages/{base}")
    spots = [place for place in places(document) if len(place) > 2 and place[1] in ("request", "response")]
    spots = [place for place in spots if place[2] in ("body", "events")]
    place = data.draw(st.sampled_from(spots))
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = data.draw(JSON) if place[-1] != "events" else []
    checker = Checker()
    for one in document:
        response = one["response"]
        if "events" in response:
            response["body"] = "".join(map(event_text, response.pop("events")))
        checker.feed(Exchange.of(one, complete=True, group="mutant"))
    assert checker.summary.harness_errors == []
