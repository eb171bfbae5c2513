"""Reading and writing Qwen3's template; the rules themselves are proved by their examples."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.dialects.qwen3 import DIALECT
from conformance.dialects.qwen3.parse import CLOSE, END, OPEN, THINK, THOUGHT, Reader, parse
from conformance.dialects.qwen3.prompt import NO_THOUGHT, render, spoken, tool_line
from conformance.judge.checker import check
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Exchange
from conformance.model.finding import Severity
from conformance.model.transcript import (
    Malformed,
    Part,
    Reasoning,
    Text,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Turn,
    Unknown,
)
from tests.text_turns import SPIKES, calls, in_pieces, plain, words
from tests.written import WEATHER, exchange

TOOLS = [replace(WEATHER, strict=True)]
TAGS = (OPEN, CLOSE, THINK, THOUGHT, END)
texts = words(TAGS)
turns = st.builds(
    lambda thought, text, made: Turn(
        "assistant",
        ((Reasoning(thought),) if thought else ()) + ((Text(text),) if text else ()) + tuple(made),
    ),
    st.none() | texts,
    st.none() | texts,
    st.lists(calls, max_size=3),
)
ONE = '{"name": "f", "arguments": {"a": 1}}'
CALL = ToolCall(None, "f", {"a": 1}, wire='{"a": 1}')


@given(turn=turns)
def test_a_turn_reads_back_as_it_was_spoken(turn: Turn) -> None:
    assert plain(parse(spoken(turn))) == plain(turn.parts)


@pytest.mark.statement("QWE-S-001")
@given(pieces=st.lists(st.sampled_from([*SPIKES, *TAGS, ONE, ONE[:20], "}", "text", '"']), max_size=9), data=st.data())
def test_a_text_reads_the_same_however_it_is_cut(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    cuts = data.draw(st.lists(st.integers(0, 500), max_size=6))
    whole = in_pieces(Reader, text, ())
    assert in_pieces(Reader, text, cuts) == whole
    assert in_pieces(Reader, text, range(len(text))) == whole


@pytest.mark.statement("QWE-R-005")
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"{OPEN}\n{ONE}\n{CLOSE}", [CALL]),
        (f"{OPEN}\n{ONE}\n{CLOSE}\n{OPEN}\n{ONE}\n{CLOSE}{END}", [CALL, CALL]),
        (f"{OPEN}{ONE}{OPEN}{ONE}", [CALL, CALL]),
        (f"Yes.\n{OPEN}\n{ONE}\n{CLOSE}", [Text("Yes."), CALL]),
        (f"{OPEN}\n{ONE}\n{CLOSE}\nand", [CALL, Text("and")]),
        (f"{THINK}\nHm.\n{THOUGHT}\n\n{OPEN}\n{ONE}\n{CLOSE}", [Reasoning("Hm."), CALL]),
        (f"{THINK}\n\n{THOUGHT}\n\nYes.", [Text("Yes.")]),
        (f"{THINK}{THOUGHT}Yes.", [Text("Yes.")]),
        (f"{THINK}\n{OPEN}\n{ONE}\n{CLOSE}\n{THOUGHT}\n\nNo.", [Reasoning(f"{OPEN}\n{ONE}\n{CLOSE}"), Text("No.")]),
        (f"{THINK}\nHm. {OPEN}{ONE}{CLOSE}", [Reasoning(f"Hm. {OPEN}{ONE}{CLOSE}")]),
        (f"Hm.\n{THOUGHT}\n\nYes.", [Reasoning("Hm."), Text("Yes.")]),
        (f"{OPEN}\nnot JSON\n{CLOSE}", [Text(f"{OPEN}\nnot JSON\n{CLOSE}")]),
        (f"{OPEN}\n{ONE[:-1]}\n{CLOSE}", [Text(f"{OPEN}\n{ONE[:-1]}\n{CLOSE}")]),
        ("a < b and <tool", [Text("a < b and <tool")]),
        ("", []),
    ],
)
def test_blocks_of_every_kind(text: str, parts: list[Part]) -> None:
    assert list(parse(text)) == parts


def test_a_closing_tag_inside_a_string_closes_nothing() -> None:
    (call,) = parse(f'{OPEN}\n{{"name": "f", "arguments": {{"text": "a {CLOSE} b"}}}}\n{CLOSE}')
    assert isinstance(call, ToolCall)
    assert call.arguments == {"text": f"a {CLOSE} b"}


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        (f"{ONE}\n{CLOSE}", Severity.ERROR),
        (f"{ONE}\n{CLOSE}\n{OPEN}\n{ONE}\n{CLOSE}", Severity.ERROR),
        (f"{OPEN}\n{ONE}\n{CLOSE}{CLOSE}", Severity.WARNING),
        (f"{THINK}{THINK}Hm.{THOUGHT}Hello.", Severity.WARNING),
    ],
)
def test_a_tag_without_its_counterpart_is_an_error_where_parsers_lose_a_call(text: str, severity: Severity) -> None:
    prompt = render(None, TOOLS, [Turn("user", (Text("Hi"),))])
    found = check([Exchange.of(exchange("qwen3", prompt, text))])
    assert [each.severity for each in found if each.rule == "qwen3-tag-orphaned"] == [severity]


@pytest.mark.parametrize(
    ("later", "severity"), [("Be terse.", Severity.INFO), ("Be kind.", Severity.WARNING), ("<tools>", Severity.WARNING)]
)
def test_a_later_system_turn_is_one_that_the_template_writes_or_a_warning(later: str, severity: Severity) -> None:
    prompt = render("Be kind.", (), [Turn("user", (Text("Hi"),))])
    prompt = prompt.replace("<|im_start|>user", f"<|im_start|>system\n{later}<|im_end|>\n<|im_start|>user")
    found = check([Exchange.of(exchange("qwen3", prompt, "Hello."))])
    assert [each.severity for each in found if each.rule == "qwen3-system-misplaced"] == [severity]


def test_half_a_call_is_one_only_where_the_reply_was_cut_off() -> None:
    half = f'{OPEN}\n{{"name": "f", "arguments": {{"a'
    assert parse(half) == (Text(half),)
    assert parse(half, cut=True) == (ToolCall(None, "f", Malformed('{"a', "cut off"), wire='{"a'),)
    assert parse(half[:20], cut=True) == (Unknown("half a call", half[:20]),)


def test_a_tool_line_keeps_every_field() -> None:
    shape = {"type": "object", "properties": {}, "additionalProperties": False}
    line = json.loads(tool_line(ToolDefinition("f", "Does it.", shape, strict=True)))
    assert line["function"]["strict"] is True
    assert line["function"]["parameters"] == shape


def test_the_prompt_is_the_templates_to_the_letter() -> None:
    call = ToolCall(None, "f", {"a": "é"})
    history = [
        Turn("user", (Text("Hi"),)),
        Turn("assistant", (Reasoning("Hm."), Text("Wait."), call, call)),
        Turn("tool", (ToolResult(None, None, {"b": 2}), ToolResult(None, None, "three"))),
    ]
    rest = (
        "<|im_start|>user\nHi<|im_end|>\n"
        "<|im_start|>assistant\n<think>\nHm.\n</think>\n\nWait.\n"
        '<tool_call>\n{"name": "f", "arguments": {"a": "é"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "f", "arguments": {"a": "é"}}\n</tool_call><|im_end|>\n'
        '<|im_start|>user\n<tool_response>\n{"b": 2}\n</tool_response>\n'
        "<tool_response>\nthree\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert render(None, (), history, thinking=True) == rest
    assert render("Be kind.", (), history) == f"<|im_start|>system\nBe kind.<|im_end|>\n{rest}{NO_THOUGHT}"
    later = render(None, (), [*history, Turn("assistant", (Text("Done."),)), Turn("user", (Text("And?"),))])
    assert "Hm." not in later


@given(turn=turns, returned=texts)
def test_a_conversation_reads_back(turn: Turn, returned: str) -> None:
    history = [Turn("user", (Text("Do it."),)), turn]
    if turn.calls:
        history.append(Turn("tool", tuple(ToolResult(None, None, returned) for _ in turn.calls)))
    request = Exchange.of(exchange("qwen3", render("Be kind.", TOOLS, history, thinking=True), "Done.")).request
    ask = DIALECT.readers.read_request(request, request.body.json)
    assert ask.tools is not None
    assert [(tool.name, tool.parameters, tool.strict) for tool in ask.tools] == [
        (tool.name, tool.parameters, tool.strict) for tool in TOOLS
    ]
    assert [each.role for each in ask.history[:3]] == ["system", "user", "assistant"]
    assert plain(ask.history[2].parts) == plain(turn.parts)
    assert [result.content for each in ask.history for result in each.results] == [returned for _ in turn.calls]


@pytest.mark.statement("QWE-S-001")
def test_moments_of_a_stream() -> None:
    events = Example("qwen3/stream-call").exchanges()[0].response.events
    kinds = [moment.kind for moment in DIALECT.readers.stream_events(events)]
    assert kinds == [*["tool_call_start", "tool_call_chunk", "tool_call_end"] * 2, "stop"]


def test_a_prompt_says_whether_the_model_is_to_think() -> None:
    for base, thinking in (("qwen3/call", False), ("qwen3/later-question", True)):
        request = Example(base).exchanges()[0].request
        assert DIALECT.readers.read_request(request, request.body.json).extra["thinking"] is thinking
