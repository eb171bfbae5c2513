"""Moments of streams: the same turn comes out of them, and every call begins once, goes on, and ends once."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.cassette.load import load_cassette
from conformance.judge.proofs.bases import main_bases
from conformance.judge.proofs.example import Example, example
from conformance.matrix.cells import Cell
from conformance.model import jsontext
from conformance.model.dialect import Dialect
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects, claim
from conformance.model.sse import Event, events, from_values
from conformance.model.stream_events import of_turns
from conformance.model.transcript import Malformed, Reasoning, StreamEvent, ToolCall, Turn
from tests.cassettes import PLAYED, SHIPPED, some
from tests.dialects.test_dialect_contract import DRAWN, JSON
from tests.sampling import fewer

Reported = tuple[str, str, list[Any], Any, Any]
CORPORA = [
    "openai-chat",
    "openai-compatible",
    "mistral",
    "huggingface",
    "openai-responses",
    "anthropic-messages",
    "gemini-generate",
]


@dataclass
class Call:
    start: StreamEvent
    chunks: list[str] = field(default_factory=list)
    end: StreamEvent | None = None


@dataclass
class Gathered:
    """One choice, put together from its moments; the order of a call's moments is asserted on the way."""

    text: str = ""
    reasoning: str = ""
    calls: list[Call] = field(default_factory=list)
    stop: StreamEvent | None = None

    def add(self, moment: StreamEvent) -> None:
        assert self.stop is None, "nothing comes after the stop"
        if moment.kind == "text":
            self.text += moment.text or ""
        elif moment.kind == "reasoning":
            self.reasoning += moment.text or ""
        elif moment.kind == "stop":
            self.stop = moment
        elif moment.kind == "tool_call_start":
            assert moment.call == len(self.calls)
            self.calls.append(Call(moment))
        else:
            assert moment.call is not None
            call = self.calls[moment.call]
            assert call.end is None, "nothing comes after the end"
            if moment.kind == "tool_call_chunk":
                assert moment.arguments_chunk
                call.chunks.append(moment.arguments_chunk)
            else:
                assert moment.arguments_complete == "".join(call.chunks)
                call.end = moment

    @property
    def said(self) -> Reported:
        stop = (self.stop.stop, self.stop.stop_wire) if self.stop else (None, None)
        return (self.text, self.reasoning, list(map(_call, self.calls)), *stop)


def _call(call: Call) -> tuple[Any, ...]:
    end = call.end
    assert end is not None, "every call ends"
    text = end.arguments_complete or ""
    arguments = text if end.tool_call_kind == "custom" else jsontext.parse(text)
    return end.tool_call_id, end.tool_call_name, end.tool_call_kind, _plain(arguments)


def _plain(arguments: Any) -> Any:
    """Broken arguments by their text alone: the turn may know a better reason."""
    return ("broken", arguments.text) if isinstance(arguments, Malformed) else arguments


def gathered(moments: Iterable[StreamEvent]) -> list[Reported]:
    choices: dict[int, Gathered] = {}
    for moment in moments:
        choices.setdefault(moment.choice, Gathered()).add(moment)
    return [choice.said for choice in choices.values() if any(choice.said)]


def said(turns: Iterable[Turn]) -> list[Reported]:
    """What moments can tell of turns; those of which they can tell nothing are left out."""
    found: list[Reported] = []
    for turn in turns:
        thought = "".join(part.text or "" for part in turn.parts if isinstance(part, Reasoning))
        calls = [
            (part.id, part.name, part.kind, _plain(part.arguments)) for part in turn.parts if isinstance(part, ToolCall)
        ]
        found.append((turn.text, thought, calls, turn.stop, turn.stop_wire))
    return [each for each in found if any(each)]


def streamed(exchange: Exchange) -> tuple[Dialect, tuple[Event, ...]] | None:
    dialect = claim(exchange.request)
    found = dialect.readers.sse_events(exchange) if dialect and exchange.response.ok else None
    return (dialect, found) if dialect and found is not None else None


def agree(exchanges: Iterable[Exchange]) -> int:
    """How many of the exchanges were streamed; each is asserted to say the same in moments as in turns."""
    count = 0
    for exchange in exchanges:
        found = streamed(exchange)
        if found is None:
            continue
        dialect, stream = found
        moments = list(dialect.readers.stream_events(stream))
        assert gathered(moments) == said(dialect.readers.read_stream(stream)), exchange.source
        assert all(moment.pointer.startswith("event/") for moment in moments), exchange.source
        count += 1
    return count


def kinds(moments: Iterable[StreamEvent]) -> list[str]:
    """The kinds of the moments, runs of the same as one."""
    found = [moment.kind for moment in moments]
    return [kind for number, kind in enumerate(found) if number == 0 or found[number - 1] != kind]


BASES = [f"{dialect}/{name}" for dialect in all_dialects() for name in main_bases(dialect)]
CASSETTES = sorted(SHIPPED.rglob("*--stream.yaml"))


class TestTheSameTurn:
    @pytest.mark.parametrize("base", BASES)
    def test_comes_out_of_every_example(self, base: str) -> None:
        agree(Example(base).exchanges())

    @pytest.mark.parametrize("name", ["openai-chat", "openai-responses", "anthropic-messages", "gemini"])
    def test_is_tried_in_every_dialect(self, name: str) -> None:
        assert sum(agree(Example(f"{name}/{base}").exchanges()) for base in main_bases(name)) > 2

    @pytest.mark.parametrize("cell", some(cell for cell in PLAYED if cell.stream), ids=lambda cell: cell.id)
    def test_comes_out_of_every_cassette(self, cell: Cell) -> None:
        agree(load_cassette(SHIPPED / cell.relative_path).exchanges)

    @pytest.mark.parametrize("name", CORPORA)
    def test_comes_out_of_every_real_recording(self, corpus: Path, name: str) -> None:
        def recorded() -> Iterator[Exchange]:
            path = corpus / f"{name}.jsonl.gz"
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    yield Exchange.of(json.loads(line), source=f"{path.name}:{number}")

        assert agree(recorded()) > 0

    @pytest.mark.parametrize("base", BASES)
    def test_comes_out_of_a_stream_that_breaks_off(self, base: str) -> None:
        for exchange in Example(base).exchanges():
            dialect, stream = streamed(exchange) or (None, ())
            for length in range(len(stream) if dialect else 0):
                assert dialect is not None
                got, want = (
                    gathered(dialect.readers.stream_events(stream[:length])),
                    said(dialect.readers.read_stream(stream[:length])),
                )
                # The turn keeps no thinking that was never finished; its moments do.
                assert [(one[0], *one[2:]) for one in got if any((one[0], *one[2:]))] == [
                    (one[0], *one[2:]) for one in want if any((one[0], *one[2:]))
                ]

    @pytest.mark.parametrize("base", BASES)
    def test_comes_unstreamed_in_one_piece(self, base: str) -> None:
        for exchange in Example(base).exchanges():
            dialect = claim(exchange.request)
            assert dialect is not None
            if streamed(exchange) or not exchange.response.ok or isinstance(exchange.response.body.json, Malformed):
                continue
            turns = dialect.readers.read_reply(exchange.response.body.json)
            assert gathered(of_turns(turns)) == said(turns)


CALLED = ["tool_call_start", "tool_call_chunk", "tool_call_end"]


class TestCalls:
    @pytest.mark.parametrize("scenario", ["weather", "parallel-weather"])
    def test_are_reported_alike_in_every_dialect(self, scenario: str) -> None:
        """Only the number of chunks is a dialect's own."""
        reported = {
            path.parts[-3]: kinds(moment for moment in narrated(path) if moment.kind not in ("text", "reasoning"))
            for path in CASSETTES
            if path.parts[-2] == scenario and path.parts[-3] in dict.fromkeys(BASES_OF_CALLS)
        }
        assert len(reported) >= 4
        number = len(next(iter(reported.values()))) // len(CALLED)
        assert number >= 1
        for found in reported.values():
            assert found == [*CALLED * number, "stop"]

    def test_whole_calls_have_one_chunk(self) -> None:
        reported = narrated(SHIPPED / "gemini/weather/reference--google-genai--stream.yaml")
        calls = [moment for moment in reported if moment.call is not None]
        assert [moment.kind for moment in calls] == CALLED
        assert calls[1].arguments_chunk == calls[2].arguments_complete
        assert {(moment.tool_call_id, moment.tool_call_name) for moment in calls} == {
            (calls[0].tool_call_id, "get_weather")
        }

    def test_without_arguments_have_an_empty_object(self) -> None:
        paths = [path for path in CASSETTES if path.parts[-2] == "no-arguments"]
        assert len(paths) >= 4
        for path in paths:
            ends = [moment for moment in narrated(path) if moment.kind == "tool_call_end"]
            assert [moment.arguments_complete for moment in ends] == ["{}"] * len(ends)
            assert ends

    def test_that_interleave_each_end_behind_their_last_piece(self) -> None:
        fragments: list[dict[str, Any]] = [
            {"index": 0, "id": "a", "type": "function", "function": {"name": "one", "arguments": ""}},
            {"index": 1, "id": "b", "type": "function", "function": {"name": "two", "arguments": '{"x"'}},
            {"index": 0, "function": {"arguments": "{}"}},
            {"index": 1, "function": {"arguments": ":1}"}},
        ]
        chunks = [{"choices": [{"index": 0, "delta": {"tool_calls": [each]}}]} for each in fragments]
        reported = list(all_dialects()["openai-chat"].readers.stream_events(from_values(list(chunks))))
        assert [(moment.kind.removeprefix("tool_call_"), moment.tool_call_id) for moment in reported] == [
            ("start", "a"),
            ("start", "b"),
            ("chunk", "b"),
            ("chunk", "a"),
            ("end", "a"),
            ("chunk", "b"),
            ("end", "b"),
        ]
        assert [moment.arguments_complete for moment in reported if moment.kind == "tool_call_end"] == ["{}", '{"x":1}']
        assert reported[-1].pointer == "event/3/choices/0/delta/tool_calls/0"

    def test_that_name_themselves_late_are_named_from_then_on(self) -> None:
        fragments: list[dict[str, Any]] = [
            {"index": 0, "type": "function", "function": {"arguments": "{"}},
            {"index": 0, "id": "a", "function": {"name": "one", "arguments": "}"}},
        ]
        chunks = [{"choices": [{"index": 0, "delta": {"tool_calls": [each]}}]} for each in fragments]
        reported = list(all_dialects()["openai-chat"].readers.stream_events(from_values(list(chunks))))
        assert [moment.tool_call_name for moment in reported] == [None, None, "one", "one"]

    def test_whose_arguments_vertex_streams_by_path_come_in_one_chunk(self) -> None:
        pieces: list[dict[str, Any]] = [
            {"name": "get_weather", "willContinue": True},
            {"partialArgs": [{"jsonPath": "$.city", "stringValue": "Bu", "willContinue": True}], "willContinue": True},
            {"partialArgs": [{"jsonPath": "$.city", "stringValue": "san"}], "willContinue": True},
            {},
        ]
        chunks = [
            {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": each}]}}]} for each in pieces
        ]
        gemini = all_dialects()["gemini"]
        reported = list(gemini.readers.stream_events(from_values(list(chunks))))
        assert [moment.kind for moment in reported] == CALLED
        assert reported[-1].arguments_complete == '{"city": "Busan"}'
        assert gathered(reported) == said(gemini.readers.read_stream(from_values(list(chunks))))

    def test_that_a_gateway_sends_without_deltas_are_told_from_their_item(self) -> None:
        [exchange] = example("openai-responses/stream-call").exchanges()[:1]
        found = streamed(exchange)
        assert found is not None
        dialect, stream = found
        bare = [each for each in stream if not str(each.json.get("type")).endswith((".delta", "arguments.done"))]
        assert len(bare) < len(stream)
        assert gathered(dialect.readers.stream_events(bare)) == gathered(dialect.readers.stream_events(stream))


BASES_OF_CALLS = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")


def narrated(path: Path) -> list[StreamEvent]:
    """The moments of the first exchange of a cassette."""
    found = streamed(load_cassette(path).exchanges[0])
    assert found is not None
    dialect, stream = found
    return list(dialect.readers.stream_events(stream))


@pytest.mark.parametrize("name", all_dialects())
@given(values=st.lists(JSON, max_size=4), text=st.text(max_size=40))
def test_narrating_is_total(name: str, values: list[Any], text: str) -> None:
    dialect = all_dialects()[name]
    gathered(dialect.readers.stream_events(from_values(values)))
    gathered(dialect.readers.stream_events(list(events(f"data: {text}\n\n"))))


@pytest.mark.parametrize("base", DRAWN)
@fewer(by=5)
@given(data=st.data())
def test_events_in_any_order_are_reported_with_whole_calls(base: str, data: st.DataObject) -> None:
    for exchange in Example(base).exchanges():
        found = streamed(exchange)
        if found is not None:
            dialect, stream = found
            drawn = data.draw(st.lists(st.sampled_from(stream), max_size=12)) if stream else []
            gathered(dialect.readers.stream_events([replace(each, number=at) for at, each in enumerate(drawn)]))


def test_the_work_grows_with_the_events_and_no_faster() -> None:
    def work(number: int) -> int:
        """How many functions are called, and generators resumed, to read so many events."""
        calls = 0

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        piece = {"index": 0, "function": {"arguments": "x"}}
        chunks = [{"choices": [{"index": 0, "delta": {"content": "y", "tool_calls": [piece]}}]}] * number
        stream = from_values(list(chunks))
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            found = sum(1 for _ in all_dialects()["openai-chat"].readers.stream_events(stream))
        finally:
            sys.setprofile(before)
        assert found > number
        return calls

    assert work(4_000) < 11 * work(400)
