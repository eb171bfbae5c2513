"""The reference server understands clients, or reports what it does not: results, scenarios, tools, stored items."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.errors import ConformanceError
from conformance.profiles.tool_schema import misfits
from conformance.reference.recorded import Recorded
from conformance.reference.samples import sample
from conformance.reference.sessions import Sessions
from conformance.scenario.load import all_scenarios
from tests.cassettes import SHIPPED
from tests.talking import CITIES, KEY, RESULT, WEATHER, Talk, chat_tool, spoken, talking

ANSWER = "지금 서울의 기온은 14.2°C이고, 하늘은 맑음입니다."
ANTHROPIC = {"x_api_key": "key", "anthropic_version": "2023-06-01", "content_type": "application/json"}


@pytest.fixture(scope="module")
def server() -> Iterator[Talk]:
    with talking() as made:
        yield made


@pytest.fixture
def talk(server: Talk) -> Talk:
    server.begin()
    return server


@pytest.mark.parametrize(
    "result",
    [
        RESULT,
        {"return_value": RESULT},
        {"output": [{"type": "text", "text": json.dumps(RESULT)}]},
        {"name": "get_weather", "content": RESULT},
        {"content": [{"type": "text", "text": json.dumps({"result": RESULT})}], "isError": False},
        json.dumps(json.dumps(RESULT)),
        str(RESULT),
        [RESULT],
    ],
    ids=lambda result: json.dumps(result, ensure_ascii=False)[:40],
)
def test_results_are_read_in_the_envelopes_of_frameworks(talk: Talk, result: Any) -> None:
    assert talk.play(result=result) == ANSWER
    assert talk.conversations()[0]["notes"] == []


@pytest.mark.parametrize("result", ["It is rather warm.", {"degrees": 14.2}, "", [], {"output": None}])
def test_a_result_that_cannot_be_matched_is_repeated_and_noted(talk: Talk, result: Any) -> None:
    text = talk.play(result=result)
    assert text.startswith("get_weather returned: ")
    assert "{get_weather" not in text
    [note] = talk.conversations()[0]["notes"]
    assert note.startswith("the result of get_weather has no member temperature")


def test_results_in_a_user_message_are_found(talk: Talk) -> None:
    messages = [
        {"role": "user", "content": WEATHER},
        {"role": "assistant", "content": "I call get_weather."},
        {"role": "user", "content": f"Observation: {RESULT}"},
    ]
    assert talk.chat(messages, "get_weather").message["content"] == ANSWER


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (f"<task>\n{WEATHER}\n</task> Use tools.", {}),
        ("Something else.", {"path": "/scenario/weather"}),
        ("Something else.", {"headers": {"x_conformance_scenario": "weather"}}),
        ("Something else.", {"headers": {"authorization": "Bearer scenario=weather"}}),
        ("Something else.", {"model": "gpt-4o-mini@weather"}),
    ],
)
def test_a_scenario_is_chosen_by_words_path_header_key_or_model(talk: Talk, words: str, more: dict[str, Any]) -> None:
    assert talk.play(words, **more) == ANSWER
    assert talk.conversations()[0]["scenario"] == "weather"


def test_a_later_message_begins_another_scenario(talk: Talk) -> None:
    history = [
        {"role": "user", "content": WEATHER},
        {"role": "assistant", "content": "No."},
        {"role": "user", "content": CITIES},
    ]
    calls = talk.chat(history, "get_weather").message["tool_calls"]
    assert [json.loads(call["function"]["arguments"])["city"] for call in calls] == ["Seoul", "Busan"]


def test_words_of_no_scenario_and_an_unknown_scenario_are_not_found(talk: Talk) -> None:
    assert talk.chat([{"role": "user", "content": "Nobody's words."}]).status == 404
    unknown = talk.chat([{"role": "user", "content": WEATHER}], path="/scenario/nothing")
    assert unknown.status == 404
    assert "There is no scenario nothing" in unknown.json["error"]["message"]


def test_an_undeclared_tool_is_not_called(talk: Talk) -> None:
    answer = talk.chat([{"role": "user", "content": WEATHER}], "another_tool")
    assert "tool_calls" not in answer.message
    [played] = talk.conversations(exit_code=0)
    assert played["notes"] == ["the scenario calls get_weather, but the request declares another_tool"]
    assert played["outcome"] == "unfinished"


SEARCH = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "pages": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["query"],
    "additionalProperties": False,
}


def test_a_client_that_names_a_scenario_plays_it_with_its_own_tools(talk: Talk) -> None:
    own = {"type": "function", "function": {"name": "search", "description": "Search.", "parameters": SEARCH}}
    messages: list[Any] = [{"role": "user", "content": "Look it up."}]
    asked: dict[str, Any] = {"tools": [own], "path": "/scenario/parallel-weather"}
    first = talk.chat(messages, **asked).message
    calls = first["tool_calls"]
    arguments = [json.loads(each["function"]["arguments"]) for each in calls]
    assert [each["function"]["name"] for each in calls] == ["search", "search"]
    assert arguments == [{"query": "conformance", "pages": 1}, {"query": "conformance 2", "pages": 2}]
    assert all(not list(misfits(each, SEARCH)) for each in arguments)
    found = [{"role": "tool", "tool_call_id": each["id"], "content": f"page {at}"} for at, each in enumerate(calls)]
    last = talk.chat([*messages, spoken(first), *found], **asked).message
    assert last["content"] == 'The tools returned: "page 0"; "page 1".'
    [played] = talk.conversations(exit_code=0)
    assert (played["outcome"], played["notes"]) == ("complete", [])


@pytest.mark.parametrize("name", ["mcp__weather__get_weather", "getWeather", "weather-get_weather"])
def test_a_tool_is_called_by_the_name_that_the_client_declares(talk: Talk, name: str) -> None:
    first = talk.chat([{"role": "user", "content": WEATHER}], name)
    [call] = first.message["tool_calls"]
    assert call["function"]["name"] == name
    result = {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(RESULT)}
    last = talk.chat([{"role": "user", "content": WEATHER}, spoken(first.message), result], name)
    assert last.message["content"] == ANSWER


def test_the_tool_choice_is_respected(talk: Talk) -> None:
    user = [{"role": "user", "content": WEATHER}]
    assert "tool_calls" not in talk.chat(user, "get_weather", tool_choice="none").message
    schema = {"type": "object", "properties": {"temperature": {"type": "number"}, "sky": {"type": "string"}}}
    own = {"type": "function", "function": {"name": "answer", "description": "The answer.", "parameters": schema}}
    forced = {"type": "function", "function": {"name": "answer"}}
    [call] = talk.chat(user, tools=[chat_tool("get_weather"), own], tool_choice=forced).message["tool_calls"]
    assert call["function"]["name"] == "answer"
    assert json.loads(call["function"]["arguments"]) == {"temperature": 14.2, "sky": "맑음"}
    assert talk.conversations()[1]["outcome"] == "complete"


def test_a_required_call_at_the_end_is_of_the_frameworks_own_tool(talk: Talk) -> None:
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
    own = {"type": "function", "function": {"name": "final_answer", "description": "Answer.", "parameters": schema}}
    tools, user = [chat_tool("get_weather"), own], [{"role": "user", "content": WEATHER}]
    first = talk.chat(user, tools=tools, tool_choice="required").message
    result = {"role": "tool", "tool_call_id": first["tool_calls"][0]["id"], "content": json.dumps(RESULT)}
    last = talk.chat([*user, spoken(first), result], tools=tools, tool_choice="required").message
    assert json.loads(last["tool_calls"][0]["function"]["arguments"]) == {"answer": ANSWER}


def test_calls_come_one_by_one_if_the_request_forbids_parallel_ones(talk: Talk) -> None:
    answer = talk.chat([{"role": "user", "content": CITIES}], "get_weather", parallel_tool_calls=False)
    assert len(answer.message["tool_calls"]) == 1
    assert talk.conversations()[0]["turns"] == 3


def test_calls_come_one_by_one_in_a_form_that_has_one_call_a_turn(talk: Talk) -> None:
    prompt = (
        "Answer the following questions as best you can. You have access to the following tools:\n\n"
        'get_weather: Get the weather. Parameters: {"type": "object", "properties": {}}\n\n'
        "Use the following format:\n\nQuestion: the input question\nThought: think\nAction: one of [get_weather]\n"
        "Action Input: the input\nObservation: the result\nThought: I know\nFinal Answer: the answer\n\nBegin!\n\n"
        f"Question: {CITIES}\n"
    )
    answer = talk.chat([{"role": "user", "content": prompt}])
    assert answer.message["content"].count("Action:") == 1


CHANGED = "weather 2 begins in the middle: the client changed the history of this one"
QWEN = """<tools>
{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}}}
</tools>
For each call, return a json object within <tool_call></tool_call> XML tags."""


@pytest.mark.parametrize("stream", [False, True])
def test_tags_in_the_text_of_a_chat_are_answered_by_a_chat(talk: Talk, stream: bool) -> None:  # noqa: FBT001
    messages = [{"role": "system", "content": QWEN}, {"role": "user", "content": WEATHER}]
    answer = talk.chat(messages, stream=stream)
    kinds = set(re.findall(r'"object": ?"([a-z._]+)"', answer.body.decode()))
    assert kinds == {"chat.completion.chunk" if stream else "chat.completion"}
    assert "<tool_call>" in answer.body.decode() or stream


def test_a_json_reply_has_the_schema_that_the_request_sets(talk: Talk) -> None:
    schema = {
        "type": "object",
        "properties": {"temperature": {"type": "number"}, "text": {"type": "string"}},
        "required": ["temperature", "text"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "weather", "schema": schema, "strict": True}}
    user = [{"role": "user", "content": "안녕! 오늘 기분 어때?"}]
    reply = json.loads(talk.chat(user, response_format=form).message["content"])
    assert reply == {"temperature": 1, "text": "안녕하세요! 무엇을 도와드릴까요?"}


def test_after_the_end_of_the_script_the_answer_is_plain(talk: Talk) -> None:
    history: list[Any] = [{"role": "user", "content": "안녕! 오늘 기분 어때?"}]
    for _ in range(2):
        answer = talk.chat(history)
        assert answer.status == 200
        history += [spoken(answer.message), {"role": "user", "content": "And now?"}]
    assert answer.message["content"] == "There is nothing more to say in this scenario."


def test_a_conversation_whose_history_was_changed_names_the_one_that_it_became(talk: Talk) -> None:
    history: list[Any] = [{"role": "user", "content": WEATHER}]
    message = talk.chat(history, "get_weather").message
    result = {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": json.dumps(RESULT)}
    talk.chat([*history, result], "get_weather")
    first = talk.conversations()[0]
    assert (first["outcome"], first["notes"]) == ("unfinished", [CHANGED])


def test_a_choice_that_stays_after_the_end_of_the_script_is_noted(talk: Talk) -> None:
    history: list[Any] = [{"role": "user", "content": WEATHER}]
    choice = {"type": "function", "function": {"name": "get_weather"}}
    for _ in range(3):
        message = talk.chat(history, "get_weather", tool_choice=choice).message
        answers = [
            {"role": "tool", "tool_call_id": each["id"], "content": json.dumps(RESULT)}
            for each in message["tool_calls"]
        ]
        history += [spoken(message), *answers]
    assert "never lets the model answer" in json.dumps(talk.conversations())


def test_models_are_listed_as_each_provider_lists_them(talk: Talk) -> None:
    assert talk.send("/v1/models", **KEY).json["object"] == "list"
    assert talk.send("/v1/models/gpt-4o", **KEY).json["id"] == "gpt-4o"
    assert talk.send("/v1/models", **ANTHROPIC).json["data"][0]["type"] == "model"
    assert talk.send("/v1beta/models?key=k").json["models"][0]["name"].startswith("models/gemini")
    assert talk.sessions.summary().exchanges == 0


def test_tokens_are_counted_as_each_provider_counts_them(talk: Talk) -> None:
    message = {"role": "user", "content": "Hello there."}
    counted = talk.send("/v1/messages/count_tokens", {"model": "claude-sonnet-4-6", "messages": [message]}, **ANTHROPIC)
    assert counted.json["input_tokens"] > 0
    gemini = talk.send("/v1beta/models/gemini-2.5-flash:countTokens?key=k", {"contents": [{"parts": [{"text": "Hi"}]}]})
    assert gemini.json["totalTokens"] > 0
    assert talk.send("/v1/responses/input_tokens", {"input": "Hi"}, **KEY).json["object"] == "response.input_tokens"


@pytest.mark.parametrize(
    ("path", "body", "status", "kind"),
    [
        ("/v1/chat/completions", {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}, 401, "type"),
        ("/v1/responses", {"model": "m", "input": "Hi"}, 401, "type"),
        ("/v1/messages", {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}, 401, "type"),
        ("/v1beta/models/gemini-2.5-flash:generateContent", {"contents": [{"parts": [{"text": "Hi"}]}]}, 403, "status"),
    ],
)
def test_a_missing_key_is_refused_as_the_provider_refuses_it(
    talk: Talk, path: str, body: dict[str, Any], status: int, kind: str
) -> None:
    answer = talk.send(path, body, content_type="application/json", anthropic_version="2023-06-01")
    assert answer.status == status
    words = {"invalid_request_error", "authentication_error", "PERMISSION_DENIED"}
    assert answer.json["error"][kind] in words


@pytest.mark.parametrize(("both", "errors", "warnings"), [("calls", 0, 1), ("results", 1, 0)])
def test_ids_that_occur_twice_are_refused_in_chat(talk: Talk, both: str, errors: int, warnings: int) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "call_1", "content": "{}"}
    turn = {"role": "assistant", "content": None, "tool_calls": [call, call] if both == "calls" else [call]}
    answer = talk.chat([{"role": "user", "content": WEATHER}, turn, result, result], "get_weather")
    assert answer.status == 400
    assert "Duplicate value for" in answer.json["error"]["message"]
    found = talk.sessions.summary()
    assert (found.errors, found.warnings) == (errors, warnings)  # an error where the refusal names the place


def test_a_refusal_names_the_parameter(talk: Talk) -> None:
    refused = talk.chat([{"role": "somebody", "content": "Hi"}])
    assert (refused.status, refused.json["error"]["param"]) == (400, "messages[0].role")


def test_responses_are_kept_for_later_requests(talk: Talk) -> None:
    tool = {
        "type": "function",
        "name": "get_weather",
        "description": "W.",
        "parameters": {"type": "object"},
        "strict": False,
    }
    given = {"model": "gpt-4o-mini", "tools": [tool]}
    headers = {**KEY, "content_type": "application/json"}
    first = talk.send("/v1/responses", {**given, "input": WEATHER}, **headers).json
    call = first["output"][-1]
    output = {"type": "function_call_output", "call_id": call["call_id"], "output": json.dumps(RESULT)}
    second = talk.send(
        "/v1/responses", {**given, "previous_response_id": first["id"], "input": [output]}, **headers
    ).json
    assert second["output"][0]["content"][0]["text"] == ANSWER
    reference = [{"role": "user", "content": WEATHER}, {"type": "item_reference", "id": call["id"]}, output]
    third = talk.send("/v1/responses", {**given, "input": reference}, **headers).json
    assert third["output"][0]["content"][0]["text"] == ANSWER
    assert talk.send(f"/v1/responses/{first['id']}", **KEY).json["id"] == first["id"]
    items = talk.send(f"/v1/responses/{second['id']}/input_items", **KEY).json
    assert (items["object"], items["data"][0]["type"]) == ("list", "function_call_output")
    deleted = talk.send(f"/v1/responses/{first['id']}", method="DELETE", **KEY).json
    assert deleted == {"id": first["id"], "object": "response", "deleted": True}
    assert talk.send(f"/v1/responses/{first['id']}", **KEY).status == 404
    gone = talk.send("/v1/responses", {**given, "previous_response_id": first["id"], "input": [output]}, **headers)
    assert gone.status == 400
    assert gone.json["error"]["code"] == "previous_response_not_found"


def test_a_response_that_is_not_to_be_stored_is_not(talk: Talk) -> None:
    headers = {**KEY, "content_type": "application/json"}
    made = talk.send(
        "/v1/responses", {"model": "gpt-4o-mini", "input": "안녕! 오늘 기분 어때?", "store": False}, **headers
    )
    assert talk.send(f"/v1/responses/{made.json['id']}", **KEY).status == 404


def test_a_cassette_is_played_to_a_client(tmp_path: Any) -> None:
    recorded = Recorded(str(SHIPPED / "openai-chat" / "weather" / "reference--openai.yaml"))
    with talking(sessions=Sessions(all_scenarios(), recorded)) as talk:
        assert talk.play(recorded.messages[0]) == ANSWER
        [played] = talk.conversations()
        assert (played["scenario"], played["outcome"]) == ("reference--openai", "complete")
        refused = talk.chat([{"role": "user", "content": WEATHER}], "get_weather", stream=True)
        assert refused.status == 400
        assert "The recording has no stream" in refused.json["error"]["message"]
    (tmp_path / "none.jsonl").write_text('{"request": {"url": "http://h/x"}, "response": {"status": 200}}\n')
    with pytest.raises(ConformanceError, match="no exchange of a known dialect"):
        Recorded(str(tmp_path / "none.jsonl"))


def test_a_sample_has_what_its_schema_asks_for() -> None:
    schema = {
        "$defs": {"unit": {"enum": ["C", "F"]}},
        "type": "object",
        "properties": {
            "unit": {"$ref": "#/$defs/unit"},
            "count": {"type": ["integer", "null"]},
            "names": {"type": "array", "items": {"type": "string"}},
            "ok": {"anyOf": [{"type": "null"}, {"type": "boolean"}]},
        },
    }
    assert sample(schema, "text", {"count": 3.7}) == {"unit": "C", "count": 3, "names": ["text"], "ok": True}
