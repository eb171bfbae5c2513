"""LangChain: what its packages send for bound tools, and what they show of the answers."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from conformance.campaign.targets import all_targets
from conformance.drivers import all_drivers, why_unavailable
from conformance.judge.checker import request_findings
from conformance.matrix.cells import Cell, Filter, all_cells
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.perform import CellRun, act
from conformance.matrix.replay import replay
from conformance.model.exchange import Request
from conformance.model.finding import Severity
from conformance.model.jsontext import same
from conformance.model.registry import all_dialects
from conformance.model.transcript import ToolDefinition
from conformance.reference.server import ReferenceServer
from conformance.scenario.executor import ToolOutcome
from conformance.scenario.load import all_scenarios
from conformance.scenario.model import Options
from tests.cassettes import SHIPPED, cell
from tests.scenes import TOOL, USER, Played, answer, driver, play, streamed

DRIVERS = [each for each in all_drivers() if each.name == "langchain"]
MISSING = next((reason for each in DRIVERS if (reason := why_unavailable(each))), None)
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

HTTP = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"]
OFFICIAL = {
    "openai-chat": "openai",
    "openai-responses": "openai",
    "anthropic-messages": "anthropic",
    "gemini": "google-genai",
}
MODES = [False, True]


def perform(scenario: str, dialect: str, *, stream: bool) -> CellRun:
    """A scenario of the matrix, played against the reference server."""
    [played] = all_cells(Filter([scenario], [dialect], ["langchain"], stream))
    with ReferenceServer(all_scenarios()) as server:
        run = act(
            played, Endpoint("reference", server.origin, all_targets()["reference"].models[dialect], "k", "reference")
        )
    assert [each.error for each in run.conversations] == [None] * len(run.conversations)
    return run


def bodies(run: CellRun) -> list[Any]:
    return [request.body.json for request in run.capture.requests]


def chat_reply(**message: Any) -> Any:
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    return answer(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}],
        }
    )


def chat_call(call_id: str, arguments: str) -> Any:
    return {"id": call_id, "type": "function", "function": {"name": "get_weather", "arguments": arguments}}


def gemini_reply(*parts: Any) -> Any:
    return answer({"candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP"}]})


CITY = {"functionCall": {"name": "get_weather", "args": {"city": "Seoul"}}}
"""A Gemini call without an id, as most models make it."""


def test_there_is_a_driver_for_each_http_dialect() -> None:
    assert sorted(each.dialect for each in DRIVERS) == sorted(HTTP)


# What goes out.


@pytest.mark.statement("LCB-Q-001")
@pytest.mark.parametrize("stream", MODES)
@pytest.mark.parametrize("dialect", HTTP)
def test_tools_travel_in_the_native_field_and_the_system_text_is_untouched(dialect: str, *, stream: bool) -> None:
    """LCB-Q-001."""
    scenario = all_scenarios()["docs-search"]
    for request in perform("docs-search", dialect, stream=stream).capture.requests:
        ask = all_dialects()[dialect].readers.read_request(request, request.body.json)
        assert [tool.name for tool in ask.tools or ()] == [tool.name for tool in scenario.tools]
        assert [turn.text for turn in ask.history if turn.role == "system"] == [scenario.system]


@pytest.mark.statement("LCB-Q-002")
@pytest.mark.parametrize("stream", MODES)
@pytest.mark.parametrize("dialect", HTTP)
@pytest.mark.parametrize("scenario", ["weather", "parallel-weather", "nested-arguments", "tool-error"])
def test_every_request_is_one_that_the_provider_takes(scenario: str, dialect: str, *, stream: bool) -> None:
    """LCB-Q-002."""
    for request in perform(scenario, dialect, stream=stream).capture.requests:
        findings = request_findings(request, all_dialects()[dialect])
        assert [each for each in findings if each.severity is Severity.ERROR] == []


@pytest.mark.statement("LCB-Q-003")
@pytest.mark.parametrize(
    ("dialect", "place", "wanted"),
    [
        ("openai-chat", "tool_choice", "required"),
        ("openai-responses", "tool_choice", "required"),
        ("anthropic-messages", "tool_choice", {"type": "any"}),
        ("gemini", "toolConfig", {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["get_weather"]}}),
    ],
)
def test_any_tool_is_asked_for_in_the_provider_s_own_word(dialect: str, place: str, wanted: Any) -> None:
    """LCB-Q-003."""
    played = play(driver("langchain", dialect), [answer({}, 500)], options=Options(tool_choice="required"))
    assert played.bodies[0][place] == wanted


@pytest.mark.parametrize(
    ("dialect", "wanted"),
    [
        ("openai-chat", {"parallel_tool_calls": False}),
        ("openai-responses", {"parallel_tool_calls": False}),
        ("anthropic-messages", {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}),
        ("gemini", {}),
    ],
)
def test_no_parallel_calls_are_asked_for_where_the_provider_can_be_asked(dialect: str, wanted: Any) -> None:
    played = play(driver("langchain", dialect), [answer({}, 500)], options=Options(parallel_tool_calls=False))
    sent = played.bodies[0]
    assert {key: sent.get(key) for key in wanted} == wanted


@pytest.mark.statement("LCB-Q-004")
@pytest.mark.parametrize("dialect", HTTP)
def test_a_schema_arrives_whole_but_for_what_gemini_loses(dialect: str) -> None:
    """LCB-Q-004: on the way to Gemini `default` and `additionalProperties` are lost, and nothing else."""
    played = play(driver("langchain", dialect), [answer({}, 500)])
    request = played.requests[0]
    read = all_dialects()[dialect].readers.read_request(_request(played), json.loads(request.content))
    schema = dict(TOOL.parameters)
    if dialect == "gemini":
        del schema["additionalProperties"]
        schema["properties"] = {**schema["properties"], "unit": {"type": "string"}}
    assert read.tools is not None
    assert same(_lower_types(read.tools[0].parameters), schema)


def _request(played: Played) -> Request:
    from conformance.model.exchange import Body, Headers

    request = played.requests[0]
    return Request(request.method, str(request.url), Headers(request.headers.multi_items()), Body(request.content))


def _lower_types(schema: Any) -> Any:
    """Gemini's own schemas write the types in capitals."""
    if isinstance(schema, dict):
        return {
            key: value.lower() if key == "type" and isinstance(value, str) else _lower_types(value)
            for key, value in schema.items()
        }
    return schema


@pytest.mark.parametrize("stream", MODES)
@pytest.mark.parametrize("dialect", HTTP)
def test_a_failure_is_tried_once_with_a_time_limit_and_raised(dialect: str, *, stream: bool) -> None:
    played = play(driver("langchain", dialect), [answer({"error": {"message": "down"}}, 503)] * 3, stream=stream)
    assert played.error is not None
    assert len(played.requests) == 1
    assert played.requests[0].extensions["timeout"]["read"] == 60


@pytest.mark.parametrize("dialect", HTTP)
def test_a_tool_without_arguments_can_be_bound(dialect: str) -> None:
    tools = (ToolDefinition("get_build", "The running build."),)
    assert len(play(driver("langchain", dialect), [answer({}, 500)], tools=tools).requests) == 1
    assert len(play(driver("langchain", dialect), [answer({}, 500)], tools=()).requests) == 1


# What comes back, and what LangChain shows of it.


@pytest.mark.statement("LCB-R-001")
@pytest.mark.parametrize("stream", MODES)
@pytest.mark.parametrize("dialect", HTTP)
def test_arguments_are_objects_equal_to_those_on_the_wire(dialect: str, *, stream: bool) -> None:
    """LCB-R-001, LCB-R-003: arguments are dictionaries, and ids those of the provider. The judge compares both."""
    run = perform("nested-arguments", dialect, stream=stream)
    scripted = all_scenarios()["nested-arguments"].conversations[0].model[0].calls[0]
    [call] = run.conversations[0].reading.calls
    assert isinstance(call.arguments, dict)
    assert same(call.arguments, scripted.arguments)
    assert call.id


@pytest.mark.parametrize("stream", MODES)
@pytest.mark.parametrize("dialect", HTTP)
def test_the_transcript_is_that_of_the_official_sdk(dialect: str, *, stream: bool) -> None:
    mode = "stream" if stream else "sync"

    def sent_by(name: str) -> Any:
        played: Cell = cell(f"weather-{dialect}-{name}-{mode}")
        verdict = replay(played, SHIPPED / played.relative_path)
        return [
            (turn.text, turn.stop, [(each.name, each.arguments) for each in turn.calls]) for turn in verdict.transcript
        ]

    assert sent_by("langchain") == sent_by(OFFICIAL[dialect]) == sent_by("raw-http")


@pytest.mark.statement("LCB-R-002", "LCB-C-001")
def test_a_call_that_is_no_json_is_shown_raw_and_answered_like_the_others() -> None:
    """LCB-R-002, LCB-C-001: LangChain sends both kinds back, so both need a message of the tool."""
    good, broken = chat_call("call_good", '{"city": "Seoul"}'), chat_call("call_broken", '{"city": ')
    played = play(
        driver("langchain", "openai-chat"),
        [chat_reply(content=None, tool_calls=[broken, good]), chat_reply(content="14.2")],
    )
    assert [(call.id, call.arguments) for call in played.reading.calls] == [
        ("call_good", {"city": "Seoul"}),
        ("call_broken", '{"city": '),
    ]
    second = played.bodies[1]["messages"]
    assert [call["id"] for call in second[1]["tool_calls"]] == ["call_good", "call_broken"]
    assert second[1]["tool_calls"][1]["function"]["arguments"] == '{"city": '
    assert [message["tool_call_id"] for message in second[2:]] == ["call_good", "call_broken"]
    findings = request_findings(_request_of(played, 1), all_dialects()["openai-chat"])
    assert "tool-call-unanswered" not in {each.rule for each in findings}


def _request_of(played: Played, number: int) -> Request:
    return _request(Played([played.requests[number]]))


@pytest.mark.statement("LCB-R-002")
def test_a_stream_of_broken_arguments_is_mended_and_so_not_shown_as_invalid() -> None:
    """LCB-R-002 holds without streaming only: chunks are read as unfinished JSON, and what is missing is made up."""
    delta = {"role": "assistant", "tool_calls": [{"index": 0, **chat_call("call_broken", '{"city": "Seo')}]}
    first = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks = [
        {**first, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**first, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
        "data: [DONE]\n\n",
    ]
    played = play(driver("langchain", "openai-chat"), [streamed(*chunks), answer({}, 500)], stream=True)
    assert [call.arguments for call in played.reading.calls] == [{"city": "Seo"}]


@pytest.mark.statement("LCB-R-003")
def test_an_id_is_made_up_only_where_the_provider_gave_none_and_stays_off_the_wire() -> None:
    """LCB-R-003."""
    played = play(driver("langchain", "gemini"), [gemini_reply(CITY), gemini_reply({"text": "14.2"})])
    [call] = played.reading.calls
    assert call.id
    assert call.id not in json.dumps(played.bodies[1])


@pytest.mark.statement("LCB-C-002")
def test_arguments_keep_their_values_when_their_text_changes() -> None:
    """LCB-C-002."""
    first = chat_reply(content=None, tool_calls=[chat_call("call_1", '{"city":"서울","n":1e2}')])
    played = play(driver("langchain", "openai-chat"), [first, chat_reply(content="14.2")])
    echoed = played.bodies[1]["messages"][1]["tool_calls"][0]["function"]["arguments"]
    assert echoed != '{"city":"서울","n":1e2}'
    assert json.loads(echoed) == {"city": "서울", "n": 100}


@pytest.mark.statement("LCB-C-003")
def test_a_failed_tool_is_marked_for_anthropic() -> None:
    """LCB-C-003."""
    failing, working = (
        body["messages"][-1]["content"][0]
        for body in bodies(perform("tool-error", "anthropic-messages", stream=False))[1:]
    )
    assert (failing["is_error"], working["is_error"]) == (True, False)


@pytest.mark.statement("LCB-C-003")
def test_a_failed_tool_is_not_marked_for_the_others() -> None:
    """LCB-C-003."""
    message = bodies(perform("tool-error", "openai-chat", stream=False))[1]["messages"][-1]
    assert message.keys() == {"role", "tool_call_id", "content"}
    item = bodies(perform("tool-error", "openai-responses", stream=False))[1]["input"][-1]
    assert item.keys() == {"type", "call_id", "output"}
    part = bodies(perform("tool-error", "gemini", stream=False))[1]["contents"][-1]["parts"][0]
    assert part["functionResponse"]["response"].keys() == {"output"}


@pytest.mark.statement("LCB-C-004")
@pytest.mark.parametrize("stream", MODES)
def test_the_signature_of_gemini_comes_back_on_its_call(*, stream: bool) -> None:
    """LCB-C-004."""
    played = cell(f"weather-gemini-langchain-{'stream' if stream else 'sync'}")
    verdict = replay(played, SHIPPED / played.relative_path)
    assert verdict.transcript[0].calls[0].signature
    assert not any("signature" in each.rule or "unsigned" in each.rule for each in verdict.findings)
    parts = bodies(perform("weather", "gemini", stream=stream))[1]["contents"][1]["parts"]
    assert "thoughtSignature" in next(part for part in parts if "functionCall" in part)


@pytest.mark.statement("LCB-C-005")
def test_a_number_as_text_becomes_a_number_for_gemini() -> None:
    """LCB-C-005."""
    played = play(
        driver("langchain", "gemini"),
        [gemini_reply(CITY), gemini_reply({"text": "then"})],
        outcome=ToolOutcome("1790000000000", is_error=True),
    )
    response = played.bodies[1]["contents"][-1]["parts"][0]["functionResponse"]["response"]
    assert response == {"output": 1790000000000}


@pytest.mark.parametrize("stream", MODES)
def test_the_only_deviations_are_the_known_ones_of_gemini(*, stream: bool) -> None:
    """The package sends calls and responses back without their ids, which Gemini takes."""
    for each in all_cells(Filter(["weather"], HTTP, ["langchain"], stream)):
        rules = {finding.rule for finding in replay(each, SHIPPED / each.relative_path).findings}
        assert rules == ({"echoed-call-changed"} if each.dialect == "gemini" else set())


# What stays at home.


@pytest.mark.parametrize("dialect", HTTP)
def test_nothing_is_traced_whatever_the_environment_says(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import langsmith
    from langsmith import utils

    forget: Any = utils.get_env_var  # it remembers what the environment had
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(name, "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "a-key")
    traced: list[Any] = []
    monkeypatch.setattr(langsmith.Client, "create_run", lambda *run, **more: traced.append((run, more)))
    forget.cache_clear()
    before = set(threading.enumerate())
    played = play(driver("langchain", dialect), [answer({}, 500)])
    forget.cache_clear()
    assert len(played.requests) == 1
    assert traced == []
    assert set(threading.enumerate()) - before == set()


def test_the_user_s_words_are_sent_as_they_are() -> None:
    played = play(driver("langchain", "openai-chat"), [answer({}, 500)])
    assert played.bodies[0]["messages"] == [{"role": "user", "content": USER}]
