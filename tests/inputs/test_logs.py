"""Logs of other tools: each sample is detected, read and judged; what it does not contain is reported, not judged."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import re
import shutil
import subprocess
import tracemalloc
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from jsonschema import Draft202012Validator

from conformance.errors import ConformanceError
from conformance.inputs import jsonl, read
from conformance.inputs.formats import all_formats, format_named
from conformance.inputs.messages import Call, Conversation, Message
from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange, Lack, Request, Response
from conformance.model.finding import Finding, Severity
from conformance.model.registry import claim
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios
from devtools.places import ROOT, TEST_DATA
from tests.program import conformance
from tests.sampling import every

LOGS = TEST_DATA / "logs"
CHAT = "openai-chat"
MESSAGES = "anthropic-messages"
WIRE: frozenset[str] = frozenset()
HEADERLESS = frozenset({"headers"})
BODIES = frozenset({"url", "headers", "status"})
UNHEADED = frozenset({"headers", "status"})
SAID = frozenset({"url", "headers", "status", "members"})


class Sample(NamedTuple):
    """A file or folder; its format; the dialects of its exchanges; what the source lacks; how a fault is planted.

    `fault` is a pattern with one group, the text that is replaced by one of the same length; `found` is the rule, the
    side and the pointer of the finding about it.
    """

    path: str
    format: str
    dialects: list[str]
    lacks: frozenset[str]
    fault: str
    found: tuple[str, str, str]


ID = r'tool_call_id\\*": ?\\*"call_(\w{4})'
"""The id of a result, as JSON or as JSON in a JSON string."""
LOGGED_ID = r'"key": "id", "value": \{"stringValue": "call_(\w{4})\w+"\}\}\]\}\}, "attributes"'
PART_ID = r'tool_call_response\\", \\"id\\": \\"[a-z]+_(\w{4})'
PRINTED_ID = r"(?:tool_call_id': 'call_|tool_use_id': 'toolu_)(\w{4})"
"""The same, as Python writes it."""
WRITTEN_NAME = r"output: '[^']*\"name\": \"get_(\w{4})"
GIVEN_ID = r'"functionResponse": \{"id": "(\w{4})'
STOP = r'"finish_reason":"tool_call(s)"'
ORPHAN = "tool-result-orphaned"
RESULT = (ORPHAN, "request", "/messages/2")
RESULT_PART = (ORPHAN, "request", "/contents/2/parts/0/functionResponse")
RESULT_BLOCK = (ORPHAN, "request", "/messages/2/content/0")
UNDECLARED = ("tool-call-undeclared", "response", "/choices/0/text")
STOPPED = ("chat-finish-reason-unknown", "response", "event/8/choices/0/finish_reason")
PLAINLY_STOPPED = ("chat-finish-reason-unknown", "response", "/choices/0/finish_reason")

SAMPLES = [
    Sample("mitmproxy/weather.flows", "mitmproxy", [CHAT] * 4, WIRE, ID, RESULT),
    Sample("har/mitmproxy.har", "har", [CHAT] * 4, WIRE, ID, RESULT),
    Sample("har/polly", "har", [CHAT] * 4, WIRE, ID, RESULT),
    Sample("vcr/go-vcr-1.yaml", "vcr", [CHAT] * 4, WIRE, ID, RESULT),
    Sample("nock/weather.json", "nock", [CHAT] * 4, WIRE, ID, RESULT),
    Sample("google-test-server", "google-test-server", ["gemini"] * 4, WIRE, GIVEN_ID, RESULT_PART),
    Sample("azure-test-proxy", "azure-test-proxy", [CHAT] * 4, WIRE, ID, RESULT),
    Sample("httprr/weather.httprr", "httprr", [CHAT] * 4, WIRE, ID, RESULT),
    Sample("reqllm", "reqllm", [CHAT] * 4, WIRE, r'"finish_reason": "tool_call(s)"', PLAINLY_STOPPED),
    Sample("httpmock/weather.yaml", "httpmock", [CHAT] * 4, HEADERLESS, ID, RESULT),
    Sample("wiremock/journal.json", "wiremock", [CHAT] * 4, WIRE, ID, RESULT),
    Sample("wiremock/recorded", "wiremock", [CHAT] * 4, HEADERLESS, ID, RESULT),
    Sample("bodies", "bodies", [CHAT] * 2, BODIES, STOP, STOPPED),
    Sample("sse/weather.sse", "sse", [CHAT], BODIES | {"request"}, STOP, STOPPED),
    Sample("batch", "batch", [CHAT] * 2, HEADERLESS, ID, RESULT),
    Sample("litellm-bundle", "litellm-bundle", [CHAT] * 4, HEADERLESS, ID, RESULT),
    Sample("litellm/callback.jsonl", "litellm", [CHAT] * 6, SAID, ID, RESULT),
    Sample("litellm-debug/openai.log", "litellm-debug", [CHAT] * 2, SAID, PRINTED_ID, RESULT),
    Sample("litellm-debug/anthropic.log", "litellm-debug", [MESSAGES] * 2, UNHEADED, PRINTED_ID, RESULT_BLOCK),
    Sample("vllm/bodies.log", "vllm", [CHAT] * 2, BODIES, ID, RESULT),
    Sample("vllm/prompts.log", "vllm", ["qwen3"] * 2, SAID, WRITTEN_NAME, UNDECLARED),
    Sample("langfuse", "langfuse", [CHAT] * 4, SAID, ID, RESULT),
    Sample("langsmith/wrapped-sdks.jsonl", "langsmith", [CHAT] * 4 + [MESSAGES] * 2, SAID, ID, RESULT),
    Sample("langsmith/langchain.jsonl", "langsmith", [CHAT] * 2 + [MESSAGES] * 2, SAID, ID, RESULT),
    Sample("inspect/weather.json", "inspect", [CHAT] * 4, SAID, ID, RESULT),
    Sample("helicone/export.jsonl", "helicone", [CHAT] * 4, SAID, ID, RESULT),
    Sample("otel/openllmetry-openai.jsonl", "otel", [CHAT] * 4, SAID, PART_ID, RESULT),
    Sample("otel/openllmetry-anthropic.jsonl", "otel", [MESSAGES] * 2, SAID, PART_ID, RESULT_BLOCK),
    Sample("otel/openai-v2-logs.jsonl", "otel", [CHAT] * 4, SAID, LOGGED_ID, RESULT),
    Sample("otel/langfuse-sdk.jsonl", "otel", [CHAT] * 4, SAID, ID, RESULT),
    Sample("openinference/spans.jsonl", "openinference", [CHAT] * 2, SAID, ID, RESULT),
    Sample("dataset/train.jsonl", "dataset", [CHAT] * 2, SAID, ID, RESULT),
]
ENDS_ANYWHERE = ("sse", "vcr", "httpmock", "litellm-debug", "vllm")
"""YAML may end anywhere, and so may what a program prints."""
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.path)
NODE = shutil.which("node")


def findings(exchanges: Iterable[Exchange]) -> list[Finding]:
    checker = Checker()
    return [finding for exchange in exchanges for finding in checker.feed(exchange)]


def crossed_out(found: re.Match[str]) -> str:
    """The match with its group crossed out."""
    begin, end = found.start(1) - found.start(), found.end(1) - found.start()
    return f"{found[0][:begin]}{'x' * (end - begin)}{found[0][end:]}"


def dialects(exchanges: Iterable[Exchange]) -> list[str]:
    return sorted(dialect.name if (dialect := claim(each.request)) else "none" for each in exchanges)


@each_sample
def test_a_sample_is_detected_by_its_content(sample: Sample, tmp_path: Path) -> None:
    """Under a name that says nothing, except for pairs of files, which belong together by their names."""
    path = LOGS / sample.path
    if path.is_file():
        path = Path(shutil.copy(path, tmp_path / "noname"))
    exchanges = list(read(path))
    assert dialects(exchanges) == sorted(sample.dialects)
    assert frozenset().union(*(each.lacks for each in exchanges)) == sample.lacks
    assert len(list(read(path, format=sample.format))) == len(exchanges)


@each_sample
def test_a_conforming_sample_has_no_finding_and_every_exchange_is_judged(sample: Sample) -> None:
    checker = Checker()
    reported = [finding for exchange in read(LOGS / sample.path) for finding in checker.feed(exchange)]
    assert [finding for finding in reported if finding.severity > Severity.INFO] == []
    assert checker.summary.not_exercised == 0
    assert checker.summary.unclaimed == 0
    assert checker.summary.harness_errors == []


@each_sample
def test_a_fault_in_a_copy_is_found_at_its_place(sample: Sample, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    original = LOGS / sample.path
    (shutil.copytree if original.is_dir() else shutil.copy)(original, copy)
    planted = 0
    for file in [copy] if copy.is_file() else sorted(each for each in copy.rglob("*") if each.is_file()):
        text = file.read_bytes().decode()
        text = re.sub(r'"bodyAsBase64" : "[^"]*",', "", text)
        changed = re.sub(sample.fault, crossed_out, text)
        planted += changed != text
        file.write_bytes(changed.encode())
    assert planted
    reported = [(each.rule, each.side, each.pointer) for each in findings(read(copy))]
    assert sample.found in reported


def test_every_format_has_a_sample() -> None:
    assert {sample.format for sample in SAMPLES} | {"exchange-jsonl"} == set(all_formats())


@each_sample
def test_a_value_is_of_one_format_only(sample: Sample) -> None:
    path = LOGS / sample.path
    for file in [path] if path.is_file() else sorted(path.rglob("*.json*")):
        text = file.read_bytes()
        with contextlib.suppress(ValueError):
            value = json.loads(text.splitlines()[0] if file.suffix == ".jsonl" else text)
            found = [each.name for each in all_formats().values() if each.detect(value) and not each.fallback]
            assert len(found) <= 1, file


@pytest.mark.parametrize(
    "path",
    [sample.path for sample in SAMPLES if (LOGS / sample.path).is_file()] + ["../recordings/archive.har"],
)
def test_standard_input_may_be_of_any_format_and_zipped(path: str) -> None:
    content = (LOGS / path).read_bytes()
    expected = [each.response.status for each in read(LOGS / path)]
    for stdin in (content, gzip.compress(content)):
        found = list(read(["-"], stdin=io.BytesIO(stdin)))
        assert [each.response.status for each in found] == expected
        assert {each.source.partition(":")[0] for each in found} == {"-"}


def test_several_processes_find_what_one_finds(tmp_path: Path) -> None:
    shutil.copytree(LOGS, tmp_path, dirs_exist_ok=True)
    for file in tmp_path.rglob("callback.jsonl"):
        file.write_text(file.read_text(encoding="utf-8").replace('tool_call_id": "call_', 'tool_call_id": "x'))
    alone, together = (conformance("check", str(tmp_path), "--format", "json", "--jobs", jobs) for jobs in ("1", "2"))
    assert alone.returncode == together.returncode == 1
    assert alone.stdout == together.stdout
    assert json.loads(alone.stdout)["summary"]["unclaimed"] == 0


def test_calls_of_inspect_have_their_texts_and_those_that_failed_or_came_from_a_cache_are_left_out(
    tmp_path: Path,
) -> None:
    """In older logs a sample has its events and texts in a transcript."""
    asked, unknown = [
        {"role": "user", "content": f"{name}://{key}"} for name, key in (("attachment", "a"), ("tc", "b"))
    ]
    called: dict[str, Any] = {"event": "model", "call": {"request": {"messages": [asked, unknown]}, "response": None}}
    pooled = {"event": "model", "call": {"request": {"model": "m"}, "call_refs": [[0, 1], [2, 3]], "call_key": "input"}}
    left_out = [{**called, "cache": "read"}, {**called, "error": "x"}, {"event": "model"}, {"event": "info", "data": 1}]
    failed = {**called, "call": {**called["call"], "error": True}}
    texts = {"a": "Hello"}
    samples = [
        {"id": 1, "epoch": 1, "events": [*left_out, failed, called], "attachments": texts},
        {"id": 1, "epoch": 2, "events": [pooled], "attachments": texts, "events_data": {"calls": [asked, 0, unknown]}},
        {"id": 2, "epoch": 1, "transcript": {"events": [called], "content": texts}},
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "eval": {}, "samples": samples}))
    exchanges = list(read(path))
    found = [asked | {"content": "Hello"}, unknown]
    assert [each.request.body.json for each in exchanges] == [
        {"messages": found},
        {"model": "m", "input": found},
        {"messages": found},
    ]
    assert [each.group.rpartition("#")[2] for each in exchanges] == ["1/1", "1/2", "2/1"]
    path.write_text(json.dumps({"version": 2, "eval": {}, "samples": [{"events": left_out}]}))
    with pytest.raises(ConformanceError, match="contains no exchanges"):
        list(read(path))


def test_an_archive_of_inspect_has_the_calls_of_its_samples(tmp_path: Path) -> None:
    """Inspect compresses with Zstandard; archives of other programs may not."""
    packed = LOGS / "inspect" / "weather.eval"
    log = json.loads(packed.with_suffix(".json").read_text(encoding="utf-8"))
    repacked = tmp_path / "repacked.eval"
    with zipfile.ZipFile(repacked, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        for number, sample in enumerate(log["samples"]):
            archive.writestr(f"samples/{number}.json", json.dumps(sample))
    wanted = [(each.id, each.request.body.json) for each in read(packed.with_suffix(".json"))]
    assert len(wanted) == 4
    for path in (packed, repacked):
        assert [(each.id, each.request.body.json) for each in read(path)] == wanted
        assert [(each.id, each.request.body.json) for each in read(path, format="inspect")] == wanted
    assert len(list(read(packed.parent))) == 8
    text = repacked.read_bytes()
    encrypted = bytearray(text)
    for begin, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        for found in re.finditer(re.escape(begin), text):
            encrypted[found.start() + flags] |= 1
    repacked.write_bytes(bytes(encrypted))
    with pytest.raises(ConformanceError, match=r"a broken log of Inspect .*encrypted"):
        list(read(repacked))
    repacked.write_bytes(text[: len(text) // 2])
    with pytest.raises(ConformanceError, match="a broken log of Inspect"):
        list(read(repacked))
    with zipfile.ZipFile(repacked, "w") as archive:
        archive.writestr("a.json", "{}")
    with pytest.raises(ConformanceError, match="a ZIP archive, but no log of Inspect"):
        list(read(repacked))


def test_lines_without_a_conversation_are_joined_by_their_session_of_mcp(tmp_path: Path) -> None:
    """The answer to the first request, `initialize`, names the session."""

    def line(number: int, session: str | None, **more: str) -> str:
        asked, answered = ({"mcp-session-id": session} if session and number else {}), {}
        if number == 0:
            answered = {"mcp-session-id": session}
        body = {"jsonrpc": "2.0", "id": number}
        request = {"url": "https://a.example/mcp", "headers": asked, "body": body}
        return json.dumps({**more, "request": request, "response": {"status": 200, "headers": answered, "body": body}})

    path = tmp_path / "lines.jsonl"
    lines = [line(number, each) for number, each in enumerate(["one", "one", "two", "\ud800", None])]
    path.write_text("\n".join([*lines, line(9, "one", conversation="named")]))
    found = list(read(path))
    first, second, other, odd, none, named = (each.conversation for each in found)
    assert first == second is not None
    assert len({first, other, odd}) == 3
    assert (none, named) == (None, "named")
    assert ["conversation" in each.lacks for each in found] == [False] * 4 + [True, False]
    with path.open("rb") as stream:
        runs = [each.run for each in jsonl.lines(stream, str(path))]
    assert runs == [None if each.conversation is None else f"{path}#{each.conversation}" for each in found]


def test_a_tool_without_a_name_in_a_trace_is_no_declared_function() -> None:
    asked = Message("user", ["Hello"])
    called = Message("assistant", [Call("call_1", "f", "free text")])
    tools = [{"type": "function", "function": {}}, {"type": "function"}, 3, {"name": "f"}]
    [declared, undeclared] = [
        Conversation([asked, called], None, tools=each, origin={"source": "a"})
        .exchange()
        .request.body.json["messages"][1]["tool_calls"][0]
        for each in (tools, tools[:3])
    ]
    assert (declared["type"], undeclared["type"]) == ("function", "custom")


def test_files_of_a_batch_are_joined_wherever_they_are_named_and_each_is_judged_alone() -> None:
    files = [LOGS / "batch" / name for name in ("output.jsonl", "input.jsonl")]
    joined = list(read(files))
    assert [(each.id, each.lacks) for each in joined] == [(f"request-{n}", frozenset({"headers"})) for n in (1, 2)]
    assert dialects(read(files[0])) == dialects(read(files[1])) == dialects(joined) == [CHAT] * 2
    assert [set(each.lacks) for each in read(files[0])] == [{"url", "headers", "request"}] * 2
    assert [set(each.lacks) for each in read(files[1])] == [{"headers", "response"}] * 2


def test_a_body_alone_is_judged_for_its_side(tmp_path: Path) -> None:
    request = json.loads((LOGS / "bodies" / "1-request.json").read_text(encoding="utf-8"))
    path = tmp_path / "one.json"
    path.write_text(json.dumps({**request, "temperature": "hot"}))
    [exchange] = read(path)
    assert exchange.lacks == {"url", "headers", "response"}
    assert [(each.side, each.pointer) for each in findings([exchange])] == [("request", "/temperature")]


def test_texts_to_embed_are_no_request_for_a_response(tmp_path: Path) -> None:
    (tmp_path / "embed.json").write_text('{"model": "text-embedding-3-small", "input": ["hello", "world"]}')
    with pytest.raises(ConformanceError, match="not a recording"):
        list(read(tmp_path / "embed.json"))


def test_a_response_with_its_headers_is_read_as_curl_prints_it(tmp_path: Path) -> None:
    path = tmp_path / "answer"
    body = (LOGS / "sse" / "weather.sse").read_bytes()
    path.write_bytes(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n" + body)
    [exchange] = read(path)
    assert exchange.lacks == {"url", "request"}
    assert [each.rule for each in findings([exchange])] == []
    path.write_bytes(b'HTTP/1.1 429 Too Many Requests\r\n\r\n{"error": {"message": "x", "type": "x"}}')
    assert [each.response.status for each in read(path)] == [429]


def test_pairs_may_be_raw_http_messages(tmp_path: Path) -> None:
    body = json.loads((LOGS / "bodies" / "1-request.json").read_text(encoding="utf-8"))
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: gateway.example\r\ncontent-type: application/json\r\n\r\n"
    (tmp_path / "a.req.http").write_bytes(head + json.dumps(body).encode())
    (tmp_path / "a.res.http").write_bytes(b"HTTP/1.1 200 OK\n\n" + (LOGS / "bodies" / "1-response.json").read_bytes())
    [exchange] = read(tmp_path)
    assert (exchange.request.url, exchange.response.status) == ("http://gateway.example/v1/chat/completions", 200)
    assert exchange.lacks == frozenset()


def test_a_failure_without_its_status_is_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "a-response.json"
    path.write_text('{"error": {"message": "x"}, "object": "chat.completion"}')
    [exchange] = read(path)
    assert exchange.response.body.note == "a failure, whose HTTP status the source does not contain"
    assert findings([exchange]) == []


SPANS: dict[str, dict[str, Any]] = {
    "parts": {
        "gen_ai.provider.name": "PROVIDER",
        "gen_ai.request.model": "m",
        "gen_ai.system_instructions": [{"type": "text", "content": "Be brief."}],
        "gen_ai.input.messages": [
            {"role": "user", "parts": [{"type": "text", "content": "How warm is it?"}, {"type": "blob"}]},
            {
                "role": "assistant",
                "parts": [
                    {"type": "reasoning", "content": "hm"},
                    {"type": "tool_call", "id": "call_1", "name": "weather", "arguments": {"city": "Seoul"}},
                ],
                "finish_reason": "tool_call",
            },
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "RESULT", "response": {"celsius": 14}}]},
        ],
        "gen_ai.output.messages": [
            {"role": "assistant", "parts": [{"type": "text", "content": "14 °C."}], "finish_reason": "stop"}
        ],
        "gen_ai.tool.definitions": [
            {"type": "function", "name": "weather", "description": "The weather.", "parameters": {"type": "object"}}
        ],
    },
    "numbered": {
        "gen_ai.system": "PROVIDER",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "How warm is it?",
        "gen_ai.prompt.1.role": "assistant",
        "gen_ai.prompt.1.tool_calls.0.id": "call_1",
        "gen_ai.prompt.1.tool_calls.0.name": "weather",
        "gen_ai.prompt.1.tool_calls.0.arguments": '{"city": "Seoul"}',
        "gen_ai.prompt.2.role": "tool",
        "gen_ai.prompt.2.tool_call_id": "RESULT",
        "gen_ai.prompt.2.content": "14",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "14 °C.",
        "gen_ai.completion.0.finish_reason": "stop",
        "llm.request.functions.0.name": "weather",
        "llm.request.functions.0.parameters": '{"type": "object"}',
    },
}
"""Attributes of spans, in two of the places where instrumentations put messages."""


def span(attributes: dict[str, Any], events: Sequence[dict[str, Any]] = ()) -> str:
    one = {"traceId": "t", "spanId": "s", "name": "chat", "attributes": attributes, "events": list(events)}
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]})


def filled(attributes: dict[str, Any], provider: str, result: str) -> dict[str, Any]:
    """The attributes with these words in them, lists as the JSON text that instrumentations write."""
    text = json.dumps(
        {key: json.dumps(value) if isinstance(value, list) else value for key, value in attributes.items()}
    )
    reported: dict[str, Any] = json.loads(text.replace("PROVIDER", provider).replace("RESULT", result))
    return reported


@pytest.mark.parametrize("place", SPANS)
@pytest.mark.parametrize(
    ("provider", "dialect", "pointer"),
    [
        ("openai", CHAT, "/messages/{}"),
        ("anthropic", MESSAGES, "/messages/2/content/0"),
        ("gcp.gemini", "gemini", "/contents/2/parts/0/functionResponse"),
    ],
)
def test_a_span_is_judged_in_the_grammar_of_its_provider(
    provider: str, dialect: str, pointer: str, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "spans.json"
    pointer = pointer.format(3 if place == "parts" else 2)  # after the system message
    for result, expected in (("call_1", []), ("call_9", [(ORPHAN, pointer)])):
        path.write_text(span(filled(SPANS[place], provider, result)))
        exchanges = list(read(path))
        assert dialects(exchanges) == [dialect]
        reported = [(each.rule, each.pointer) for each in findings(exchanges) if each.severity is Severity.ERROR]
        assert [each for each in reported if each[0] != "tool-call-unanswered"] == expected


def test_the_events_of_a_span_are_read() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": "{"}}
    events = [
        {"name": "gen_ai.user.message", "attributes": {"content": "How warm is it?"}},
        {
            "name": "gen_ai.choice",
            "attributes": {"message": json.dumps({"tool_calls": [call]}), "finish_reason": "tool_calls"},
        },
    ]
    [exchange] = read(["-"], stdin=io.BytesIO(span({"gen_ai.system": "openai"}, events).encode()))
    assert exchange.request.body.json == {"messages": [{"role": "user", "content": "How warm is it?"}]}
    [finding] = findings([exchange])
    assert (finding.rule, finding.pointer) == ("arguments-malformed", "/choices/0/message/tool_calls/0")


@pytest.mark.parametrize("finish", [None, "stop"])
def test_a_stop_reason_is_not_judged_without_the_tool_choice(finish: str | None) -> None:
    """A reply to a named tool choice ends with `stop`, and spans do not contain the choice."""
    attributes = filled(SPANS["parts"], "openai", "call_1")
    reply = {"role": "assistant", "parts": [{"type": "tool_call", "id": "call_2", "name": "weather", "arguments": {}}]}
    attributes["gen_ai.output.messages"] = json.dumps([reply | ({} if finish is None else {"finish_reason": finish})])
    [exchange] = read(["-"], stdin=io.BytesIO(span(attributes).encode()))
    assert "stop-reason-mismatch" not in {each.rule for each in findings([exchange])}
    whole = replace(exchange, lacks=frozenset(), members=None)
    assert ("stop-reason-mismatch" in {each.rule for each in findings([whole])}) is (finish == "stop")


def test_an_exchange_over_standard_input_has_no_status() -> None:
    record = {"request": {"url": "stdio://server/mcp", "body": {}}, "response": {"status": 200, "body": {}}}
    assert Exchange.of(record).lacks == {"headers", "status"}


def test_calls_without_ids_are_not_judged() -> None:
    attributes = filled(SPANS["parts"], "openai", "call_1")
    attributes["gen_ai.input.messages"] = attributes["gen_ai.input.messages"].replace('"id": "call_1", ', "")
    [exchange] = read(["-"], stdin=io.BytesIO(span(attributes).encode()))
    assert exchange.request.body.note == "the source does not contain the ids of the tool calls"
    assert findings([exchange]) == []


@pytest.mark.parametrize("lack", ["request", "response", "members"])
def test_what_is_not_recorded_has_no_finding(lack: Lack) -> None:
    """A whole exchange that has no finding has none either where one of its parts is unknown."""
    for path in sorted((ROOT / "cassettes").rglob("reference--openai*.yaml"))[::7]:
        for exchange in read(path):
            seen = replace(exchange, complete=False, lacks=frozenset({lack, "headers", "status"}))
            if lack == "response":
                seen = replace(seen, response=Response(100))
            if lack == "request":
                seen = replace(seen, request=Request("POST", exchange.request.url))
            whole = [(each.rule, each.pointer) for each in findings([exchange])]
            assert [each for each in findings([seen]) if (each.rule, each.pointer) not in whole] == []


def test_the_report_names_what_was_not_judged() -> None:
    path = str(LOGS / "litellm")
    done = conformance("check", path)
    assert (
        "not judged, because the recordings do not contain it: URLs (6 exchanges), HTTP headers (6 exchanges)"
        in done.stdout
    )
    assert done.returncode == 0
    report = json.loads(conformance("check", path, "--format", "json").stdout)
    assert report["summary"]["not_recorded"] == {"headers": 6, "members": 6, "status": 6, "url": 6}
    schema = json.loads((ROOT / "specs" / "report.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(report)
    report = json.loads(conformance("check", str(LOGS / "nock"), "--format", "json").stdout)
    assert "not_recorded" not in report["summary"]


def test_an_unknown_format_is_refused_with_the_nearest() -> None:
    done = conformance("check", str(LOGS / "nock"), "--from", "nok")
    assert (done.returncode, done.stderr) == (2, "conformance: unknown format 'nok'; did you mean 'nock'?\n")
    with pytest.raises(
        ConformanceError, match="choose one of azure-test-proxy, batch, bodies, dataset, exchange-jsonl"
    ):
        format_named("zzzzz")


def test_the_help_names_every_format() -> None:
    text = conformance("check", "--help").stdout
    for each in all_formats().values():
        assert re.search(rf"^  {each.name} ", text, re.MULTILINE)


def problem(exchanges: Iterable[Exchange]) -> ConformanceError | None:
    """Why the exchanges cannot be read, in one line with a hint; None where all of them can, and are judged."""
    try:
        findings(exchanges)
    except ConformanceError as error:
        return error if error.hint and "\n" not in str(error) else pytest.fail(str(error))
    return None


@each_sample
def test_what_is_cut_off_is_refused_in_one_line(sample: Sample, tmp_path: Path) -> None:
    """Or read up to there, where a whole part comes first; never is it a traceback."""
    path = LOGS / sample.path
    if path.is_dir():
        path = max((each for each in path.rglob("*") if each.is_file()), key=lambda each: each.stat().st_size)
    content = path.read_bytes()
    for size in (len(content) // 3, len(content) - 20):
        cut = tmp_path / path.name
        cut.write_bytes(content[:size])
        error = problem(read(cut, format=sample.format))
        assert error is not None or sample.format in ENDS_ANYWHERE


@pytest.mark.parametrize("name", sorted(set(all_formats()) - {"exchange-jsonl"}))
@pytest.mark.parametrize(
    "value",
    [
        "{}",
        "[]",
        "[1]",
        '{"request": 1, "response": {"status_code": 1}}',
        '{"log": {"entries": [1]}}',
        '{"mappings": [{}]}',
        '{"requests": [1]}',
        '[{"scope": 1, "method": 2, "path": 3}]',
        '{"custom_id": 1, "response": 2}',
        '{"custom_id": "a", "body": 2}',
        '{"call_type": "completion", "messages": 1, "model_parameters": 2, "response": 3}',
        '{"data": [{"traceId": 1, "startTime": 2, "type": "GENERATION", "input": 3, "output": 4}]}',
        '{"run_type": "llm", "inputs": {"messages": [[1]]}, "outputs": {"generations": [[1]]}}',
        '{"request_id": 1, "request_body": 2, "response_body": 3, "response_status": "x"}',
        '{"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": [1, {"key": "gen_ai.input.messages"}]}]}]}]}',
        '{"resourceLogs": [{"scopeLogs": [{"logRecords": [{"eventName": "gen_ai.choice", "body": 1}]}]}]}',
    ],
)
def test_what_is_of_another_form_is_refused_in_one_line(name: str, value: str) -> None:
    error = problem(read(["-"], stdin=io.BytesIO(value.encode()), format=name))
    assert error is None or error.exit_code == 2


def test_bytes_that_are_not_flows_are_refused() -> None:
    for content in (b"9:a", b"x", b"3:abc?", b"2:{}}", b"5:1:a;}}", b"99999999999999:", b"12:3:abc;9:x;}"):
        with pytest.raises(ConformanceError, match="-: flow 0: "):
            list(read(["-"], stdin=io.BytesIO(content), format="mitmproxy"))


def blocks(language: str) -> list[str]:
    text = (ROOT / "docs" / "logs.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def check_written(path: Path) -> None:
    schema = json.loads((ROOT / "specs" / "exchange.schema.json").read_text(encoding="utf-8"))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        Draft202012Validator(schema).validate(line)
        assert "authorization" not in line["request"]["headers"]
    exchanges = list(read(path))
    assert dialects(exchanges) == [CHAT]
    assert findings(exchanges) == []


BODY = json.loads((LOGS / "bodies" / "1-request.json").read_text(encoding="utf-8"))


def test_the_python_of_the_docs_writes_exchange_jsonl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [code] = blocks("python")
    assert len([line for line in code.strip().splitlines() if line.strip()]) <= 8
    scope: dict[str, Any] = {}
    monkeypatch.chdir(tmp_path)
    with ReferenceServer(all_scenarios()) as server:
        exec(code, scope)
        client = httpx2.Client(event_hooks={"response": [scope["save"]]}, headers={"authorization": "Bearer unused"})
        with client:
            client.post(f"{server.origin}/v1/chat/completions", json=BODY)
    check_written(tmp_path / "traffic.jsonl")


@pytest.mark.process
@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
def test_the_javascript_of_the_docs_writes_exchange_jsonl(tmp_path: Path) -> None:
    [code] = blocks("js")
    assert len(code.strip().splitlines()) <= 10
    with ReferenceServer(all_scenarios()) as server:
        call = f"""
            const body = {json.dumps(json.dumps(BODY))};
            const headers = {{ "content-type": "application/json", authorization: "Bearer unused" }};
            const done = await fetch("{server.origin}/v1/chat/completions", {{ method: "POST", headers, body }});
            if (!(await done.json()).choices) throw new Error("the caller has no body");
        """
        (tmp_path / "main.mjs").write_text(code + call, encoding="utf-8")
        subprocess.run([str(NODE), "main.mjs"], cwd=tmp_path, check=True)
    check_written(tmp_path / "traffic.jsonl")


@pytest.mark.parametrize(
    ("line", "valid"),
    [
        ({"request": {"url": "/"}, "response": {"status": 200}}, True),
        (
            {
                "id": "a",
                "conversation": "b",
                "request": {"url": "/", "headers": {"a": ["b"]}},
                "response": {"status": 1},
            },
            True,
        ),
        ({"request": {"method": "GET"}, "response": {"status": 200}}, False),
        ({"request": {"url": "/"}, "response": {"status": "200"}}, False),
        ({"request": {"url": "/", "headers": [1]}, "response": {"status": 200}}, False),
        ({"request": {"url": "/"}}, False),
    ],
)
def test_the_schema_of_exchange_jsonl_admits_what_is_read(line: dict[str, Any], *, valid: bool, tmp_path: Path) -> None:
    schema = json.loads((ROOT / "specs" / "exchange.schema.json").read_text(encoding="utf-8"))
    assert Draft202012Validator(schema).is_valid(line) is valid
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(line))
    if valid:
        assert len(list(read(path))) == 1
    else:
        with pytest.raises(ConformanceError):
            list(read(path))


def test_the_docs_have_a_row_for_each_format_and_their_commands_work() -> None:
    text = (ROOT / "docs" / "logs.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", text.partition("## The text of open models")[0], re.MULTILINE)) == set(
        all_formats()
    )
    readme = (LOGS / "README.md").read_text(encoding="utf-8")
    for path in (each for each in LOGS.iterdir() if each.is_dir()):
        assert f"`{path.name}/" in readme


LARGE = every(
    product(("nock/weather.json", "helicone/export.jsonl"), (None, 1)),
    3,
    risk="a document in one line whose elements lie in an object",
)


@pytest.mark.parametrize(("name", "indent"), LARGE)
def test_a_large_document_is_read_one_element_at_a_time(
    name: str, indent: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the same exchanges, and the memory of one element, not of the document."""
    text = (LOGS / name).read_text(encoding="utf-8")
    value: Any = {"data": [json.loads(line) for line in text.splitlines()]} if name.endswith("l") else json.loads(text)
    small = tmp_path / "small.json"
    small.write_text(json.dumps(value, indent=indent))
    expected = [(each.request.url, each.request.body.json, each.response.body.json) for each in read(small)]
    elements: list[Any] = value["log"]["entries"] if "log" in value else value
    if isinstance(value, dict) and "data" in value:
        elements = value["data"]
    several = elements[:]
    for _ in range(200):
        elements.extend(several)
    large = tmp_path / "large.json"
    large.write_text(json.dumps(value, indent=indent))
    monkeypatch.setattr("conformance.inputs.recording._LARGE", 1 << 16)
    monkeypatch.setattr("conformance.inputs.largejson._CHUNK", 1 << 14)
    del value, elements, several
    tracemalloc.start()
    found = 0
    for number, each in enumerate(read(large)):
        assert (each.request.url, each.request.body.json, each.response.body.json) == expected[number % len(expected)]
        found += 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == 201 * len(expected)
    assert peak < large.stat().st_size / 2
    large.write_bytes(large.read_bytes()[:-200])
    error = problem(read(large))
    assert error is not None
    assert "invalid or truncated JSON" in error.message


def one(value: object, **options: Any) -> Exchange:
    """The only exchange of a document."""
    [exchange] = read(["-"], stdin=io.BytesIO(json.dumps(value).encode()), **options)
    return exchange


def test_a_cassette_of_go_vcr_4_is_read() -> None:
    """Its status is a line, and the number is beside it (`version: 2` of pkg.go.dev/gopkg.in/dnaeon/go-vcr.v4)."""
    request = {"proto": "HTTP/1.1", "url": "https://x/v1/chat/completions", "method": "POST", "body": "{}", "form": {}}
    response = {
        "status": "429 Too Many Requests",
        "code": 429,
        "headers": {"A": ["b"]},
        "body": "{}",
        "duration": "1ms",
    }
    exchange = one({"version": 2, "interactions": [{"id": 0, "request": request, "response": response}]})
    assert (exchange.response.status, exchange.response.headers.get("a")) == (429, "b")
    assert exchange.request.url == "https://x/v1/chat/completions"


def test_a_stream_without_empty_lines_is_refused_with_what_it_lacks(tmp_path: Path) -> None:
    file = tmp_path / "a.sse"
    file.write_bytes((LOGS / "sse" / "weather.sse").read_bytes().replace(b"\n\n", b"\n"))
    with pytest.raises(ConformanceError, match="no empty line ends an event"):
        list(read(file))


@pytest.mark.parametrize("headers", [["Content-Encoding", "gzip"], {"content-encoding": "gzip"}])
@pytest.mark.parametrize("whole", [True, False])
def test_compressed_bodies_of_nock_are_hexadecimal(headers: Any, *, whole: bool) -> None:
    hexed = gzip.compress(b'{"id": "a"}').hex()
    response = hexed if whole else [hexed[:10], hexed[10:]]
    reported = {
        "scope": "https://x:443",
        "method": "post",
        "path": "/v1",
        "body": "",
        "status": 200,
        "rawHeaders": headers,
    }
    exchange = one([{**reported, "response": response}])
    assert exchange.response.body.json == {"id": "a"}
    assert (exchange.request.method, exchange.request.url) == ("POST", "https://x:443/v1")
    assert exchange.lacks == {"headers"}


@pytest.mark.parametrize("change", ["cut", "no sizes", "no request"])
def test_a_broken_trace_of_httprr_is_refused_with_its_exchange(change: str, tmp_path: Path) -> None:
    data = (LOGS / "httprr" / "weather.httprr").read_bytes()
    broken = {
        "cut": data[:-1],
        "no sizes": data + b"and more\n",
        "no request": data + b"4 0\nPOST",
    }[change]
    path = tmp_path / "a.httprr"
    path.write_bytes(broken)
    number = 3 if change == "cut" else 4
    with pytest.raises(ConformanceError, match=f"a.httprr: exchange {number}: "):
        list(read(path))


def test_a_mapping_that_does_not_match_the_body_is_judged_for_its_response() -> None:
    answer = {"object": "chat.completion", "choices": []}
    stub = {"request": {"urlPath": "/v1/chat/completions"}, "response": {"status": 200, "jsonBody": answer}}
    exchange = one({"mappings": [stub, {"request": {}, "response": {"proxyBaseUrl": "http://x"}}]})
    assert exchange.lacks == {"headers", "request"}
    assert {each.side for each in findings([exchange])} == {"response"}


def test_a_file_of_a_mapping_that_is_not_there_is_not_judged(tmp_path: Path) -> None:
    for name in ("gone.json", "../../secret.json"):
        stub = {"request": {"url": "/v1/chat/completions"}, "response": {"status": 200, "bodyFileName": name}}
        (tmp_path / "mappings").mkdir(exist_ok=True)
        (tmp_path / "secret.json").write_text("{}")
        path = tmp_path / "mappings" / "a.json"
        path.write_text(json.dumps(stub))
        [exchange] = read(path)
        assert exchange.response.body.note == f"the file {name} is not in the folder __files next to the mappings"


def test_batches_of_anthropic_are_read(tmp_path: Path) -> None:
    params = {"model": "claude-x", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}
    message = {"type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn"}
    asked, answered = tmp_path / "asked.jsonl", tmp_path / "answered.jsonl"
    asked.write_text("".join(json.dumps({"custom_id": name, "params": params}) + "\n" for name in "abc"))
    results = {"c": {"type": "succeeded", "message": message}, "b": {"type": "expired"}}
    answered.write_text("".join(json.dumps({"custom_id": k, "result": v}) + "\n" for k, v in results.items()))
    exchanges = list(read(tmp_path))
    assert dialects(exchanges) == [MESSAGES] * 3
    assert [(each.id, "response" in each.lacks) for each in exchanges] == [("a", True), ("b", True), ("c", False)]
    [alone] = read(answered)
    assert dialects([alone]) == [MESSAGES]


def test_the_lines_of_a_batch_are_judged_together(tmp_path: Path) -> None:
    def asked(name: str, model: str, method: str = "POST") -> dict[str, Any]:
        body = {"model": model, "messages": [{"role": "user", "content": "Hello"}]}
        return {"custom_id": name, "method": method, "url": "/v1/chat/completions", "body": body}

    message = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    reply = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [message]}
    requests = [asked("a", "m"), asked("b", "n"), asked("a", "m"), asked("c", "m", "GET")]
    results = [{"custom_id": each, "response": {"status_code": 200, "body": reply}} for each in ("a", "z", "b", "z")]
    for file, lines in (("asked", requests), ("answered", results)):
        (tmp_path / f"{file}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    names = {"batch-line-duplicate", "batch-line-mismatch", "batch-result-orphaned"}
    assert [(each.rule, each.source.rpartition("/")[2]) for each in findings(read(tmp_path)) if each.rule in names] == [
        ("batch-line-mismatch", "asked.jsonl:2"),
        ("batch-line-duplicate", "asked.jsonl:3"),
        ("batch-line-mismatch", "asked.jsonl:4"),
        ("batch-result-orphaned", "answered.jsonl:2"),
        ("batch-line-duplicate", "answered.jsonl:4"),
        ("batch-result-orphaned", "answered.jsonl:4"),
    ]
    assert [each.rule for each in findings(read(tmp_path / "answered.jsonl")) if each.rule in names] == [
        "batch-line-duplicate"
    ]


def test_a_row_of_litellms_spend_logs_has_what_the_application_sent() -> None:
    sent = {"model": "m", "messages": [{"role": "user", "content": "Hello"}], "tools": []}
    row = {"request_id": "r", "call_type": "acompletion", "spend": 0.1, "messages": {}, "proxy_server_request": sent}
    exchange = one(
        [{**row, "response": json.dumps({"choices": [{"message": {"role": "assistant", "content": "Hi"}}]})}]
    )
    assert exchange.id == "r"
    assert exchange.request.body.json == sent
    assert exchange.response.body.json == {"choices": [{"message": {"role": "assistant", "content": "Hi"}}]}


def test_a_failure_in_a_log_has_no_response() -> None:
    said = [{"role": "user", "content": "Hello"}]
    payload = {"call_type": "completion", "status": "failure", "messages": said, "model_parameters": {}, "response": {}}
    assert one({**payload, "model": "m"}).lacks == SAID | {"response"}


def test_a_named_format_passes_over_other_files_of_a_folder(tmp_path: Path) -> None:
    shutil.copy(LOGS / "nock" / "weather.json", tmp_path)
    shutil.copy(LOGS / "litellm" / "callback.jsonl", tmp_path)
    shutil.copy(LOGS / "mitmproxy" / "weather.flows", tmp_path)
    for name, number in (("nock", 4), ("litellm", 6), ("mitmproxy", 4)):
        assert len(list(read(tmp_path, format=name))) == number
    assert len(list(read(tmp_path))) == 14
    with pytest.raises(ConformanceError, match="the folder contains no recordings"):
        list(read(tmp_path, format="har"))


def test_a_named_format_that_a_file_is_not_in_is_refused() -> None:
    done = conformance("check", str(LOGS / "nock" / "weather.json"), "--from", "mitmproxy")
    assert done.returncode == 2
    assert "does not look like flows of mitmproxy" in done.stderr
    assert "leave --from out" in done.stderr


@pytest.mark.parametrize("verb", [["show"], ["diff", str(LOGS / "har" / "mitmproxy.har")]])
@pytest.mark.parametrize("path", ["mitmproxy/weather.flows", "nock/weather.json", "otel/langfuse-sdk.jsonl"])
def test_show_and_diff_read_the_same_formats(verb: list[str], path: str) -> None:
    done = conformance(*verb, str(LOGS / path))
    assert done.stdout
    assert done.stderr == ""


def spans_of(attributes: Mapping[str, str]) -> str:
    """One span, as OTLP in JSON."""
    pairs = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    span = {"traceId": "1", "spanId": "2", "name": "chat", "attributes": pairs}
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})


def test_spans_without_messages_name_the_setting_that_adds_them(tmp_path: Path) -> None:
    path = tmp_path / "spans.json"
    path.write_text(spans_of({"gen_ai.request.model": "gpt-4o-mini"}), encoding="utf-8")
    with pytest.raises(ConformanceError, match="1 span of model calls, none with its messages; set OTEL_INSTR"):
        list(read(str(path)))


def test_openinference_in_otlp_and_in_tables_is_the_same_conversation(tmp_path: Path) -> None:
    first = json.loads((LOGS / "openinference" / "spans.jsonl").read_text(encoding="utf-8").splitlines()[1])
    nested = {
        "attributes.openinference.span.kind": "LLM",
        "attributes.llm.model_name": first["attributes"]["llm.model_name"],
        "attributes.llm.input_messages": [
            {
                "message.role": "user",
                "message.contents": [{"message_content.type": "text", "message_content.text": "?"}],
            },
            {
                "message.role": "assistant",
                "message.tool_calls": [{"tool_call.id": "a", "tool_call.function.name": "f"}],
            },
            {"message.role": "tool", "message.tool_call_id": "a", "message.content": "{}"},
        ],
        "attributes.llm.output_messages": [{"message.role": "assistant", "message.content": "fine"}],
    }
    (tmp_path / "table.jsonl").write_text(json.dumps(nested), encoding="utf-8")
    (tmp_path / "otlp.json").write_text(spans_of(first["attributes"]), encoding="utf-8")
    [table] = read(str(tmp_path / "table.jsonl"))
    messages = table.request.body.json["messages"]
    assert [each["role"] for each in messages] == ["user", "assistant", "tool"]
    assert messages[1]["tool_calls"] == [{"id": "a", "type": "function", "function": {"name": "f"}}]
    [otlp] = read(str(tmp_path / "otlp.json"))
    assert [otlp.request.body.json] == [each.request.body.json for each in read(str(LOGS / "openinference"))][1:]


def test_a_dataset_may_have_arguments_as_objects_and_no_ids(tmp_path: Path) -> None:
    def row(arguments: Any) -> str:
        call = {"type": "function", "function": {"name": "f", "arguments": arguments}}
        schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
        tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}}
        messages = [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": [call]}]
        return json.dumps({"messages": messages, "tools": [tool]})

    path = tmp_path / "train.jsonl"
    path.write_text(f"{row({'city': 'Rome'})}\n{row({'town': 'Rome'})}\n", encoding="utf-8")
    found = [(each.source.rpartition(":")[2], each.rule) for each in findings(read(str(path)))]
    assert {line for line, _ in found} == {"2"}
    assert "arguments-schema-mismatch" in {rule for _, rule in found}


def test_log_lines_of_mitmdump_before_the_document_are_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    log = b"[12:00:01.123] Loading\n127.0.0.1:5000: POST https://x.test/v1/chat/completions\n     << 200 OK 1.0k\n"
    har = (LOGS / "har" / "mitmproxy.har").read_bytes()
    assert len(list(read("-", stdin=io.BytesIO(log + har)))) == 4
    assert "skipped 3 lines of a log before the recording" in capsys.readouterr().err


def test_standard_input_with_only_the_log_of_mitmdump_states_what_to_write() -> None:
    for text in (
        b"127.0.0.1:5000: GET https://x.test/\n     << 200 OK 1k\n",
        b"[12:00:01.123] No file\nTraceback (most\n",
    ):
        with pytest.raises(ConformanceError, match=r"no recording after .* of a log") as raised:
            list(read("-", stdin=io.BytesIO(text)))
        assert "--set hardump=-" in str(raised.value.hint)


def test_the_log_of_litellm_pairs_what_is_sure(tmp_path: Path) -> None:
    """Of two calls at once, which reply belongs to which request is unknown; of a stream, there is no reply."""
    path = tmp_path / "debug.log"
    text = (LOGS / "litellm-debug" / "openai.log").read_text(encoding="utf-8")
    records = re.split(r"(?m)^(?=\d\d:\d\d:\d\d - LiteLLM)", text)
    sent, received = ([each for each in records if words in each] for words in ("POST Request Sent", "RAW RESPONSE"))

    def sides(*order: str) -> list[frozenset[Lack]]:
        path.write_text("".join(order), encoding="utf-8")
        return [each.lacks & {"request", "response"} for each in read(str(path))]

    assert sides(sent[0], received[0], sent[1], received[1]) == [frozenset()] * 2
    alone = [frozenset({"response"}), frozenset({"request"})]
    assert sides(sent[0], sent[1], received[0], received[1], sent[0], received[0]) == [*alone, *alone, frozenset()]
    cut = sent[0].replace("'extra_body'", "'... (skipped 9 chars)")
    assert sides(cut, received[0]) == [frozenset({"request"})]
    stream = list(read(str(LOGS / "litellm-debug" / "openai-stream.log")))
    assert [each.lacks & {"request", "response"} for each in stream] == [frozenset({"response"})] * 2
    [first, _] = read(str(LOGS / "litellm-debug" / "gemini.log"))
    assert first.request.path.endswith("gemini-2.5-flash:generateContent")


@pytest.mark.parametrize(
    "record",
    [
        "INFO 10-01 18:43:27 logger.py:36] Received request {id}-0: prompt: 'It\\'s', params: S(n=1), lora: None.",
        '\x1b[36m(A)\x1b[0m INFO 02-13 11:33:33 [logger.py:49] Received request {id}-0: prompt: "It\'s", params: S',
    ],
)
def test_vllm_of_earlier_versions_prints_the_prompt_with_the_parameters(record: str, tmp_path: Path) -> None:
    name = f"cmpl-{'a' * 32}"
    wrote = f"Generated response {name}: output: ' so', output_token_ids: [1], finish_reason: stop"
    path = tmp_path / "server.log"
    path.write_text(f"{record.format(id=name)}\nINFO 02-13 11:33:34 [logger.py:67] {wrote}\n", encoding="utf-8")
    [found] = read(str(path))
    assert found.request.body.json == {"prompt": "It's"}
    assert found.response.body.json["choices"] == [{"index": 0, "text": " so", "finish_reason": "stop"}]


def test_both_bodies_in_one_value_are_an_exchange(tmp_path: Path) -> None:
    [asked, *_] = read(str(LOGS / "vcr"))
    dump = {"request": asked.request.body.json, "response": asked.response.body.json}
    path = tmp_path / "dump.jsonl"
    path.write_text(f"{json.dumps(dump)}\n{json.dumps(dump)}\n", encoding="utf-8")
    found = list(read(str(path)))
    assert [each.response.body.json for each in found] == [asked.response.body.json] * 2
    assert found[0].lacks == BODIES
