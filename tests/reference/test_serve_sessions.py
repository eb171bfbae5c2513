"""Each client of the reference server gets a verdict: sessions, conversations, findings, refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from conformance.model.data_files import data_dir
from conformance.model.exchange import Headers, Request
from conformance.reference.address import address_of
from conformance.report.sessions import ClientRun, conclude, records
from tests.talking import CITIES, WEATHER, Talk, spoken, talking


@pytest.fixture
def talk() -> Iterator[Talk]:
    with talking() as made:
        yield made


def verdict(talk: Talk, client: ClientRun | None = None) -> list[str]:
    return conclude(talk.sessions.all, client=client)[1].wrong


def test_a_whole_conversation_is_complete_and_has_no_findings(talk: Talk) -> None:
    assert talk.play() == "지금 서울의 기온은 14.2°C이고, 하늘은 맑음입니다."
    [played] = talk.conversations()
    assert (played["scenario"], played["dialect"], played["turn"], played["turns"]) == ("weather", "openai-chat", 2, 2)
    assert played["outcome"] == "complete"
    assert talk.sessions.summary().errors == 0
    assert verdict(talk) == []


def test_a_conversation_that_stops_early_fails_even_if_the_client_ends_well(talk: Talk) -> None:
    talk.chat([{"role": "user", "content": WEATHER}], "get_weather")
    [played] = talk.conversations(exit_code=0)
    assert (played["turn"], played["outcome"]) == (1, "unfinished")
    assert verdict(talk, ClientRun(("client",), 0)) == [
        f"weather 1 (openai-chat, session {talk.session.name}): unfinished at turn 1 of 2"
    ]


def test_a_client_that_sends_nothing_is_not_green(talk: Talk) -> None:
    assert verdict(talk, ClientRun(("true",), 0)) == ["no request was sent"]
    talk.send("/v1/models", authorization="Bearer key")
    assert verdict(talk) == ["no request began a scenario"]


def test_a_refused_request_belongs_to_its_conversation_with_finding_and_reason(talk: Talk) -> None:
    first = talk.chat([{"role": "user", "content": WEATHER}], "get_weather")
    refused = talk.chat([{"role": "user", "content": WEATHER}, spoken(first.message)], "get_weather")
    assert refused.status == 400
    [played] = talk.conversations()
    assert [each["status"] for each in played["refused"]] == [400]
    assert "tool-call-unanswered" in played["refused"][0]["message"]
    assert played["rules"] == ["tool-call-unanswered"]
    assert played["errors"] == 1


def test_a_first_request_that_is_refused_belongs_to_the_scenario_of_its_words(talk: Talk) -> None:
    user = [{"role": "user", "content": WEATHER}]
    assert talk.chat(user, "get_weather", stop=["a", "b", "c", "d", "e"]).status == 400
    assert talk.chat(user, "get_weather").status == 200
    [played] = talk.conversations()
    assert (played["turn"], played["requests"], len(played["refused"])) == (1, 2, 1)
    assert "`stop` has 5 items" in played["refused"][0]["message"]


def test_what_a_behaviour_or_a_script_does_wrong_is_not_the_clients(talk: Talk) -> None:
    question = "What is the capital of Iceland?"  # the model calls a tool that is not declared
    messages: list[Any] = [{"role": "user", "content": question}]
    for _ in range(2):
        answer = talk.chat(messages, "look_up")
        messages.append(spoken(answer.message))
        messages += [
            {"role": "tool", "tool_call_id": call["id"], "content": json.dumps({"answer": "Reykjavík"})}
            for call in answer.message["tool_calls"]
        ]
    assert talk.chat(messages, "look_up").message["content"] == "The capital is Reykjavík."
    assert talk.session.all_findings == []


def test_sessions_are_distinguished_by_key_and_software_and_may_have_names(talk: Talk) -> None:
    talk.play()
    talk.play(headers={"authorization": "Bearer another"})
    talk.play(headers={"user_agent": "another/1.0"})
    talk.play(path="/s/by-path")
    talk.play(headers={"authorization": "Bearer session=by-key"})
    talk.play(headers={"x_conformance_session": "by-header"})
    names = [each.name for each in talk.sessions.all]
    assert len(set(names)) == 6
    assert names[3:] == ["by-path", "by-key", "by-header"]
    assert all(name.startswith("client-") for name in names[:3])
    assert "another" not in json.dumps(records(talk.sessions.all)[:2])  # a key is never shown


def test_conversations_that_interleave_are_distinguished_by_the_ids_of_their_calls(talk: Talk) -> None:
    histories: list[list[Any]] = [[{"role": "user", "content": WEATHER}] for _ in range(3)]
    for history in histories:
        history.append(spoken(talk.chat(history, "get_weather").message))
    ids = [history[1]["tool_calls"][0]["id"] for history in histories]
    assert len(set(ids)) == 3
    for history, name in zip(reversed(histories), reversed(ids), strict=True):
        history.append({"role": "tool", "tool_call_id": name, "content": '{"temperature": 1, "unit": "C", "sky": "x"}'})
        assert talk.chat(history, "get_weather").status == 200
    assert [(each["number"], each["turn"], each["requests"]) for each in talk.conversations()] == [
        (1, 2, 2),
        (2, 2, 2),
        (3, 2, 2),
    ]


def test_a_call_that_is_lost_or_changed_on_the_way_back_is_reported(talk: Talk) -> None:
    first = talk.chat([{"role": "user", "content": CITIES}], "get_weather")
    one = spoken(first.message)
    one["tool_calls"] = one["tool_calls"][:1]
    result = {"role": "tool", "tool_call_id": one["tool_calls"][0]["id"], "content": "{}"}
    talk.chat([{"role": "user", "content": CITIES}, one, result], "get_weather")
    [played] = talk.conversations()
    assert played["wrong"] == ["lost get_weather: 2 calls were sent, 1 come back (turn 1)"]
    assert played["outcome"] == "silently wrong"


def test_the_report_is_live_and_fits_its_schema(talk: Talk) -> None:
    talk.play()
    talk.chat([{"role": "user", "content": "Nobody's words."}])
    report = talk.send("/_conformance/report.json")
    assert report.headers["content-type"] == "application/json"
    jsonschema.validate(report.json, json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8")))
    [session] = report.json["sessions"]
    assert session["conversations"][0]["outcome"] == "complete"
    assert [each["status"] for each in session["refused"]] == [404]
    assert report.json["summary"]["exchanges"] == 3


def test_the_live_page_runs_no_script_and_escapes_what_clients_send(talk: Talk) -> None:
    talk.play(headers={"user_agent": "<script>alert(1)</script>"})
    page = talk.send("/s/any/_conformance/")
    assert page.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    text = page.body.decode("ascii")
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "weather 1" in text
    assert talk.send("/_conformance/report.html").status == 200


def test_the_scenarios_are_served_with_their_tools_and_the_shape_of_their_results(talk: Talk) -> None:
    found = {each["id"]: each for each in talk.send("/_conformance/scenarios").json["scenarios"]}
    weather = found["weather"]
    assert weather["user"] == [WEATHER]
    assert weather["turns"] == [2]
    [tool] = weather["tools"]
    assert tool["parameters"]["required"] == ["latitude", "longitude"]
    assert tool["result_shape"] == {"temperature": "number", "unit": "string", "humidity": "number", "sky": "string"}
    assert found["trending-songs"]["tools"][0]["result_shape"] == {"songs": ["string"]}


def test_tools_can_be_run_at_the_server_which_then_sees_what_runs_twice(talk: Talk) -> None:
    talk.chat([{"role": "user", "content": WEATHER}], "get_weather")
    path = "/_conformance/tools/get_weather"
    assert talk.send(path, {"latitude": 37.5665, "longitude": 126.978}).json["temperature"] == 14.2
    assert talk.session.tool_faults() == []
    assert talk.send(path, {"latitude": 0, "longitude": 0}).status == 422
    assert talk.send(path, '{"latitude": 1}').status == 400
    assert [each.what for each in talk.session.tool_faults()] == [
        "ran get_weather 3 times, 1 calls were sent in full",
        "ran get_weather with a string for its arguments",
    ]
    assert talk.send("/_conformance/tools/no_tool", {}).status == 404
    assert talk.send("/_conformance/nothing").status == 404
    assert talk.send("/_conformance/report.json", {}).status == 405


@pytest.mark.parametrize(
    ("url", "headers", "path", "session", "scenario"),
    [
        ("http://h/v1/messages", {}, "/v1/messages", None, None),
        ("http://h/s/a-1/v1/messages?x=1", {}, "/v1/messages", "a-1", None),
        ("http://h/s/a/scenario/weather/v1/x", {}, "/v1/x", "a", "weather"),
        ("http://h/scenario/weather/v1/x", {}, "/v1/x", None, "weather"),
        ("http://h/v1/x", {"x-api-key": "session=b;scenario=weather"}, "/v1/x", "b", "weather"),
        ("http://h/v1/x?key=session%3Dc", {}, "/v1/x", "c", None),
        (
            "http://h/v1/x",
            {"x-conformance-scenario": "weather", "x-conformance-session": "<b>"},
            "/v1/x",
            None,
            "weather",
        ),
        ("http://h/v1/session=no", {"authorization": "Basic eDp5"}, "/v1/session=no", None, None),
    ],
)
def test_a_request_names_its_session_and_its_scenario(
    url: str, headers: dict[str, str], path: str, session: str | None, scenario: str | None
) -> None:
    found = address_of(Request("POST", url, Headers(headers.items())))
    assert (found.request.path, found.session, found.scenario) == (path, session, scenario)


@pytest.mark.parametrize("name", ["get_weather", "mcp__x__get_weather", "getWeather"])
def test_a_tool_that_runs_once_under_another_name_is_not_run_twice(talk: Talk, name: str) -> None:
    talk.chat([{"role": "user", "content": WEATHER}], name)
    talk.send("/_conformance/tools/get_weather", {"latitude": 37.5665, "longitude": 126.978})
    assert [len(each.runs) for each in talk.sessions.all] == [1]
    assert talk.session.tool_faults() == []


def test_many_conversations_are_kept_within_bounds_and_none_with_findings_is_lost(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from conformance.reference import session

    monkeypatch.setattr(session, "_CONVERSATIONS", 3)
    greeting = [{"role": "user", "content": "안녕! 오늘 기분 어때?"}]
    talk.chat(greeting, temperature=7)
    for _ in range(6):
        talk.chat(greeting)
    assert (len(talk.session.played), talk.session.dropped, talk.session.conversations) == (3, 3, 6)
    assert [each.number for each in talk.session.played] == [1, 5, 6]  # the first has a finding
    assert talk.sessions.summary().errors == 1
    assert talk.sessions.summary().conversations == 6
