"""The calls in the text of open models: the same however the text is cut, and as soon as they are complete."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.dialects.text.markup import Call, Event, Fault, Markup, names, opened_before
from conformance.dialects.text.markup.grammar import Grammar, Marks, Step, grammar, rows
from conformance.dialects.text.markup.incoming import Incoming
from conformance.errors import ConformanceError
from conformance.model.transcript import Reasoning, Text
from devtools.markup_parsers.writing import Called, schemas, written

STRINGS = st.text(st.sampled_from('ab 1"\\<>{}[]&\n\t서😀`'), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(["city", "days", "a-b", "x_1", "Größe"])
CALLS = st.lists(
    st.tuples(st.sampled_from(["get_weather", "f", "a-b", "ns.g"]), st.dictionaries(KEYS, VALUES, max_size=3)),
    min_size=1,
    max_size=3,
)
MARKUPS = pytest.mark.parametrize("markup", names())
TWO: list[Called] = [("get_weather", {"city": "서울", "days": 3, "dry": True}), ("ping", {})]


def read(markup: str, pieces: Iterable[str], **options: Any) -> list[Event]:
    """The events, with pieces of text and of thoughts that follow each other joined."""
    reader = Markup(markup, **options)
    events = [event for piece in pieces for event in reader.feed(piece)]
    joined: list[Event] = []
    for kind, group in groupby([*events, *reader.finish()], type):
        if issubclass(kind, (Text, Reasoning)):
            joined.append(kind("".join(each.text or "" for each in group if isinstance(each, (Text, Reasoning)))))
        else:
            joined += group
    return joined


def calls_of(events: Iterable[Event]) -> list[tuple[str, Any]]:
    return [(each.name, each.arguments) for each in events if isinstance(each, Call)]


def faults_of(events: Iterable[Event]) -> list[Fault]:
    return [each for each in events if isinstance(each, Fault)]


def fragments(markup: str) -> st.SearchStrategy[str]:
    """Texts of the marks of a markup, and of what may be between them."""
    row = rows()[markup]
    marks = re.findall(r"[^{}]+|\{\w+\}", " ".join(re.findall(r'"([^"]+)"', json.dumps(row, ensure_ascii=False))))
    known = [*(each for each in marks if not each.startswith("{")), *_texts(grammar(markup))]
    return st.lists(
        st.sampled_from([*known, "f", '{"a": 1}', '{"name": "f", "arguments": {}}', '"', "\\", "\n", "x"])
    ).map("".join)


def _texts(of: Grammar) -> list[str]:
    return [*of.turn, *of.onward, *(mark for step in (*of.call, *of.before, *of.after) for mark in step.either)]


def pieces_of(text: str, places: Sequence[int]) -> list[str]:
    cuts = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[start:end] for start, end in pairwise(cuts)]


@MARKUPS
@given(calls=CALLS)
def test_what_a_template_writes_is_read_as_it_was(markup: str, calls: list[Called]) -> None:
    typed = schemas(calls)
    text = written(markup, calls)
    events = read(markup, [text], tools=typed if _alike(calls) else None)
    assert not faults_of(events), text
    found = calls_of(events)
    assert [name for name, _ in found] == [name for name, _ in calls]
    if _alike(calls) or "parameter" not in rows()[markup]:
        assert json.dumps(found) == json.dumps(calls), text


def _alike(calls: list[Called]) -> bool:
    """Whether each parameter of a tool has one type: only then can a schema state it."""
    seen: dict[tuple[str, str], type] = {}
    pairs = [((name, key), type(value)) for name, arguments in calls for key, value in arguments.items()]
    return all(seen.setdefault(key, kind) is kind for key, kind in pairs)


@MARKUPS
@given(data=st.data(), calls=CALLS, places=st.lists(st.integers(0, 500), max_size=12))
def test_the_events_are_the_same_however_the_text_is_cut(
    markup: str, data: st.DataObject, calls: list[Called], places: list[int]
) -> None:
    text = f"Let me see.\n{written(markup, calls)}"
    if data.draw(st.booleans(), "broken"):
        at = places[0] % len(text) if places else 0
        text = text[:at] + data.draw(fragments(markup)) + text[at + data.draw(st.integers(0, 20)) :]
    whole = read(markup, [text])
    assert read(markup, pieces_of(text, places)) == whole
    assert read(markup, list(text)) == whole


@MARKUPS
@given(data=st.data())
def test_any_text_is_read_alike_in_pieces_and_never_raises(markup: str, data: st.DataObject) -> None:
    text = data.draw(fragments(markup))
    thinking = data.draw(st.booleans())
    assert read(markup, list(text), thinking=thinking) == read(markup, [text], thinking=thinking)


@MARKUPS
@given(calls=CALLS)
def test_a_prefix_that_ends_in_a_call_has_the_calls_that_are_complete(markup: str, calls: list[Called]) -> None:
    text = written(markup, calls)
    reader, ends = Markup(markup), list[int]()
    for place, char in enumerate(text):
        ends += [place + 1 for event in reader.feed(char) if isinstance(event, Call)]
    assert len(ends) == len(calls)
    whole = calls_of(read(markup, [text]))
    for number, end in enumerate(ends, 1):
        assert calls_of(read(markup, [text[:end]])) == whole[:number]
        assert [each for each in Markup(markup).feed(text[:end]) if isinstance(each, Call)]


@MARKUPS
def test_each_cut_of_a_text_keeps_complete_calls_and_reports_the_cut_one(markup: str) -> None:
    text = written(markup, TWO)
    whole = calls_of(read(markup, [text]))
    for end in range(len(text)):
        events = read(markup, [text[:end]])
        found = calls_of(events)
        assert found == whole[: len(found)]
        assert all(each.cut for each in faults_of(events)), text[:end]


@MARKUPS
def test_each_markup_says_where_its_template_is_published(markup: str) -> None:
    row = rows()[markup]
    assert row["title"]
    assert all(each.keys() == {"repository", "file"} for each in row["sources"])


@MARKUPS
def test_no_mark_is_the_beginning_of_another_one_that_could_stand_at_its_place(markup: str) -> None:
    of = grammar(markup)
    every: list[Marks] = [of.turn, of.onward, of.within, of.behind] if of.before else [of.turn, of.onward]
    _gather((*of.call, *of.before, *of.after, *of.other), of, every)
    for marks in every:
        assert not [(one, other) for one in marks for other in marks if one != other and other.startswith(one)]


def _gather(steps: Iterable[Step], of: Grammar, every: list[Marks]) -> None:
    for step in steps:
        if step.slot is not None:
            every += [step.either, Marks((*step.then, *of.restarts))]
        _gather(step.inner, of, every)


KIMI = "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>"
KIMI_END = "<|tool_call_end|><|tool_calls_section_end|>"
GLM = "<arg_key>a</arg_key><arg_value>1</arg_value>"
QWEN = "<tool_call>\n<function=f>\n<parameter=a>\n{}\n</parameter>\n</function>\n</tool_call>"


def test_a_closing_mark_in_a_value_is_text_unless_the_template_goes_on_behind_it() -> None:
    assert calls_of(read("qwen3-coder", [QWEN.format("x </parameter> y")])) == [("f", {"a": "x </parameter> y"})]


def test_a_broken_call_does_not_swallow_the_next_one() -> None:
    broken = QWEN.format("x </parameter> y").replace("y\n</parameter>", "y")
    [fault, call] = read("qwen3-coder", [f"{broken}{QWEN.format('1')}"])
    assert isinstance(fault, Fault)
    assert (fault.line, fault.column, fault.name) == (4, 16, "f")
    assert fault.message == "here, `<parameter=` or `</function>` is expected"
    assert calls_of([call]) == [("f", {"a": 1})]


def test_a_mark_inside_a_string_of_json_closes_nothing() -> None:
    text = written("granite", [("f", {"a": "</tool_call><tool_call>"})])
    assert calls_of(read("granite", [text])) == [("f", {"a": "</tool_call><tool_call>"})]


def test_json_that_is_broken_ends_at_the_closing_mark() -> None:
    text = '<tool_call>\n{"name": "f", "arguments": {"a": "x}}\n</tool_call>\n'
    events = read("granite", [text + written("granite", TWO)])
    [fault] = faults_of(events)
    assert (fault.line, fault.column) == (2, 34)
    assert "the JSON is broken" in fault.message
    assert len(calls_of(events)) == 2


def test_a_value_is_json_where_it_parses_unless_the_tool_has_a_string_there() -> None:
    text = written("glm", [("f", {"zip": "01234", "days": "3", "city": "Oslo"})])
    schema = {
        "f": {
            "properties": {"days": {"$ref": "#/$defs/s"}, "zip": {"type": ["string", "null"]}},
            "$defs": {"s": {"type": "string"}},
        }
    }
    [free] = [each for each in read("glm", [text]) if isinstance(each, Call)]
    [typed] = [each for each in read("glm", [text], tools=schema) if isinstance(each, Call)]
    assert free.arguments == {"zip": "01234", "days": 3, "city": "Oslo"}
    assert free.read_as == {"zip": "string", "days": "json", "city": "string"}
    assert typed.arguments == {"zip": "01234", "days": "3", "city": "Oslo"}
    assert set(typed.read_as.values()) == {"string"}


def test_a_word_of_the_template_is_a_value_only_where_the_schema_has_one() -> None:
    text = QWEN.format("True")
    assert calls_of(read("qwen3-coder", [text])) == [("f", {"a": "True"})]
    assert calls_of(read("qwen3-coder", [text], tools={"f": {"properties": {"a": {"type": "boolean"}}}})) == [
        ("f", {"a": True})
    ]


def test_dsml_says_itself_which_values_are_strings() -> None:
    text = written("deepseek-v3.2", [("f", {"a": "1", "b": 1})])
    assert calls_of(read("deepseek-v3.2", [text])) == [("f", {"a": "1", "b": 1})]


def test_calls_in_thoughts_are_thoughts() -> None:
    inner = written("glm", TWO)
    events = read("glm", [f"{inner}</think>Hi"], thinking=True)
    assert events == [Reasoning(inner), Text("Hi")]
    assert opened_before("glm", f"{inner}</think>")
    assert not opened_before("glm", f"<think>{inner}</think>")


def test_harmony_takes_the_recipient_before_or_after_the_channel() -> None:
    thought = "<|channel|>analysis<|message|>Hm.<|end|>"
    header = "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>"
    text = f'{thought}{header}{{"a": 1}}<|call|>'
    before, call = read("gpt-oss", [text])
    assert before == Reasoning("Hm.")
    assert calls_of([call]) == [("f", {"a": 1})]
    assert calls_of(read("gpt-oss", [text.removesuffix("<|call|>")])) == [("f", {"a": 1})]
    python = "<|channel|>analysis to=python code<|message|>print(1)<|call|>"
    assert calls_of(read("gpt-oss", [python])) == [("python", "print(1)")]


@pytest.mark.parametrize(
    ("markup", "text", "line", "column", "message"),
    [
        ("glm", "hm\n</tool_call>", 2, 1, "`</tool_call>` stands outside"),
        ("qwen3-coder", "hm\n <function=f>", 2, 2, "`<function=` stands outside"),
        ("kimi", "<|tool_call_begin|>functions.f:0", 1, 1, "`<|tool_call_begin|>` stands outside"),
        ("kimi", f'{KIMI}{{"a": 1e999}}{KIMI_END}', 1, 89, "too large"),
        ("kimi", f'{KIMI}{{"a": {"[" * 300}{"]" * 300}}}{KIMI_END}', 1, 89, "200 levels"),
        ("kimi", "<|tool_calls_section_begin|><|tool_call_begin|>f:0<|tool_call_argument_begin|>{}", 1, 48, "the id"),
        ("glm", "<tool_call>get the weather\n</tool_call>", 1, 12, "is no name of a tool"),
        ("glm", "ok<|user|>more", 1, 11, "which ends the turn"),
        ("glm", "<think>\nhm", 2, 3, "in the model's thoughts"),
        ("mistral-nemo", '[TOOL_CALLS][{"name": "f"}]', 1, 14, "no `arguments`"),
        ("minimax", "<minimax:tool_call>\nfoo", 2, 1, 'here, `</minimax:tool_call>` or `<invoke name="` is expected'),
        ("gpt-oss", "<|start|>assistant<|message|>hi<|end|>", 1, 1, "no channel"),
        ("glm", f"<tool_call>f{GLM * 2}</tool_call>", 1, 1, "twice"),
    ],
)  # fmt: skip
def test_a_fault_has_its_place(markup: str, text: str, line: int, column: int, message: str) -> None:
    [fault] = faults_of(read(markup, [text]))
    assert (fault.line, fault.column) == (line, column)
    assert message in fault.message


def test_halves_of_a_surrogate_pair_become_their_character() -> None:
    assert read("glm", ["\ud83d", "\ude00"]) == [Text("😀")]
    assert read("glm", ["a\ud83d"]) == [Text("a\ud83d")]
    assert read("glm", ["\ud83d\ude00"]) == [Text("😀")]


def test_an_unknown_markup_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConformanceError, match="glm, kimi, deepseek"):
        Markup("gml")


class _Counted(Incoming):
    """Counts the characters that are looked at."""

    looked = 0

    def take(self, end: int) -> str:
        self.looked += end - self.at
        return super().take(end)


@pytest.mark.parametrize(
    ("markup", "unit"),
    [
        ("granite", '<tool_call>{"name":"a'),
        ("granite", '<tool_call>{"name":"a</tool_call>'),
        ("granite", "["),
        ("kimi", "<|tool_calls_section_begin|><|tool_call_begin|>"),
        ("qwen3-coder", "<tool_call><function=f><parameter=a></parameter>x"),
        ("mistral", "[TOOL_CALLS]f[ARGS]{"),
        ("mistral-nemo", "[TOOL_CALLS][{"),
        ("gpt-oss", "<|channel|>final to=functions.f<|message|>{"),
    ],
)
def test_each_character_is_consumed_twice_at_most(markup: str, unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.dialects.text.markup.reader.Incoming", _Counted)
    reader, size = Markup(markup), 0
    for _ in range(300):
        list(reader.feed(unit))
        size += len(unit)
    list(reader.finish())
    counted = reader._text
    assert isinstance(counted, _Counted)
    assert counted.looked <= 2 * size
