"""Reading and writing `<function_call>` tags; the rules themselves are proved by their examples."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conformance.dialects.prompted import DIALECT
from conformance.dialects.prompted.parse import Reader, parse
from conformance.dialects.prompted.prompt import messages, spoken
from conformance.dialects.prompted.tags import CLOSE, OPEN
from conformance.judge.checker import check
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects, claimants
from conformance.model.transcript import Malformed, Part, Text, ToolCall, ToolDefinition, ToolResult, Turn, Unknown
from tests.text_turns import SPIKES, calls, in_pieces, plain, values, words
from tests.written import asked, exchange

SYSTEM = asked("prompted/call")[0]["content"]
RECORD = asked("prompted/answer")[-1]["content"].partition("\n")[0]
ONE = '{"name": "f", "arguments": {"a": 1}}'
texts = words((OPEN, CLOSE))
turns = st.builds(
    lambda text, made: Turn("assistant", ((Text(text),) if text else ()) + tuple(made)),
    st.none() | texts,
    st.lists(calls, max_size=3),
)


@given(turn=turns)
def test_a_turn_reads_back_as_it_was_spoken(turn: Turn) -> None:
    assert plain(parse(spoken(turn))) == plain(turn.parts)


@pytest.mark.statement("PFC-S-001", "PFC-S-002")
@given(pieces=st.lists(st.sampled_from([*SPIKES, OPEN, CLOSE, ONE, ONE[:20], "text", '"']), max_size=8), data=st.data())
def test_a_text_reads_the_same_however_it_is_cut(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    cuts = data.draw(st.lists(st.integers(0, 500), max_size=6))
    assert in_pieces(Reader, text, cuts) == list(parse(text))
    assert in_pieces(Reader, text, range(len(text))) == list(parse(text))


@pytest.mark.statement("PFC-S-003")
@given(text=st.lists(st.sampled_from([*SPIKES, OPEN, CLOSE, "a", " "]), max_size=8).map("".join))
@example(text=f"{OPEN}\n{OPEN}")
def test_without_a_call_nothing_is_lost(text: str) -> None:
    parts = parse(text)
    if all(isinstance(part, Text) for part in parts):
        assert "".join(part.text for part in parts if isinstance(part, Text)) == text


CALL = ToolCall(None, "f", {"a": 1}, wire='{"a": 1}')


@pytest.mark.statement("PFC-R-004", "PFC-S-002", "PFC-S-003", "PFC-S-004")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"{OPEN}{ONE}{CLOSE}", [CALL]),
        (f'{OPEN}{{"function_call": {ONE}}}{CLOSE}', [CALL]),
        (f'{OPEN}{{"function": {ONE}}}{CLOSE}', [CALL]),
        (f'{OPEN}{{"anything": {ONE}}}{CLOSE}', [CALL]),
        (f"{OPEN}\n```json\n{ONE}\n```\n{CLOSE}", [CALL]),
        (f'{OPEN}{{"name": "f", "arguments": {{"a": 1,}},}}{CLOSE}', [CALL]),
        (f'{OPEN}{{"name": "f", "arguments": "{{\\"a\\": 1}}"}}{CLOSE}', [CALL]),
        (f"{OPEN}{OPEN}{ONE}{CLOSE}", [CALL]),
        (f"{OPEN}{ONE}{CLOSE}\n{OPEN}{ONE}{CLOSE}", [CALL, CALL]),
        (f"{OPEN}{ONE}\n{OPEN}{ONE}{CLOSE}", [CALL, CALL]),
        (f"{OPEN}{ONE}", [CALL]),
        (f"Yes.\n\n{OPEN}{ONE}{CLOSE}\n", [Text("Yes."), CALL]),
        (f"{OPEN}{ONE}{CLOSE} and then", [CALL, Text("and then")]),
        (f"{OPEN}no call{CLOSE}", [Text(f"{OPEN}no call{CLOSE}")]),
        (f"{OPEN}{ONE[:-1]}", [Text(f"{OPEN}{ONE[:-1]}")]),
        ("if a < b, <function", [Text("if a < b, <function")]),
        ("", []),
    ],
)
def test_blocks_of_every_kind(text: str, parts: list[Part]) -> None:
    assert list(parse(text)) == parts


def test_the_wire_text_of_numbers_survives() -> None:
    (call,) = parse(f'{OPEN}{{"name": "f", "arguments": {{"n": 1e2, "m": 900719925474099301}}}}{CLOSE}')
    assert isinstance(call, ToolCall)
    assert call.wire == '{"n": 1e2, "m": 900719925474099301}'


@pytest.mark.statement("PFC-S-004")
def test_half_a_call_is_one_only_where_the_reply_was_cut_off() -> None:
    half = f'{OPEN}{{"name": "f", "arguments": {{"a'
    assert parse(half) == (Text(half),)
    assert parse(half, cut=True) == (ToolCall(None, "f", Malformed('{"a', "cut off"), wire='{"a'),)
    assert parse(half[:20], cut=True) == (Unknown("half a call", half[:20]),)


@pytest.mark.statement("PFC-R-006")
def test_a_record_is_no_call() -> None:
    (part,) = parse(RECORD)
    assert isinstance(part, Unknown)


@given(first=st.lists(calls, min_size=1, max_size=3), returned=values)
def test_a_conversation_reads_back(first: list[ToolCall], returned: Any) -> None:
    tools = [ToolDefinition(name, "Does it.", {"type": "object"}) for name in {call.name for call in first}]
    history = [
        Turn("user", (Text("Do it."),)),
        Turn("assistant", tuple(first)),
        Turn("tool", tuple(ToolResult(None, call.name, returned) for call in first)),
    ]
    request = Exchange.of(exchange("prompted", messages("Be kind.", tools, history), "Done.")).request
    ask = DIALECT.readers.read_request(request, request.body.json)
    assert ask.tools is not None
    assert [(tool.name, tool.parameters) for tool in ask.tools] == [(tool.name, tool.parameters) for tool in tools]
    assert [turn.role for turn in ask.history] == ["system", "user", "assistant", "tool"]
    assert plain(ask.history[2].parts) == plain(first)
    assert [result.content for result in ask.history[3].results] == [returned] * len(first)


CALLED = '<function_call>{"name": "get_weather", "arguments": {"latitude": 37.57, "longitude": 126.98}}</function_call>'


@pytest.mark.parametrize(
    "result",
    [
        '<function_response>{"name": "NAME", "content": 14.2}</function_response>',
        '<tool_response>\n{"name": "NAME", "content": 14.2}\n</tool_response>',
        "<function_results>\n<result>\n<tool_name>NAME</tool_name>\n<stdout>14.2</stdout>\n</result>\n</function_results>",
    ],
)
def test_a_result_in_the_tags_of_another_prompt_belongs_to_the_call_that_it_names(result: str) -> None:
    def of_request(name: str) -> set[str]:
        asked = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "Warm?"}]
        answered = [{"role": "assistant", "content": CALLED}, {"role": "user", "content": result.replace("NAME", name)}]
        found = check([Exchange.of(exchange("prompted", [*asked, *answered], "14.2 °C."))])
        return {each.rule for each in found if each.side == "request"}

    assert of_request("get_weather") == set()
    assert of_request("get_time") == {"tool-call-unanswered", "tool-result-orphaned"}


def test_deepchats_history_without_the_call_is_read() -> None:
    asked = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "Warm?"}]
    reported = [*asked, {"role": "assistant", "content": "Let me see."}, {"role": "user", "content": RECORD}]
    assert check([Exchange.of(exchange("prompted", reported, "14.2 °C."), complete=True)]) == []


def test_moments_show_text_at_once_and_a_call_when_it_is_whole() -> None:
    events = Example("prompted/stream-call").exchanges()[0].response.events
    assert [moment.kind for moment in DIALECT.readers.stream_events(events)] == [
        *["tool_call_start", "tool_call_chunk", "tool_call_end"] * 2,
        "stop",
    ]


def body(*said: str, **more: Any) -> dict[str, Any]:
    return exchange("prompted", [{"role": "system", "content": text} for text in said], "Yes.", **more)


@pytest.mark.parametrize(
    ("record", "claimed"),
    [
        (body(SYSTEM), True),
        (body("Write <function_call>."), True),
        (body("You are kind."), False),
        (body("Write <function_call>.", tools=[{"type": "function"}]), False),
        (body(SYSTEM, tools=[{"type": "function"}]), True),
        (exchange("prompted", [{"role": "user", "content": "What is <function_call>?"}], "A tag."), False),
    ],
)
def test_only_a_system_turn_that_announces_the_tags_is_claimed(record: dict[str, Any], claimed: bool) -> None:  # noqa: FBT001
    names = [dialect.name for dialect in claimants(Exchange.of(json.loads(json.dumps(record))).request)]
    assert names == (["openai-chat", "prompted"] if claimed else ["openai-chat"])
    assert "prompted" in all_dialects()
