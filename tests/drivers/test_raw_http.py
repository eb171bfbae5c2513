"""The control without an SDK: what it sends, and that it reads every form of an answer by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

from conformance import drivers
from conformance.drivers import all_drivers
from conformance.model.transcript import ToolDefinition
from conformance.scenario.executor import ToolOutcome
from conformance.scenario.model import Options
from tests.project.test_layers import imports
from tests.scenes import TOOL, Played, answer, driver, play, streamed

HTTP = ["anthropic-messages", "gemini", "openai-chat", "openai-responses"]
MODES = [False, True]
SEOUL = {"city": "Seoul"}


def raw(dialect: str, *answers: httpx2.Response, **scene: Any) -> Played:
    return play(driver("raw-http", dialect), answers, **scene)


def calls(played: Played) -> list[Any]:
    assert played.error is None
    return [(call.id, call.name, call.arguments) for call in played.reading.calls]


def test_there_is_a_driver_for_each_http_dialect() -> None:
    assert set(HTTP) <= {each.dialect for each in all_drivers() if each.name == "raw-http"}


def test_it_reads_without_the_dialects() -> None:
    for path in (Path(drivers.__file__).parent / "raw_http").glob("*.py"):
        own = {name for name in imports(path) if name.startswith("conformance.")}
        assert not any(
            name.startswith(("conformance.dialects", "conformance.model.sse", "conformance.model.jsontext"))
            for name in own
        )


@pytest.mark.parametrize(
    ("dialect", "headers"),
    [
        ("openai-chat", {"authorization": "Bearer a-key"}),
        ("openai-responses", {"authorization": "Bearer a-key"}),
        ("anthropic-messages", {"x-api-key": "a-key", "anthropic-version": "2023-06-01"}),
        ("gemini", {"x-goog-api-key": "a-key"}),
    ],
)
def test_the_key_travels_in_the_provider_s_own_header(dialect: str, headers: dict[str, str]) -> None:
    [request] = raw(dialect, answer({}, 500)).requests
    assert {name: request.headers.get(name) for name in headers} == headers
    assert ("authorization" in request.headers) == ("authorization" in headers)
    assert "a-key" not in str(request.url)


@pytest.mark.parametrize("stream", MODES)
@pytest.mark.parametrize("dialect", HTTP)
def test_a_failure_is_tried_once_and_raised_with_what_the_provider_said(dialect: str, *, stream: bool) -> None:
    played = raw(dialect, answer({"error": {"message": "the\nmachine is down"}}, 503), stream=stream)
    assert len(played.requests) == 1
    assert "503" in str(played.error)
    assert "machine is down" in str(played.error)


# Chat Completions.


def chat_chunk(delta: Any, finish: str | None = None) -> Any:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def chat_piece(index: int, **function: Any) -> Any:
    more = {key: function.pop(key) for key in ("id", "type") if key in function}
    return {"tool_calls": [{"index": index, **more, "function": function}]}


CHAT_END = streamed(chat_chunk({"content": "14.2"}), chat_chunk({}, "stop"), "data: [DONE]\n\n")


def test_chat_pieces_are_added_up_by_their_index() -> None:
    events = [
        ": a comment\n\n",
        chat_chunk({"role": "assistant", "content": None}),
        chat_chunk(chat_piece(0, id="call_1", type="function", name="get_weather", arguments="")),
        chat_chunk(chat_piece(1, id="call_2", type="function", name="get_weather", arguments='{"city":')),
        chat_chunk(chat_piece(0, arguments='{"city":"Seoul"}')),
        chat_chunk(chat_piece(1, arguments='"Busan"}')),
        chat_chunk({}, "tool_calls"),
        {"choices": [], "usage": {}},
        "data: [DONE]\n\n",
    ]
    played = raw("openai-chat", streamed(*events), CHAT_END, stream=True)
    assert calls(played) == [("call_1", "get_weather", SEOUL), ("call_2", "get_weather", {"city": "Busan"})]
    assert played.reading.answer == "14.2"
    _, called, one, two = played.bodies[1]["messages"]
    assert called["content"] is None
    assert [one["tool_call_id"], two["tool_call_id"]] == [call["id"] for call in called["tool_calls"]]


def test_chat_arguments_that_are_no_json_are_shown_as_they_came() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": '}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    first = answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    last = answer({"choices": [{"message": {"content": "14.2"}, "finish_reason": "stop"}]})
    played = raw("openai-chat", first, last)
    assert calls(played) == [("call_1", "get_weather", '{"city": ')]
    assert played.bodies[1]["messages"][1]["tool_calls"] == [call]


def test_a_line_separator_inside_a_text_is_no_line_end() -> None:
    text = "one\u2028two\u0085three"
    events = streamed(chat_chunk({"content": text}), chat_chunk({}, "stop"))
    assert raw("openai-chat", events, stream=True).reading.answer == text


# Responses.


def test_responses_are_read_from_the_items_that_are_done() -> None:
    thought: dict[str, Any] = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [],
        "status": None,
        "encrypted_content": "sealed",
    }
    call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "get_weather", "arguments": "{}"}
    text = {"type": "message", "id": "msg_1", "content": [{"type": "output_text", "text": "14.2"}]}
    first = streamed(
        {"type": "response.created", "response": {}},
        {"type": "response.output_item.done", "output_index": 1, "item": call},
        {"type": "response.output_item.done", "output_index": 0, "item": thought},
        {"type": "response.completed", "response": {"status": "completed", "output": []}},
    )
    last = streamed(
        {"type": "response.output_item.done", "output_index": 0, "item": text},
        {"type": "response.completed", "response": {"status": "completed"}},
    )
    played = raw("openai-responses", first, last, stream=True)
    assert calls(played) == [("call_1", "get_weather", {})]
    assert played.reading.answer == "14.2"
    sent = played.bodies[1]["input"]
    assert sent[1] == {key: value for key, value in thought.items() if value is not None}
    assert [item["type"] for item in sent[1:]] == ["reasoning", "function_call", "function_call_output"]


# Messages.


def block(index: int, content: Any, *deltas: Any) -> list[Any]:
    return [
        {"type": "content_block_start", "index": index, "content_block": content},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def message(*blocks: list[Any], stop: str = "tool_use") -> httpx2.Response:
    return streamed(
        {"type": "message_start", "message": {}},
        {"type": "ping"},
        *(event for each in blocks for event in each),
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {}},
        {"type": "message_stop"},
    )


MESSAGE_END = message(block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "14.2"}), stop="end_turn")


def test_messages_grow_block_by_block_and_go_back_with_their_seal() -> None:
    thought = block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "The tool "},
        {"type": "thinking_delta", "thinking": "knows."},
        {"type": "signature_delta", "signature": "seal"},
    )
    use = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {}}
    pieces = [{"type": "input_json_delta", "partial_json": text} for text in ("", '{"ci', 'ty": "Seoul"}')]
    played = raw("anthropic-messages", message(thought, block(1, use, *pieces)), MESSAGE_END, stream=True)
    assert calls(played) == [("toolu_1", "get_weather", SEOUL)]
    assert played.bodies[1]["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "The tool knows.", "signature": "seal"},
        {**use, "input": SEOUL},
    ]


def test_messages_without_arguments_have_an_empty_object_and_empty_texts_stay_behind() -> None:
    use = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {}}
    empty = block(0, {"type": "text", "text": ""})
    first = message(empty, block(1, use, {"type": "input_json_delta", "partial_json": ""}))
    played = raw("anthropic-messages", first, MESSAGE_END, stream=True)
    assert calls(played) == [("toolu_1", "get_weather", {})]
    assert played.bodies[1]["messages"][1]["content"] == [use]


def test_messages_mark_a_failed_tool() -> None:
    use = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": SEOUL}
    first = answer({"content": [use], "stop_reason": "tool_use"})
    last = answer({"content": [{"type": "text", "text": "No."}], "stop_reason": "end_turn"})
    played = raw("anthropic-messages", first, last, outcome=ToolOutcome("no station", is_error=True))
    [result] = played.bodies[1]["messages"][-1]["content"]
    assert result == {"type": "tool_result", "tool_use_id": "toolu_1", "content": "no station", "is_error": True}


# Gemini.


def gemini_body(*parts: Any, finish: str | None = None) -> Any:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}}
    return {"candidates": [{**candidate, "finishReason": finish} if finish else candidate]}


def test_gemini_parts_of_all_chunks_go_back_with_their_signatures() -> None:
    thought = {"text": "I ask.", "thought": True}
    called = {"functionCall": {"name": "get_weather", "args": SEOUL, "id": "abcd1234"}, "thoughtSignature": "c2VhbA=="}
    bare = {"functionCall": {"name": "get_weather"}}
    first = streamed(gemini_body(thought), gemini_body(called, bare), {"candidates": [{"finishReason": "STOP"}]})
    last = streamed(gemini_body({"text": "14"}), gemini_body({"text": ".2"}, finish="STOP"))
    played = raw("gemini", first, last, stream=True)
    assert calls(played) == [("abcd1234", "get_weather", SEOUL), (None, "get_weather", {})]
    assert played.reading.answer == "14.2"
    _, model, user = played.bodies[1]["contents"]
    assert model == {"role": "model", "parts": [thought, called, bare]}
    assert [part["functionResponse"].get("id") for part in user["parts"]] == ["abcd1234", None]
    assert played.requests[0].url.query == b"alt=sse"


# What ends a turn before its end.


BROKEN_OFF = {
    "openai-chat": streamed(chat_chunk({"content": "14"})),
    "openai-responses": streamed({"type": "response.created", "response": {}}),
    "anthropic-messages": streamed({"type": "message_start", "message": {}}),
    "gemini": streamed(gemini_body({"text": "14"}), '{\n  "error": {"code": 500, "message": "down"}\n}\n'),
}
ERRORS = {
    "openai-chat": streamed(chat_chunk({"content": "14"}), {"error": {"message": "down"}}),
    "openai-responses": streamed({"type": "error", "message": "down"}),
    "anthropic-messages": streamed({"type": "error", "error": {"type": "overloaded_error", "message": "down"}}),
    "gemini": streamed({"error": {"code": 500, "message": "down"}}),
}
LIMITS = {
    "openai-chat": streamed(
        chat_chunk(chat_piece(0, id="call_1", name="delete", arguments='{"p')), chat_chunk({}, "length")
    ),
    "openai-responses": streamed(
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {"type": "function_call", "call_id": "call_1", "name": "delete", "arguments": '{"p'},
        },
        {"type": "response.incomplete", "response": {"status": "incomplete"}},
    ),
    "anthropic-messages": message(
        block(
            0,
            {"type": "tool_use", "id": "toolu_1", "name": "delete", "input": {}},
            {"type": "input_json_delta", "partial_json": '{"p'},
        ),
        stop="max_tokens",
    ),
    "gemini": streamed(gemini_body({"functionCall": {"name": "delete"}}, finish="MAX_TOKENS")),
}


@pytest.mark.parametrize("dialect", HTTP)
def test_a_stream_that_breaks_off_is_an_error(dialect: str) -> None:
    played = raw(dialect, BROKEN_OFF[dialect], stream=True)
    assert "ended early" in str(played.error)
    assert not played.reading.finished


@pytest.mark.statement("OAC-S-015")
@pytest.mark.parametrize("dialect", HTTP)
def test_an_error_inside_a_stream_is_an_error(dialect: str) -> None:
    assert "down" in str(raw(dialect, ERRORS[dialect], stream=True).error)


@pytest.mark.parametrize("dialect", HTTP)
def test_a_call_that_the_token_limit_cut_off_is_not_run(dialect: str) -> None:
    played = raw(dialect, LIMITS[dialect], stream=True)
    assert calls(played) == []
    assert played.reading.finished


# What a request asks for.


@pytest.mark.parametrize(
    ("dialect", "option", "wanted"),
    [
        ("openai-chat", {"tool_choice": "required"}, {"tool_choice": "required"}),
        (
            "openai-chat",
            {"tool_choice": "get_weather"},
            {"tool_choice": {"type": "function", "function": {"name": "get_weather"}}},
        ),
        ("openai-chat", {"parallel_tool_calls": False}, {"parallel_tool_calls": False}),
        (
            "openai-responses",
            {"tool_choice": "get_weather"},
            {"tool_choice": {"type": "function", "name": "get_weather"}},
        ),
        ("openai-responses", {"reasoning": True}, {"reasoning": {"effort": "low", "summary": "auto"}}),
        ("anthropic-messages", {"tool_choice": "required"}, {"tool_choice": {"type": "any"}}),
        (
            "anthropic-messages",
            {"tool_choice": "get_weather", "parallel_tool_calls": False},
            {"tool_choice": {"type": "tool", "name": "get_weather", "disable_parallel_tool_use": True}},
        ),
        ("anthropic-messages", {"reasoning": True}, {"thinking": {"type": "adaptive"}}),
        ("gemini", {"tool_choice": "none"}, {"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}}),
        (
            "gemini",
            {"tool_choice": "get_weather"},
            {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["get_weather"]}}},
        ),
        (
            "gemini",
            {"reasoning": True},
            {"generationConfig": {"maxOutputTokens": 1024, "thinkingConfig": {"includeThoughts": True}}},
        ),
    ],
)
def test_an_option_is_sent_in_the_provider_s_own_words(dialect: str, option: Any, wanted: Any) -> None:
    [sent] = raw(dialect, answer({}, 500), options=Options(**option)).bodies
    assert {key: sent[key] for key in wanted} == wanted


@pytest.mark.parametrize(
    ("dialect", "place"),
    [
        ("openai-chat", lambda body: body["messages"][0]["content"]),
        ("openai-responses", lambda body: body["instructions"]),
        ("anthropic-messages", lambda body: body["system"]),
        ("gemini", lambda body: body["systemInstruction"]["parts"][0]["text"]),
    ],
)
def test_the_system_s_words_have_their_place(dialect: str, place: Any) -> None:
    [sent] = raw(dialect, answer({}, 500), system="Be brief.").bodies
    assert place(sent) == "Be brief."


@pytest.mark.parametrize("dialect", HTTP)
def test_a_tool_without_arguments_and_no_tools_at_all_can_be_sent(dialect: str) -> None:
    [sent] = raw(dialect, answer({}, 500), tools=(TOOL, ToolDefinition("get_build", "The running build."))).bodies
    assert "get_build" in str(sent["tools"])
    [sent] = raw(dialect, answer({}, 500), tools=()).bodies
    assert "tools" not in sent
