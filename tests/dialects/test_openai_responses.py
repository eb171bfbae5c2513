"""openai-responses: what its reading, its chain of responses and its rendering do beyond the rules' examples."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from conformance.dialects.openai_responses import render
from conformance.dialects.openai_responses.request import turns_from
from conformance.judge.checker import Checker
from conformance.judge.proofs.bases import base
from conformance.judge.proofs.example import Example, example, put
from conformance.judge.relations.strict import strict_gaps
from conformance.judge.view import View
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.finding import Finding, Severity
from conformance.model.registry import all_dialects, claim
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.sse import events
from conformance.model.transcript import Ask, Malformed, Reasoning, Text, ToolCall, ToolResult, Turn, Unknown

WEATHER_TOOL = base("openai-responses/call")[0]["request"]["body"]["tools"][0]
RESPONSES = all_dialects()["openai-responses"]
URL = "https://reference.localhost/v1/responses"
SEOUL = ToolCall(None, "get_weather", {"latitude": 37.57, "longitude": 126.98})
BUSAN = ToolCall(None, "get_weather", {"latitude": 35.18, "longitude": 129.08})
CUSTOM_TOOL = {"type": "custom", "name": "calculate", "description": "Evaluates an expression."}


def request(body: Any, url: str = URL, method: str = "POST") -> Request:
    headers = Headers([("authorization", "Bearer REDACTED"), ("content-type", "application/json")])
    return Request(method, url, headers, Body(body))


def read(*items: Any, **options: Any) -> Ask:
    body = {"model": "m", "input": list(items), **options}
    return RESPONSES.readers.read_request(request(body), body)


def call(call_id: str, name: str = "f") -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}"}


def output(call_id: str, text: str = "ok") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def played(turn: Turn, **options: Any) -> tuple[Exchange, Rendered]:
    body = {
        "model": "gpt-5-mini",
        "input": "How warm is it?",
        "tools": [WEATHER_TOOL, CUSTOM_TOOL, {"type": "web_search"}],
        **options,
    }
    sent = request(body)
    rendered = render.answer(turn, RESPONSES.readers.read_request(sent, body), sent, IdFactory("test"))
    response = rendered.response
    return Exchange(sent, response, complete=True), rendered


def findings(*exchanges: Exchange) -> list[Finding]:
    checker = Checker()
    found = [finding for exchange in exchanges for finding in checker.feed(exchange)]
    assert checker.summary.harness_errors == []
    assert checker.summary.unclaimed == 0
    return found


def views(*exchanges: Exchange) -> list[View]:
    made: list[View] = []
    for exchange in exchanges:
        made.append(View(exchange, RESPONSES, tuple(made)))
    return made


class TestClaims:
    @pytest.mark.parametrize(
        "url",
        [
            "https://api.openai.com/v1/responses",
            "https://x.openai.azure.com/openai/responses?api-version=2025-04-01",
            "http://localhost:3000/router/v2/openai/v1/responses/",
        ],
    )
    @pytest.mark.parametrize(
        "body", [{"input": "Hi"}, {"previous_response_id": "resp_1"}, {"prompt": {"id": "pmpt_1"}}]
    )
    def test_a_post_of_input_or_a_reference_is_ours(self, url: str, body: Any) -> None:
        assert claim(request(body, url)) is RESPONSES

    @pytest.mark.parametrize(
        ("url", "method"),
        [
            (f"{URL}/resp_1", "GET"),
            (f"{URL}/resp_1/cancel", "POST"),
            (f"{URL}/input_tokens", "POST"),
            (f"{URL}/compact", "POST"),
            (URL, "GET"),
            ("https://reference.localhost/v1/chat/completions", "POST"),
        ],
    )
    def test_what_stands_below_or_beside_it_is_not(self, url: str, method: str) -> None:
        assert not RESPONSES.claims(request({"model": "m", "input": "Hi"}, url, method))

    def test_another_api_that_ends_in_responses_is_not_ours(self) -> None:
        assert claim(request({"survey": 1}, "https://forms.example/api/responses")) is None


class TestReadingRequests:
    def test_a_string_is_what_the_user_says(self) -> None:
        ask = RESPONSES.readers.read_request(request({}), {"input": "Hi"})
        assert ask.history == (Turn("user", (Text("Hi", "/input"),), "/input"),)

    def test_items_in_a_row_are_one_turn_and_keep_their_places(self) -> None:
        thought = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]}
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Wait."}]}
        ask = read(user("Go"), thought, said, call("c1"), call("c2"), output("c1"), output("c2"))
        assert [turn.role for turn in ask.history] == ["user", "assistant", "tool"]
        assert [part.pointer for part in ask.history[1].parts] == [
            "/input/1",
            "/input/2/content/0",
            "/input/3",
            "/input/4",
        ]
        assert isinstance(ask.history[1].parts[0], Reasoning)
        assert ask.history[1].parts[0].text == "hm"

    def test_the_id_of_a_call_is_what_the_result_refers_to(self) -> None:
        ask = read(user("Go"), {**call("call_1"), "id": "fc_1"}, output("call_1"))
        assert [each.id for each in ask.history[1].calls] == ["call_1"]
        assert [each.call_id for each in ask.history[2].results] == ["call_1"]

    def test_a_late_output_joins_the_turn_after_its_call(self) -> None:
        ask = read(user("Go"), call("c1"), user("Still there?"), output("c1"))
        assert [turn.role for turn in ask.history] == ["user", "assistant", "tool", "user"]

    def test_items_are_read_on_their_own_unless_they_answer_an_earlier_call_or_come_late(self) -> None:
        items = [user("Go"), call("c1"), output("c1"), user("And?")]
        on_their_own = turns_from({"input": items}, 1)
        assert on_their_own is not None
        assert [turn.role for turn in on_their_own] == ["assistant", "tool", "user"]
        assert turns_from({"input": items}, 2) is None
        assert turns_from({"input": [call("c1"), user("Still there?"), output("c1")]}, 0) is None

    def test_developer_messages_are_the_systems_and_instructions_are_no_turn(self) -> None:
        ask = read({"role": "developer", "content": "Be brief."}, user("Hi"), instructions="Be kind.")
        assert [turn.role for turn in ask.history] == ["system", "user"]
        assert ask.extra["instructions"] == "Be kind."

    def test_a_custom_call_carries_text_that_is_no_json(self) -> None:
        item = {"type": "custom_tool_call", "call_id": "c1", "name": "calculate", "input": "4 + 4"}
        ask = read(user("Go"), item, {"type": "custom_tool_call_output", "call_id": "c1", "output": "8"})
        (made,) = ask.history[1].calls
        assert (made.kind, made.arguments) == ("custom", "4 + 4")
        assert ask.history[2].results[0].kind == "custom"

    def test_the_providers_own_tools_are_not_the_clients_to_answer(self) -> None:
        search = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}}
        ask = read(user("Go"), search, {"type": "mcp_list_tools", "id": "mcpl_1", "tools": []}, call("c1"))
        assert [each.name for each in ask.history[1].calls] == ["f"]
        assert [type(part) for part in ask.history[1].parts] == [ToolCall, Unknown, ToolCall]

    def test_a_functions_output_may_answer_a_tool_search(self) -> None:
        search = {"type": "tool_search_call", "call_id": "s1", "execution": "client", "arguments": {}}
        ask = read(user("Go"), search, output("s1"), user("And?"))
        assert ask.history[2].results == ()
        assert findings(*played_request(ask_items=[user("Go"), search, output("s1"), user("And?")])) == []

    def test_tools_in_namespaces_and_items_are_declared_once(self) -> None:
        inner = {**WEATHER_TOOL, "name": "inner"}
        loaded = {"type": "additional_tools", "role": "developer", "tools": [WEATHER_TOOL, {**inner, "name": "late"}]}
        ask = read(
            user("Go"),
            loaded,
            tools=[WEATHER_TOOL, {"type": "namespace", "name": "ns", "tools": [inner]}, {"type": "web_search"}],
        )
        assert [(tool.name, tool.pointer) for tool in ask.tools or ()] == [
            ("get_weather", "/tools/0"),
            ("inner", "/tools/1/tools/0"),
            (None, "/tools/2"),
            ("late", "/input/1/tools/1"),
        ]
        assert [turn.role for turn in ask.history] == ["user"]

    @pytest.mark.parametrize(
        ("choice", "mode", "names"),
        [
            ("required", "required", ()),
            ({"type": "function", "name": "f"}, "named", ("f",)),
            (
                {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}]},
                "required",
                ("f",),
            ),
            ({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "mcp", "server_label": "x"}]}, "auto", ()),
        ],
    )
    def test_the_tool_choice_is_read_in_its_flat_forms(self, choice: Any, mode: str, names: tuple[str, ...]) -> None:
        read_choice = read(user("Go"), tool_choice=choice).choice
        assert read_choice is not None
        assert (read_choice.mode, read_choice.names) == (mode, names)

    @pytest.mark.parametrize("body", [None, 7, [], {"input": 7}, {"input": [7, None, {}]}, {"tools": [7], "input": {}}])
    def test_any_json_is_read(self, body: Any) -> None:
        assert isinstance(RESPONSES.readers.read_request(request(body), body), Ask)


def played_request(ask_items: list[Any]) -> list[Exchange]:
    """A conforming answer to a request with these items."""
    body = {"model": "gpt-5-mini", "input": ask_items, "tools": [WEATHER_TOOL]}
    sent = request(body)
    rendered = render.answer(Turn("assistant", (Text("Done."),)), read(*ask_items), sent, IdFactory("test"))
    return [Exchange(sent, Response(200, Headers(rendered.headers), Body(rendered.body)))]


class TestReadingReplies:
    @pytest.mark.parametrize(
        ("response", "stop"),
        [
            ({"status": "completed", "output": [call("c1")]}, "tool-calls"),
            ({"status": "completed", "output": []}, "end"),
            ({"status": "completed", "output": [{"type": "web_search_call", "id": "ws_1"}]}, "end"),
            ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "length"),
            ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "filter"),
            ({"status": "incomplete", "incomplete_details": None}, "other"),
            ({"status": "failed", "error": {"code": "server_error", "message": "x"}}, "error"),
            ({"status": "cancelled"}, "other"),
            ({}, None),
        ],
    )
    def test_the_stop_reason_follows_from_status_and_output(self, response: Any, stop: str | None) -> None:
        (turn,) = RESPONSES.readers.read_reply(response)
        assert turn.stop == stop

    def test_a_queued_response_has_said_nothing_yet(self) -> None:
        assert RESPONSES.readers.read_reply({"status": "queued", "background": True, "output": []}) == ()

    def test_a_refusal_is_what_the_model_says(self) -> None:
        content = [{"type": "refusal", "refusal": "No."}]
        (turn,) = RESPONSES.readers.read_reply(
            {"status": "completed", "output": [{"type": "message", "content": content}]}
        )
        assert turn.text == "No."

    def test_arguments_that_do_not_parse_are_kept(self) -> None:
        (turn,) = RESPONSES.readers.read_reply({"output": [{**call("c1"), "arguments": '{"a":'}]})
        assert isinstance(turn.calls[0].arguments, Malformed)
        assert turn.calls[0].wire == '{"a":'

    @pytest.mark.parametrize("body", [[], "x", 7, {"output": 7}, {"output": [7, {"type": 7}]}])
    def test_any_json_is_read(self, body: Any) -> None:
        (turn,) = RESPONSES.readers.read_reply(body)
        assert turn.role == "assistant"


class TestStreams:
    @pytest.mark.parametrize(("stream", "sync"), [("stream-call", "call"), ("stream-answer", "answer")])
    def test_a_stream_says_what_the_body_says(self, stream: str, sync: str) -> None:
        (streamed,), (plain,) = (views(*Example(f"openai-responses/{name}").exchanges()) for name in (stream, sync))
        one, other = streamed.replies[0], plain.replies[0]
        assert (one.text, one.stop, one.id) == (other.text, other.stop, other.id)
        assert [(each.id, each.name, each.arguments) for each in one.calls] == [
            (each.id, each.name, each.arguments) for each in other.calls
        ]

    def test_the_seal_to_keep_is_that_of_the_finished_item(self) -> None:
        (view,) = views(*Example("openai-responses/stream-reasoning").exchanges())
        thought = view.replies[0].parts[0]
        assert isinstance(thought, Reasoning)
        assert thought.signature == "gAAAAABpReasoning1"

    def test_a_stream_that_breaks_off_says_what_it_had_said(self) -> None:
        text = Example("openai-responses/stream-answer").records()[0]["response"]["body"]
        (turn,) = RESPONSES.readers.read_stream(list(events(text[: text.index("event: response.output_text.done")])))
        assert turn.text == "14.2 °C in Seoul, 17.9 °C in Busan."
        assert turn.stop is None

    def test_an_error_event_ends_the_turn(self) -> None:
        lines = 'event: error\ndata: {"type":"error","code":"server_error","message":"x","sequence_number":0}\n\n'
        (turn,) = RESPONSES.readers.read_stream(list(events(lines)))
        assert (turn.stop, turn.stop_pointer) == ("error", "event/0")

    def test_an_end_mark_is_no_fault(self) -> None:
        text = Example("openai-responses/stream-call").records()[0]["response"]["body"]
        record = {**Example("openai-responses/stream-call").records()[0]}
        record["response"] = {**record["response"], "body": text + "data: [DONE]\n\n"}
        assert findings(Exchange.of(record, complete=True)) == []


class TestTheServersMemory:
    def test_a_request_that_names_an_earlier_response_has_its_turns(self) -> None:
        first, second = views(*Example("openai-responses/run-previous").exchanges())
        assert [turn.role for turn in second.history] == ["user", "assistant", "tool"]
        assert second.history[1].calls == tuple(
            ToolCall(each.id, each.name, each.arguments, "/previous_response_id", each.wire)
            for each in first.replies[0].calls
        )
        assert not second.partial
        assert second.continues is not None

    def test_a_streamed_response_is_remembered_too(self) -> None:
        stream, plain = Example("openai-responses/stream-call"), Example("openai-responses/run-previous")
        _, second = views(stream.exchanges()[0], plain.exchanges()[1])
        assert [turn.role for turn in second.history] == ["user", "assistant", "tool"]

    def test_a_call_that_is_left_open_is_found_in_the_response_that_made_it(self) -> None:
        left = example("openai-responses/run-previous", put("/1/request/body/input", [user("Forget it.")]))
        found = findings(*left.exchanges())
        assert [(each.rule, each.pointer) for each in found] == [("tool-call-unanswered", "/previous_response_id")] * 2

    @pytest.mark.parametrize(
        "options",
        [{"previous_response_id": "resp_elsewhere"}, {"conversation": "conv_1"}, {"conversation": {"id": "conv_1"}}],
    )
    def test_what_the_run_does_not_show_is_not_judged(self, options: dict[str, Any]) -> None:
        answer, _ = played(Turn("assistant", (Text("Done."),)), input=[output("call_1")], **options)
        assert [each.rule for each in findings(answer)] == []

    def test_an_output_for_a_referenced_call_is_no_orphan(self) -> None:
        items = [user("Go"), {"type": "item_reference", "id": "fc_1"}, output("call_1")]
        assert findings(*played_request(items)) == []

    def test_a_wrong_id_is_an_orphan_where_the_run_shows_the_call(self) -> None:
        wrong = example("openai-responses/run-previous", put("/1/request/body/input/1/call_id", "call_of_nobody"))
        assert sorted({each.rule for each in findings(*wrong.exchanges())}) == [
            "tool-call-unanswered",
            "tool-result-orphaned",
        ]


TURNS = {
    "text": Turn("assistant", (Text("14.2 °C 🌤"),), stop="end"),
    "calls": Turn("assistant", (Text("One moment."), SEOUL, BUSAN), stop="tool-calls"),
    "reasoning": Turn("assistant", (Reasoning("Two places."), SEOUL), stop="tool-calls"),
    "hidden reasoning": Turn("assistant", (Reasoning(None), Text("Done.")), stop="end"),
    "custom": Turn("assistant", (ToolCall(None, "calculate", "4 + 4", kind="custom"),), stop="tool-calls"),
    "server": Turn("assistant", (ToolCall(None, "web_search", {"type": "search"}, kind="server"), Text("Found."))),
    "cut off": Turn("assistant", (Text("14.2 °C in Se"),), stop="length"),
    "filtered": Turn("assistant", (Text("I"),), stop="filter"),
    "failed": Turn("assistant", (), stop="error"),
}


class TestRendering:
    @pytest.mark.parametrize("stream", [False, True])
    @pytest.mark.parametrize("name", TURNS)
    def test_what_the_reference_sends_is_conforming_and_says_the_turn(self, name: str, stream: bool) -> None:  # noqa: FBT001
        turn = TURNS[name]
        exchange, _ = played(turn, stream=stream, store=False, include=["reasoning.encrypted_content"])
        assert findings(exchange) == []
        (reply,) = views(exchange)[0].replies
        assert (reply.text, reply.stop) == (turn.text, turn.stop or "end")
        assert [(each.name, each.arguments) for each in reply.calls] == [
            (each.name, each.arguments) for each in turn.calls
        ]

    def test_a_stream_is_cut_into_its_events(self) -> None:
        _, rendered = played(TURNS["calls"], stream=True)
        assert len(rendered.chunks) == len(list(events(rendered.body.decode())))
        assert b"[DONE]" not in rendered.body

    def test_a_body_is_written_as_the_provider_writes_it(self) -> None:
        _, rendered = played(TURNS["text"])
        assert rendered.body.startswith(b'{\n  "id": "resp_')
        body = json.loads(rendered.body)
        assert body["id"].removeprefix("resp_")[:26] == body["output"][0]["id"].removeprefix("msg_")[:26]

    def test_a_tool_that_does_not_say_whether_it_is_strict_becomes_strict_if_it_can(self) -> None:
        closed = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
        tools = [
            {"type": "function", "name": "a", "parameters": closed},
            {"type": "function", "name": "b", "parameters": {**closed, "required": []}},
        ]
        body = json.loads(played(TURNS["text"], tools=tools)[1].body)
        assert [tool["strict"] for tool in body["tools"]] == [True, False]
        assert body["tools"][0]["parameters"]["additionalProperties"] is False

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 503])
    def test_an_error_has_the_providers_shape(self, status: int) -> None:
        sent = request({"model": "m", "input": "Hi"})
        rendered = render.failure(status, "No.", sent, IdFactory("test"))
        exchange = Exchange(sent, Response(status, Headers(rendered.headers), Body(rendered.body)), complete=True)
        assert findings(exchange) == []
        assert json.loads(rendered.body)["error"]["message"] == "No."
        assert ("retry-after" in Headers(rendered.headers)) == (status == 429)

    def test_recording_again_changes_nothing(self) -> None:
        assert played(TURNS["reasoning"], stream=True)[1] == played(TURNS["reasoning"], stream=True)[1]


class TestStrictSchemas:
    def test_every_object_below_the_root_counts(self) -> None:
        inner = {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": False}
        schema = {
            "type": "object",
            "properties": {"a": {"type": "array", "items": inner}, "b": {"anyOf": [{"type": "null"}, inner]}},
            "required": ["a", "b"],
            "additionalProperties": False,
            "$defs": {"c": {"type": ["object", "null"]}},
        }
        assert [where for where, _ in strict_gaps(schema, "")] == [
            "/properties/a/items",
            "/properties/b/anyOf/1",
            "/$defs/c",
        ]

    def test_a_schema_that_contains_itself_ends(self) -> None:
        schema: dict[str, Any] = {"type": "object", "additionalProperties": False}
        schema["properties"] = {"self": schema}
        assert len(list(strict_gaps(schema, ""))) < 100


def test_a_repeated_answer_of_the_run_is_recognised() -> None:
    first, second = views(*Example("openai-responses/run").exchanges())
    assert second.continues is not None
    assert len(second.continues.pairs) == 2
    assert first.continues is None
    assert isinstance(second.history[2].parts[0], ToolResult)


def test_official_replies_are_without_a_finding_that_would_be_wrong(corpus: Path) -> None:
    """The errors left are the client's own: see the adjudication of this dialect."""
    checker, errors = Checker(), Counter[tuple[str, str | None]]()
    with gzip.open(corpus / "openai-responses.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            official = record["vendor"] in ("openai", "azure-openai", "azure-ai")
            for finding in checker.feed(Exchange.of(record, source="corpus:1")):
                if official and str(finding.severity) == "error" and record["response"]["status"] < 300:
                    errors[finding.rule, finding.side] += 1
    assert checker.summary.harness_errors == []
    assert set(errors) <= {
        ("echoed-call-changed", "request"),
        ("responses-tool-fields-misplaced", "request"),
        ("stream-empty", "response"),
    }


def test_the_number_of_an_event_is_not_null() -> None:
    faulty = example("openai-responses/stream-call", put("/0/response/events/3/data/sequence_number", None))
    (found,) = findings(*faulty.exchanges())
    assert (found.rule, found.severity) == ("responses-event-field-wrong-type", Severity.ERROR)
    assert found.pointer == "event/3/sequence_number"


def test_duplicate_keys_of_an_error_under_the_type_of_a_stream_are_found() -> None:
    said = '{"error": {"message": "No.", "message": "", "type": "not_found", "param": null, "code": null}}'
    response = Response(404, Headers([("content-type", "text/event-stream")]), Body(said))
    reported = findings(Exchange(request({"model": "gpt-5", "input": "Hello."}), response))
    assert "/error/message" in {finding.pointer for finding in reported if finding.rule == "key-duplicate"}
