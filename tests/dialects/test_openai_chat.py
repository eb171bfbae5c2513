"""openai-chat: what its reading, its grammar and its rendering do beyond the rules' examples."""

import json
from typing import Any

import pytest

from conformance.dialects.openai_chat import DIALECT, render
from conformance.judge.checker import Checker, check
from conformance.judge.proofs.bases import base
from conformance.judge.proofs.example import Example, example, put
from conformance.judge.view import View
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.finding import Finding
from conformance.model.registry import all_dialects
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.sse import events
from conformance.model.transcript import Malformed, Reasoning, Text, ToolCall, Turn

[CALL], [STREAM_CALL] = base("openai-chat/call"), base("openai-chat/stream-call")


CHAT = all_dialects()["openai-chat"]
WEATHER = ToolCall(None, "get_weather", {"latitude": 37.57, "longitude": 126.98})
TIME = ToolCall(None, "get_weather", {"latitude": 35.18, "longitude": 129.08})


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return f"data: {json.dumps({**head, 'choices': choices, **more})}\n\n"


def read(*chunks: str) -> Turn:
    (turn,) = CHAT.readers.read_stream(list(events("".join(chunks))))
    return turn


def request(body: Any) -> Request:
    headers = Headers([("authorization", "Bearer REDACTED"), ("content-type", "application/json")])
    return Request("POST", "https://reference.localhost/v1/chat/completions", headers, Body(body))


def played(turn: Turn, body: dict[str, Any]) -> tuple[Exchange, Rendered]:
    sent = request(body)
    rendered = render.answer(turn, CHAT.readers.read_request(sent, body), sent, IdFactory("test"))
    exchange = Exchange(sent, rendered.response, complete=True)
    return exchange, rendered


def findings(exchange: Exchange) -> list[Finding]:
    checker = Checker()
    found = checker.feed(exchange)
    assert checker.summary.harness_errors == []
    return found


class TestReading:
    def test_the_deprecated_function_call_is_a_call_without_an_id(self) -> None:
        message = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"a":1}'}}
        (turn,) = CHAT.readers.read_reply({"choices": [{"message": message, "finish_reason": "function_call"}]})
        assert [(call.id, call.name, call.arguments) for call in turn.calls] == [(None, "f", {"a": 1})]
        assert turn.stop == "tool-calls"

    def test_an_empty_function_call_is_no_call(self) -> None:
        message = {"role": "assistant", "content": "4", "function_call": {"name": "", "arguments": ""}}
        (turn,) = CHAT.readers.read_reply({"choices": [{"message": message, "finish_reason": "stop"}]})
        assert turn.calls == ()

    def test_a_deprecated_result_pairs_by_name(self) -> None:
        body = {
            "messages": [
                {"role": "user", "content": "x"},
                {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
                {"role": "function", "name": "f", "content": "1"},
            ],
            "functions": [{"name": "f"}],
        }
        ask = CHAT.readers.read_request(request(body), body)
        assert [(each.call_id, each.name) for each in ask.history[2].results] == [(None, "f")]
        assert [tool.name for tool in ask.tools or ()] == ["f"]

    def test_a_deprecated_call_in_a_stream_is_put_together(self) -> None:
        turn = read(
            chunk({"role": "assistant", "function_call": {"name": "f", "arguments": ""}}),
            chunk({"function_call": {"arguments": '{"a":'}}),
            chunk({"function_call": {"arguments": "1}"}}),
            chunk({}, "function_call"),
        )
        assert [(call.name, call.arguments) for call in turn.calls] == [("f", {"a": 1})]

    def test_an_error_in_the_middle_is_an_error_turn_and_no_content(self) -> None:
        turn = read(chunk({"role": "assistant", "content": "One"}), 'data: {"error": {"message": "overloaded"}}\n\n')
        assert turn.stop == "error"
        assert turn.text == "One"

    def test_comments_and_unknown_fields_change_nothing(self) -> None:
        plain = [chunk({"role": "assistant", "content": "One"}), chunk({}, "stop"), "data: [DONE]\n\n"]
        noisy = [": OPENROUTER PROCESSING\n\n", chunk({"role": "assistant", "content": "One"}, obfuscation="xyz")]
        assert read(*noisy, *plain[1:]).text == read(*plain).text

    def test_choices_of_one_stream_are_turns_of_their_own(self) -> None:
        said = [
            {"choices": [{"index": index, "delta": {"content": piece}, "finish_reason": None}]}
            for index, piece in ((0, "a"), (1, "b"), (0, "c"))
        ]
        text = "".join(f"data: {json.dumps(each)}\n\n" for each in said)
        assert [turn.text for turn in CHAT.readers.read_stream(list(events(text)))] == ["ac", "b"]

    def test_reasoning_is_read_and_is_no_text(self) -> None:
        turn = read(chunk({"reasoning_content": "Hm."}), chunk({"content": "Yes."}), chunk({}, "stop"))
        assert turn.parts[0] == Reasoning("Hm.", pointer="event/0/choices/0/delta/reasoning_content")
        assert turn.text == "Yes."

    @pytest.mark.parametrize("size", [1, 7, 4096])
    def test_a_stream_reads_the_same_with_any_line_ends(self, size: int) -> None:
        text = "".join(f"data: {json.dumps(event['data'])}\n\n" for event in STREAM_CALL["response"]["events"][:-1])
        for line_end in ("\n", "\r\n", "\r"):
            cut = text.replace("\n", line_end)
            pieces = [cut[start : start + size] for start in range(0, len(cut), size)]
            (turn,) = CHAT.readers.read_stream(list(events("".join(pieces))))
            assert [call.arguments for call in turn.calls] == [
                {"latitude": 37.57, "longitude": 126.98},
                {"latitude": 35.18, "longitude": 129.08},
            ]

    def test_the_same_turn_comes_out_of_a_stream_and_of_a_body(self) -> None:
        (plain,) = CHAT.readers.read_reply(CALL["response"]["body"])
        (streamed,) = CHAT.readers.read_stream(example("openai-chat/stream-call").exchanges()[0].response.events)
        assert [(one.id, one.name, one.arguments) for one in plain.calls] == [
            (one.id, one.name, one.arguments) for one in streamed.calls
        ]
        assert plain.stop == streamed.stop

    def test_arguments_that_do_not_parse_are_kept(self) -> None:
        turn = read(
            chunk({"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": "f"}}]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"a'}}]}, "length"),
        )
        assert isinstance(turn.calls[0].arguments, Malformed)
        assert turn.calls[0].wire == '{"a'


class TestGrammar:
    def test_arguments_cut_off_by_the_length_limit_are_worth_knowing(self) -> None:
        edits = [
            put("/0/response/events/6/data/choices/0/delta", {}),
            put("/0/response/events/7/data/choices/0/finish_reason", "length"),
        ]
        (exchange,) = example("openai-chat/stream-call", *edits).exchanges()
        assert [(each.rule, str(each.severity)) for each in findings(exchange)] == [("arguments-malformed", "info")]

    def test_azures_chunks_about_content_filters_are_silent(self) -> None:
        blank = {"choices": [], "created": 0, "id": "", "model": "", "object": "", "prompt_filter_results": []}
        verdict = [dict.fromkeys(("finish_reason", "logprobs"), None) | {"content_filter_results": {}, "index": 0}]
        lines = [
            f"data: {json.dumps(blank)}\n\n",
            chunk({"role": "assistant", "content": "One"}),
            chunk({}, choices=verdict),
            chunk({}, "stop"),
            "data: [DONE]\n\n",
        ]
        response = Response(200, Headers([("content-type", "text/event-stream")]), Body("".join(lines)))
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": True}
        assert findings(Exchange(request(body), response, complete=True)) == []


class TestRendering:
    BODY = CALL["request"]["body"]
    TURNS = (
        Turn("assistant", (WEATHER,), stop="tool-calls"),
        Turn("assistant", (WEATHER, TIME), stop="tool-calls"),
        Turn("assistant", (Text("I look: 14 °C?"), WEATHER), stop="tool-calls"),
        Turn("assistant", (Text("14.2 °C in Seoul."),), stop="end"),
        Turn("assistant", (Text("14.2"),), stop="length"),
    )

    @pytest.mark.parametrize("turn", TURNS, ids=range(len(TURNS)))
    @pytest.mark.parametrize(
        "options",
        [{}, {"stream": True}, {"stream": True, "stream_options": {"include_usage": True}}],
        ids=["plain", "stream", "usage"],
    )
    def test_what_is_rendered_conforms_and_reads_as_the_turn(self, turn: Turn, options: dict[str, Any]) -> None:
        exchange, _ = played(turn, {**self.BODY, **options})
        assert findings(exchange) == []
        said = (
            CHAT.readers.read_stream(exchange.response.events)
            if options
            else CHAT.readers.read_reply(exchange.response.body.json)
        )
        assert said[0].text == turn.text
        assert [(call.name, call.arguments) for call in said[0].calls] == [
            (call.name, call.arguments) for call in turn.calls
        ]
        assert said[0].stop == turn.stop

    def test_a_named_choice_ends_in_stop(self) -> None:
        choice = {"type": "function", "function": {"name": "get_weather"}}
        exchange, _ = played(self.TURNS[0], {**self.BODY, "tool_choice": choice})
        assert exchange.response.body.json["choices"][0]["finish_reason"] == "stop"
        assert findings(exchange) == []

    def test_obfuscation_can_be_switched_off(self) -> None:
        options = {"stream": True, "stream_options": {"include_obfuscation": False}}
        assert b"obfuscation" not in played(self.TURNS[0], {**self.BODY, **options})[1].body
        assert b"obfuscation" in played(self.TURNS[0], {**self.BODY, "stream": True})[1].body

    def test_the_same_seed_renders_the_same_bytes(self) -> None:
        assert played(self.TURNS[1], self.BODY)[1].body == played(self.TURNS[1], self.BODY)[1].body

    @pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
    def test_failures_have_the_provider_s_shape(self, status: int) -> None:
        sent = request(self.BODY)
        rendered = render.failure(status, "No.", sent, IdFactory("test"))
        response = rendered.response
        assert findings(Exchange(sent, response, complete=True)) == []
        assert ("retry-after" in dict(rendered.headers)) == (status == 429)


def replies(base: str) -> tuple[Turn, ...]:
    [exchange] = Example(f"openai-chat/{base}").exchanges()[:1]
    return View(exchange, DIALECT).replies


def test_a_custom_tools_input_is_text_and_the_same_streamed_or_not() -> None:
    [[call], [streamed]] = [turn.calls for base in ("custom-tool", "stream-custom-tool") for turn in replies(base)]
    assert (call.kind, call.name, call.arguments) == ("custom", "run_sql", "select 1")
    assert (streamed.kind, streamed.name, streamed.arguments, streamed.id) == (
        call.kind,
        call.name,
        call.arguments,
        call.id,
    )


def test_a_refusal_is_what_the_model_says_streamed_or_not() -> None:
    assert [turn.text for base in ("refusal", "stream-refusal") for turn in replies(base)] == ["I can not do that."] * 2


def test_a_choice_among_allowed_tools_that_requires_one_is_held_to_it() -> None:
    answer = Example("openai-chat/answer").records()[0]["response"]["body"]["choices"][0]
    broken = example("openai-chat/allowed-tools", put("/0/response/body/choices/0", answer))
    assert "tool-choice-ignored" in {finding.rule for finding in check(broken.exchanges())}


@pytest.mark.parametrize("stream", [False, True])
def test_mistrals_own_client_gets_mistrals_form_whose_thoughts_are_read(stream: bool) -> None:  # noqa: FBT001
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": stream}
    sent = request(body)
    sent = Request(
        sent.method, sent.url, Headers([*sent.headers, ("user-agent", "mistral-client-python/3.7.0")]), sent.body
    )
    thought = Turn("assistant", (Reasoning("Greet."), Text("Hello")), stop="end")
    rendered = render.answer(thought, CHAT.readers.read_request(sent, body), sent, IdFactory("s"))
    exchange = Exchange(sent, rendered.response)
    (turn,) = View(exchange, CHAT).replies
    assert [type(part) for part in turn.parts] == [Reasoning, Text]
    assert (turn.text, turn.stop) == ("Hello", "end")
    assert render.failure(401, "No.", sent, IdFactory("s")).body == b'{"detail":"No."}'
