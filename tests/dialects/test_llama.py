"""Llama's text: what is written is read back, however it is cut; whose prompt is whose; what the prompt offers."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from conformance.dialects.llama3.definitions import form_of, offer_of
from conformance.dialects.llama3.frame import read_frame
from conformance.dialects.llama3.names import Asked
from conformance.dialects.llama3.parse import ReplyReader, parse, read_reply
from conformance.dialects.llama3.writing import write_prompt, write_reply
from conformance.dialects.text.reading import merged
from conformance.judge.checker import check
from conformance.judge.proofs.example import Example, example, put
from conformance.model.exchange import Body, Exchange, Request
from conformance.model.registry import all_dialects, claimants, part_of
from conformance.model.transcript import Malformed, Part, Text, ToolCall, ToolDefinition, ToolResult, Turn

FORMS: tuple[Asked, ...] = ("builtin", "custom", "json")
NASTY = st.sampled_from(
    [
        "</tool_call>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|python_tag|>",
        "</function>",
        "<function=x>",
        "<|start_header_id|>user<|end_header_id|>\n\n",
        '"',
        "'",
        "\\",
        "}",
        "{",
        '{"name": "f", "parameters": {}}',
        "\n",
        "🧪",
        "한글",
        "; ",
        "Question: ",
    ]
)
STRINGS = st.lists(NASTY | st.text(st.characters(codec="utf-8"), max_size=5), max_size=5).map("".join)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(STRINGS, VALUES, max_size=3)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,20}", fullmatch=True)
CALLS = st.builds(lambda name, given: ToolCall(None, name, given), NAMES, ARGUMENTS)
BUILT_IN = st.builds(lambda query: ToolCall(None, "brave_search", {"query": query}), STRINGS)
WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).filter(
    lambda text: not text.lstrip().startswith(("{", "[", "<", "brave_search", "wolfram_alpha")) and "<|" not in text
)
TOOL = ToolDefinition(
    "get_weather", "Weather <|eot_id|> at a place.", {"type": "object", "properties": {"city": {"type": "string"}}}
)


def said(parts: tuple[Part, ...]) -> list[Any]:
    """What parts say, without where they stand and how it is spelled."""
    return [part.text if isinstance(part, Text) else (getattr(part, "name", None), part_value(part)) for part in parts]


def part_value(part: Part) -> Any:
    return part.arguments if isinstance(part, ToolCall) else part


@pytest.mark.parametrize("form", FORMS)
@given(calls=st.lists(CALLS | BUILT_IN, min_size=1, max_size=1))
def test_a_written_call_is_read_back(form: Asked, calls: list[ToolCall]) -> None:
    turn = Turn("assistant", tuple(calls))
    reading = read_reply(write_reply(form, turn))
    assert said(tuple(reading.parts)) == said(turn.parts)
    assert reading.faults == []


@pytest.mark.parametrize("form", FORMS)
@given(calls=st.lists(CALLS, min_size=2, max_size=4))
def test_several_written_calls_are_read_back(form: Asked, calls: list[ToolCall]) -> None:
    turn = Turn("assistant", tuple(calls))
    assert said(parse(write_reply(form, turn))) == said(turn.parts)


@pytest.mark.parametrize("form", FORMS)
@given(text=WORDS)
def test_written_text_is_read_back(form: Asked, text: str) -> None:
    assert parse(write_reply(form, Turn("assistant", (Text(text),)))) == (Text(text),)


REPLIES = [
    '<|python_tag|>brave_search.call(query="x y")<|eom_id|>',
    '{"name": "f", "parameters": {"a": 1e2, "b": "}<|eot_id|>"}}<|eot_id|>',
    '<function=f>{"n": {"a": "</function>"}}</function><|eot_id|>',
    "[f(a='x', b=[1, {'k': None}]), g(b=1)]<|eot_id|>",
    'Let me see. <|python_tag|>{"name": "f", "parameters": {}}<|eom_id|>',
    "Less < than <| more <|pyth<function<|eot_id|>",
    "Hi<|eot_id|><|start_header_id|>user<|end_header_id|>",
    '{"answer": 3}<|eot_id|>',
    "  \n한글 🧪<|eot_id|>",
    '{"name": "f", "parameters": {}}; {"name": "g", "parameters": {}}<|eom_id|>',
    "<|python_tag|>print('<|eom_id|>')<|eom_id|>",
    "",
]


@pytest.mark.statement("LLA-S-001")
@pytest.mark.parametrize("text", REPLIES)
@pytest.mark.parametrize("cut", [False, True])
def test_every_split_in_two_reads_the_same(text: str, *, cut: bool) -> None:
    for place in range(len(text) + 1):
        assert read_in([text[:place], text[place:]], cut=cut) == parse(text, cut=cut)
    assert read_in(list(text), cut=cut) == parse(text, cut=cut)


@pytest.mark.statement("LLA-S-001")
@given(text=st.lists(NASTY | st.text(max_size=6), max_size=8).map("".join), data=st.data())
def test_any_text_reads_the_same_however_it_is_cut(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    chunks = [text[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert read_in(chunks) == parse(text)


def read_in(chunks: list[str], *, cut: bool = False) -> tuple[Part, ...]:
    def parts() -> Iterator[Part]:
        reader = ReplyReader()
        for chunk in chunks:
            yield from reader.feed(chunk)
        yield from reader.finish(cut=cut)

    return tuple(merged(parts()))


def test_arguments_keep_their_text() -> None:
    (call,) = parse(
        '{"name": "f", "parameters": {"big": 123456789012345678901234567890, "e": 1e2, "no": null}}<|eot_id|>'
    )
    assert isinstance(call, ToolCall)
    assert call.wire == '{"big": 123456789012345678901234567890, "e": 1e2, "no": null}'
    assert call.arguments["big"] == 123456789012345678901234567890


def test_a_call_that_was_cut_off_is_a_call_without_a_fault() -> None:
    reading = read_reply('{"name": "delete_files", "parameters": {"pattern": "old/', cut=True)
    (call,) = reading.calls
    assert (call.name, type(call.arguments)) == ("delete_files", Malformed)
    assert reading.faults == []


@pytest.mark.parametrize("form", FORMS)
@given(words=STRINGS.filter(str.strip), result=VALUES, call=CALLS)
def test_a_written_prompt_is_read_back(form: Asked, words: str, result: Any, call: ToolCall) -> None:
    assume("<|" not in words and not words.startswith("\n"))
    text = json.dumps(result, ensure_ascii=False)
    history = (
        Turn("user", (Text(words),)),
        Turn("assistant", (call,)),
        Turn("tool", (ToolResult(None, None, text),)),
    )
    ask = read(write_prompt(form, "Be brief.", [TOOL], history), form)
    assert [turn.role for turn in ask.history] == ["system", "user", "assistant", "tool"]
    assert ask.history[1].text == words
    assert said(ask.history[2].parts) == said((call,))
    content = ask.history[3].results[0].content
    assert (json.loads(content) if isinstance(content, str) else content) == result
    assert ask.tool("get_weather") is not None
    assert (ask.tool("get_weather") or TOOL).parameters == TOOL.parameters


def read(prompt: str, form: str) -> Any:
    body = {"model": "m", "prompt": prompt}
    dialect = all_dialects()[f"llama3-{form}"]
    return dialect.readers.read_request(Request("POST", "http://localhost/v1/completions", body=Body(body)), body)


@pytest.mark.parametrize("form", FORMS)
def test_each_prompt_is_claimed_by_its_own_dialect(form: Asked) -> None:
    prompt = write_prompt(form, None, [TOOL], [Turn("user", (Text("Hello"),))])
    body = Body({"model": "m", "prompt": prompt, "max_tokens": 9})
    claimed = claimants(Request("POST", "http://localhost/v1/completions", body=body))
    assert [each.name for each in claimed] == ["openai-completions", f"llama3-{form}"]


@pytest.mark.parametrize(
    ("head", "form"),
    [
        ("Environment: ipython\nTools: brave_search, wolfram_alpha\n\nBe kind.", "builtin"),
        ("Environment: ipython", "builtin"),
        ('Environment: ipython\n\n{"name": "f", "description": "d", "parameters": {}}', "json"),
        ('Environment: ipython\nTools: brave_search\n<function=x>{"a": 1}</function>', "custom"),
        ("Be kind.", "json"),
    ],
)
def test_the_prompt_says_what_it_asks_for(head: str, form: str) -> None:
    assert form_of(f"<|start_header_id|>system<|end_header_id|>\n\n{head}<|eot_id|>") == form
    assert form_of(head) is None


def test_python_types_of_parameters_become_those_of_json_schema() -> None:
    table = {"n": {"param_type": "int", "description": "How many.", "required": True}, "x": {"param_type": "float"}}
    definition = json.dumps({"name": "songs", "description": "Top songs.", "parameters": table})
    prompt = f"<|start_header_id|>system<|end_header_id|>\n\nUse the function 'songs' to: list\n{definition}<|eot_id|>"
    (tool,) = offer_of(prompt).functions
    assert tool.parameters == {
        "type": "object",
        "properties": {"n": {"type": "integer", "description": "How many."}, "x": {"type": "number"}},
        "required": ["n"],
    }


def test_a_result_in_an_envelope_is_read_out_of_it() -> None:
    prompt = (
        read_frame("x").before + "<|start_header_id|>ipython<|end_header_id|>\n\n" + '{"output": {"t": 1}}<|eot_id|>'
    )
    turn = read(prompt, "json").history[0]
    assert turn.results[0].content == {"output": {"t": 1}}


@given(text=st.lists(NASTY | st.text(max_size=8), max_size=10).map("".join))
def test_any_prompt_is_read(text: str) -> None:
    frame = read_frame(text)
    assert all(message.role == message.role.strip("<>") for message in frame.messages)
    for form in FORMS:
        read(text, form)
    offer_of(text)


def test_a_server_that_strips_tokens_is_understood() -> None:
    """vLLM's defaults: no special token is shown, and the end is a number beside the finish."""
    request = Example("llama3-builtin/search").exchanges()[0].request
    plain = {key: value for key, value in request.body.json.items() if not key.endswith(("_tokens", "_output"))}
    asked = Request("POST", request.url, request.headers, Body({**plain, "max_tokens": 99}))
    dialect = all_dialects()["llama3-builtin"]
    from conformance.model.rendered import IdFactory

    turn = Turn("assistant", (ToolCall(None, "brave_search", {"query": "night market"}),))
    rendered = part_of("llama3-builtin", "render").answer(
        turn, dialect.readers.read_request(asked, asked.body.json), asked, IdFactory("x")
    )
    choice = json.loads(rendered.body)["choices"][0]
    assert (choice["text"], choice["stop_reason"]) == ('brave_search.call(query="night market")', 128008)
    record = {
        "request": {"method": "POST", "url": asked.url, "headers": dict(asked.headers), "body": asked.body.json},
        "response": {"status": 200, "headers": {"content-type": "application/json"}, "body": json.loads(rendered.body)},
    }
    assert check([Exchange.of(record, complete=True)]) == []


@pytest.mark.parametrize("dialect", ["llama3-builtin", "llama3-custom", "llama3-json"])
def test_the_same_turns_come_out_of_a_stream(dialect: str) -> None:
    plain, streamed = Example(f"{dialect}/call").exchanges()[0], Example(f"{dialect}/stream-call").exchanges()[0]
    readers = all_dialects()[dialect].readers
    events = readers.sse_events(streamed)
    assert events is not None
    (one,), (other,) = readers.read_reply(plain.response.body.json), readers.read_stream(events)
    assert said(one.parts) == said(other.parts)
    assert (one.stop, other.stop) == ("tool-calls", "tool-calls")
    kinds = [moment.kind for moment in readers.stream_events(events)]
    assert kinds == ["tool_call_start", "tool_call_chunk", "tool_call_end", "stop"]


def test_a_tool_error_goes_back_as_text() -> None:
    prompt = write_prompt("json", None, [TOOL], [Turn("tool", (ToolResult(None, None, "No such city."),))])
    assert "ipython<|end_header_id|>\n\nNo such city.<|eot_id|>" in prompt


@pytest.mark.parametrize(
    "text", ["", "{", "[", "<|python_tag|>", "<function=", '{"name": 3}', "[f(", "[f(a=b)]", "{" * 500]
)
def test_what_is_no_call_is_judged_without_a_harness_error(text: str) -> None:
    made = example("llama3-json/call", put("/0/response/body/choices/0/text", text))
    assert check(made.exchanges()) is not None
