"""Reading and writing ReAct's labels; the rules themselves are proved by their examples."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.dialects.react import DIALECT
from conformance.dialects.react.parse import STOP, Reader, parse
from conformance.dialects.react.prompt import messages, observed, spoken
from conformance.dialects.react.request import described_in
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Exchange
from conformance.model.registry import claimants
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall, ToolResult, Turn, Unknown
from tests.text_turns import SPIKES, calls, in_pieces, plain, words
from tests.written import WEATHER, answered, asked, exchange

TOOLS = [WEATHER]
PROMPT, ACT = asked("react/call")[0]["content"], answered("react/call")
OBSERVED, FINAL = asked("react/answer")[0]["content"], answered("react/answer")
LABELS = ["Thought:", "Action:", "Action Input:", "Observation:", "Final Answer:", "\nAction 1:", "Action", "Input:"]
texts = words([":"])
thoughts = st.none() | texts.map(Reasoning)
turns = st.builds(
    lambda thought, end: Turn("assistant", (*((thought,) if thought else ()), end)), thoughts, calls | texts.map(Text)
)
CALL = ToolCall(None, "f", {"a": 1}, wire='{"a": 1}')


@given(turn=turns)
def test_a_turn_reads_back_as_it_was_spoken(turn: Turn) -> None:
    assert plain(parse(spoken(turn))) == plain(turn.parts)


@given(call=calls)
def test_a_spoken_call_survives_the_stop_word(call: ToolCall) -> None:
    assert STOP not in spoken(Turn("assistant", (call,)))


@given(pieces=st.lists(st.sampled_from([*SPIKES, *LABELS, "\n", "f", '{"a": 1}']), max_size=9), data=st.data())
def test_a_text_reads_the_same_however_it_is_cut(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    cuts = data.draw(st.lists(st.integers(0, 200), max_size=6))
    assert in_pieces(Reader, text, cuts) == list(parse(text))
    assert in_pieces(Reader, text, range(len(text))) == list(parse(text))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('Thought: Hm.\nAction: f\nAction Input: {"a": 1}', [Reasoning("Hm."), CALL]),
        (' Hm.\nAction: f\nAction Input:{"a": 1}\n', [Reasoning("Hm."), CALL]),
        ('Thought 1: Hm.\nAction 1: f\nAction Input 1: {"a": 1}', [Reasoning("Hm."), CALL]),
        ('Action: f\nAction Input:\n```json\n{"a": 1}\n```', [CALL]),
        ("Action: f\nAction Input: Seoul", [ToolCall(None, "f", "Seoul", wire="Seoul", kind="custom")]),
        ("Action: f", [ToolCall(None, "f", Malformed("", "no input"))]),
        ("Thought: Hm.\nFinal Answer: 7", [Reasoning("Hm."), Text("7")]),
        ("Thought: Hm.\nAnswer: 7", [Reasoning("Hm."), Text("7")]),
        ("Final Answer: 7\nThought: of it", [Text("7\nThought: of it")]),
        ("Seven.", [Text("Seven.")]),
        ('Action: f\nAction Input: {"a": 1}\nObservation: 2\nFinal Answer: 2', [CALL, Unknown("Observation", "2")]),
        ('Action: f\nAction Input: {"a": 1}\nAction: f\nAction Input: {"a": 1}', [CALL, CALL]),
        ("Thought: the Action: is near", [Reasoning("the Action: is near")]),
        ("", []),
    ],
)
def test_labels_of_every_kind(text: str, parts: list[Part]) -> None:
    assert list(parse(text)) == parts


def test_qwen_agents_prompt_grows_by_what_was_said_word_for_word() -> None:
    assert OBSERVED.startswith(f"{PROMPT}\n{ACT}\nObservation: ")
    assert OBSERVED.endswith("\nThought: ")
    again = observed(OBSERVED, 'I ask again.\nAction: f\nAction Input: {"a": 1}', "2")
    assert "Thought: I ask again.\nAction: f\n" in again
    bare = observed(OBSERVED, 'Action: f\nAction Input: {"a": 1}', "2")
    assert '{"temperature": 14.2}\nAction: f\n' in bare


@given(call=calls, thought=texts)
def test_a_conversation_reads_back(call: ToolCall, thought: str) -> None:
    history = [
        Turn("user", (Text("How warm is it?"),)),
        Turn("assistant", (Reasoning(thought), call)),
        Turn("tool", (ToolResult(None, None, {"t": 1}),)),
    ]
    request = Exchange.of(exchange("react", messages("Be kind.", TOOLS, history), FINAL)).request
    ask = DIALECT.readers.read_request(request, request.body.json)
    assert ask.tools is not None
    assert [(tool.name, tool.parameters) for tool in ask.tools] == [(tool.name, tool.parameters) for tool in TOOLS]
    assert [turn.role for turn in ask.history] == ["system", "user", "assistant", "tool"]
    assert ask.history[1].text == "How warm is it?"
    assert plain(ask.history[2].parts) == plain(history[1].parts)
    assert [result.content for result in ask.history[3].results] == ['{"t": 1}']


def test_an_observation_in_the_models_turn_is_the_result_of_its_action() -> None:
    spoken = (
        "Thought: I look.\nAction: look\nAction Input: {}\nObservation: a dog?\nObservation: a cat\nMoving on then."
    )
    form = "Action: one of [look]\nAction Input: the arguments"
    history = [{"role": "system", "content": form}, {"role": "user", "content": "See?"}]
    request = Exchange.of(exchange("react", [*history, {"role": "assistant", "content": spoken}], FINAL)).request
    found = DIALECT.readers.read_request(request, request.body.json)
    assert [turn.role for turn in found.history] == ["system", "user", "assistant", "tool"]
    assert [call.name for call in found.history[2].calls] == ["look"]
    assert [result.content for result in found.history[3].results] == ["a cat\nMoving on then."]


def test_a_turn_of_the_model_without_text_stays_a_turn() -> None:
    form = "Action: one of [look]\nAction Input: the arguments"
    spoken = [
        {"role": "system", "content": form},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "?"},
    ]
    request = Exchange.of(exchange("react", spoken, FINAL)).request
    found = DIALECT.readers.read_request(request, request.body.json)
    assert [turn.role for turn in found.history] == ["system", "assistant", "user"]


def test_moments_of_a_stream() -> None:
    events = Example("react/stream-call").exchanges()[0].response.events
    assert [moment.kind for moment in DIALECT.readers.stream_events(events)] == [
        "reasoning",
        "tool_call_start",
        "tool_call_chunk",
        "tool_call_end",
        "stop",
    ]


@pytest.mark.parametrize(
    ("record", "claimed"),
    [
        (exchange("react", [{"role": "user", "content": PROMPT}], FINAL), True),
        (exchange("react", [{"role": "system", "content": PROMPT}], FINAL), True),
        (exchange("react", [{"role": "user", "content": PROMPT}], FINAL, tools=[{"type": "function"}]), False),
        (
            exchange("react", [{"role": "user", "content": "What do Action: and Action Input: mean?"}], "A lot."),
            False,
        ),
    ],
)
def test_only_a_chat_that_announces_the_labels_is_claimed(record: dict[str, Any], claimed: bool) -> None:  # noqa: FBT001
    names = [dialect.name for dialect in claimants(Exchange.of(record).request)]
    assert names == (["openai-chat", "react"] if claimed else ["openai-chat"])


def test_tools_are_read_in_a_long_prompt_without_empty_lines() -> None:
    line = "Thought: x\nAction: f\n"
    tool = 'weather: The weather.\nFor a city. Parameters: {"type": "object"}\n'
    found = {"weather": ("The weather.\nFor a city.", {"type": "object"})}
    assert described_in(f"{line}\n{tool}") == found
    assert described_in(f"{tool}{line * 20_000}") == found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a: b Parameters: {}\nc: d Parameters: []", ["a", "c"]),
        ("a: b\n\nParameters: {}", ["a"]),
        ("a: b\n\nmore Parameters: {}", []),
        ("no name Parameters: {}\nb: c Parameters: {}", ["b"]),
        ("a: Parameters: {broken\nb: c Parameters: {}", ["b"]),
        ("a: b 输入参数\uff1a{}", ["a"]),
    ],
)
def test_a_tool_is_a_line_with_its_parameters_in_one_paragraph(text: str, names: list[str]) -> None:
    assert list(described_in(text)) == names
