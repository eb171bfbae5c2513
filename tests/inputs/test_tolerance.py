"""What no dialect may fail on (docs/contract/any.md): additions, other ids, another spelling, comments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from conformance.judge.checker import Checker, check
from conformance.judge.proofs.example import Edit, Example, base_names, drop, example, insert, put
from conformance.judge.view import View
from conformance.model import eventstream
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.model.jsontext import parse
from conformance.model.pointer import get, join
from conformance.model.registry import all_dialects, claim
from conformance.model.transcript import ToolCall, Turn
from tests.sampling import every

BASES = [f"{dialect}/{name}" for dialect in all_dialects() for name in base_names(dialect)]

OTHERS_WORDS = {
    "arguments",
    "input",
    "args",
    "metadata",
    "structuredContent",
    "inputSchema",
    "outputSchema",
    "parameters",
    "schema",
    "requestedSchema",
    "inputRequests",
    "inputAssessment",
    "outputAssessments",
}
"""Members that hold the model's, the tool's or the client's words, or whose keys are names: what is added there is no
addition of the server."""

REPEATED = {"item", "output"}
"""Members of Responses events whose content comes twice in a stream, and has to be the same both times."""


def objects(value: Any, at: str) -> Iterator[str]:
    """The places of all objects that the server writes, in a value and in what it holds."""
    if isinstance(value, dict):
        yield at
        for key, inner in value.items():
            if key not in OTHERS_WORDS:
                yield from objects(inner, join(at, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from objects(inner, join(at, number))


def additions(base: str) -> Iterator[Edit]:
    """A field that nobody has heard of, in every object of every answer of a base."""
    for number, exchange in enumerate(Example(base).exchanges()):
        if exchange.response.is_event_stream or exchange.response.is_lines:
            for place, event in enumerate(exchange.response.events):
                for at in objects(event.json, f"/{number}/response/events/{place}/data"):
                    if not REPEATED & set(at.split("/")):
                        yield put(join(at, "x_unheard_of"), "new")
        elif exchange.response.body.framed:
            for place, event in enumerate(exchange.response.body.json):
                for name, payload in event.items():
                    for at in objects(payload, f"/{number}/response/events/{place}/data/{name}"):
                        yield put(join(at, "x_unheard_of"), "new")
        elif isinstance(exchange.response.body.json, (dict, list)):
            for at in objects(exchange.response.body.json, f"/{number}/response/body"):
                yield put(join(at, "x_unheard_of"), "new")


def errors(exchanges: Sequence[Exchange]) -> list[Finding]:
    checker = Checker()
    found = [finding for exchange in exchanges for finding in checker.feed(exchange)]
    assert checker.summary.harness_errors == []
    return [finding for finding in found if finding.severity is Severity.ERROR]


def turns(exchanges: Sequence[Exchange]) -> list[tuple[Turn, ...]]:
    dialects = [claim(exchange.request) for exchange in exchanges]
    return [View(each, dialect).replies for each, dialect in zip(exchanges, dialects, strict=True) if dialect]


@pytest.mark.statement("0.3.1")
@pytest.mark.parametrize("base", BASES)
def test_a_field_that_nobody_has_heard_of_is_no_error(base: str) -> None:
    """0.3.1: providers add fields without a new version."""
    assert errors(example(base, *additions(base)).exchanges()) == []
    for addition in every(additions(base), 40, risk="a field that is an error only where no other one is added"):
        assert errors(example(base, addition).exchanges()) == [], addition.pointer


def test_there_are_places_for_such_fields_in_every_dialect() -> None:
    assert {base.partition("/")[0] for base in BASES if any(additions(base))} == set(all_dialects())


NEW_BLOCK = {"type": "hologram", "frames": [1, 2]}
LIFE = "/0/response/events"

UNHEARD_OF: dict[str, tuple[str, Edit]] = {
    "a service tier of Chat": ("openai-chat/call", put("/0/response/body/service_tier", "lightning")),
    "an output item of Responses": (
        "openai-responses/answer",
        insert("/0/response/body/output/0", {**NEW_BLOCK, "id": "holo_1"}),
    ),
    "a block of Messages": ("anthropic-messages/answer", insert("/0/response/body/content/0", NEW_BLOCK)),
    "a stop reason of Messages": ("anthropic-messages/answer", put("/0/response/body/stop_reason", "bored")),
    "an event of Messages": (
        "anthropic-messages/stream-answer",
        insert(f"{LIFE}/3", {"event": "weather_report", "data": {"type": "weather_report"}}),
    ),
    "a finish reason of Gemini": (
        "gemini/answer",
        put("/0/response/body/candidates/0/finishReason", "TOO_MUCH_WEATHER"),
    ),
    "a part of Gemini": ("gemini/answer", insert("/0/response/body/candidates/0/content/parts/0", {"hologram": {}})),
}


@pytest.mark.statement("0.3.1", "ANT-S-012")
@pytest.mark.parametrize(("base", "edit"), UNHEARD_OF.values(), ids=UNHEARD_OF)
def test_a_word_that_nobody_has_heard_of_is_no_error(base: str, edit: Edit) -> None:
    """0.3.1: open enums, types of parts and events."""
    assert errors(example(base, edit).exchanges()) == []


@pytest.mark.statement("0.3.1")
def test_an_event_of_responses_that_nobody_has_heard_of_is_no_error() -> None:
    """0.3.1: an event in the middle, with all those after it numbered anew."""
    [exchange] = example("openai-responses/stream-call").exchanges()
    bodies = [event.json for event in exchange.response.events]
    bodies.insert(4, {"type": "response.weather_report"})
    numbered = [{**body, "sequence_number": number} for number, body in enumerate(bodies)]
    events = [{"event": body["type"], "data": body} for body in numbered]
    assert errors(example("openai-responses/stream-call", put(LIFE, events)).exchanges()) == []


@pytest.mark.statement("0.3.2", "0.4")
@pytest.mark.parametrize("base", [base for base in BASES if base.partition("/")[0] != "mcp"])
def test_an_id_is_any_string(base: str) -> None:
    """0.3.2 and 0.4: calls may have ids of any look, as long as call and result agree."""
    records = json.dumps(Example(base).records(), default=eventstream.events)
    found = [part for reply in turns(Example(base).exchanges()) for turn in reply for part in turn.parts]
    for number, part in enumerate(part for part in found if isinstance(part, ToolCall) and part.kind == "function"):
        if part.id:
            records = records.replace(part.id, f"of-another-look-{number}")
    exchanges = [Exchange.of(record, complete=True, group="tolerance") for record in json.loads(records)]
    assert errors(exchanges) == []


def respelled(text: str) -> str:
    """The same JSON object in another spelling: order, white space, escapes."""
    value = parse(text)
    turned = dict(reversed(value.items()))
    return json.dumps(turned, indent=2).replace("t", "\\u0074")


@pytest.mark.statement("0.3.3", "OAC-C-005")
@pytest.mark.parametrize(
    ("base", "places"),
    [
        ("openai-chat/run", "/1/request/body/messages/1/tool_calls/{}/function/arguments"),
        ("openai-chat/stream-run", "/1/request/body/messages/1/tool_calls/{}/function/arguments"),
        ("openai-responses/run", "/1/request/body/input/{}/arguments"),
    ],
)
def test_arguments_are_compared_by_their_value(base: str, places: str) -> None:
    """0.3.3."""
    records = Example(base).records()
    found = [at for number in range(8) if isinstance(get(records, at := places.format(number)), str)]
    edits = [put(at, respelled(get(records, at))) for at in found]
    assert edits
    assert all(edit.value != get(records, edit.pointer) for edit in edits)
    assert check(example(base, *edits).exchanges()) == []


@pytest.mark.statement("0.3.5")
@pytest.mark.parametrize(
    ("base", "edits"),
    [
        ("openai-chat/call", (drop("/0/response/body/choices/0/message/refusal"),)),
        ("openai-chat/call", (drop("/0/response/body/choices/0/logprobs"),)),
    ],
)
def test_what_the_specification_requires_and_servers_leave_out_is_no_error(base: str, edits: tuple[Edit, ...]) -> None:
    """0.3.5."""
    found = check(example(base, *edits).exchanges())
    assert found
    assert errors(example(base, *edits).exchanges()) == []


@pytest.mark.statement("0.3.5", "OAR-S-013")
def test_arguments_are_done_with_and_without_the_name() -> None:
    """OAR-S-013: the specification requires it, no server sends it."""
    [exchange] = example("openai-responses/stream-call").exchanges()
    done = [
        (number, event.json)
        for number, event in enumerate(exchange.response.events)
        if event.json["type"] == "response.function_call_arguments.done"
    ]
    assert done
    for number, body in done:
        for name in ("get_weather", None):
            data = {key: value for key, value in {**body, "name": name}.items() if value is not None}
            assert check(example("openai-responses/stream-call", put(f"{LIFE}/{number}/data", data)).exchanges()) == []


STREAMS = [base for base in BASES if any(each.response.is_event_stream for each in Example(base).exchanges())]

DRESS = {
    "comments": lambda text: text.replace("\n\n", "\n\n: PROCESSING\n\n"),
    "comments within": lambda text: text.replace("data:", ": still here\ndata:"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
}


def dressed(base: str, name: str) -> list[Exchange]:
    """A base with its streams written another way."""
    records = Example(base).records()
    for record in records:
        body = record["response"].get("body")
        if isinstance(body, str) and "data:" in body:
            record["response"]["body"] = DRESS[name](body)
    return [Exchange.of(record, complete=True, group="tolerance") for record in records]


@pytest.mark.statement("0.3.6", "OAC-S-017", "MCP-A-030")
@pytest.mark.parametrize("name", DRESS)
@pytest.mark.parametrize("base", STREAMS)
def test_comments_and_line_ends_change_nothing(base: str, name: str) -> None:
    """OAC-S-017, MCP-A-030 and section 15: comments are legal, CRLF is usual."""
    plain = Example(base).exchanges()
    other = dressed(base, name)
    texts = [(one.response.body.text, two.response.body.text) for one, two in zip(plain, other, strict=True)]
    assert any(one != two for one, two in texts)
    assert turns(other) == turns(plain)
    assert check(other) == []


@pytest.mark.statement("OAC-S-017")
@pytest.mark.parametrize("base", ["openai-chat/stream-call", "openai-chat/stream-answer", "openai-chat/stream-run"])
def test_obfuscation_is_padding(base: str) -> None:
    """OAC-S-017."""
    paddings = [
        put(f"/{number}/response/events/{place}/data/obfuscation", "x" * place)
        for number, exchange in enumerate(Example(base).exchanges())
        for place, event in enumerate(exchange.response.events)
        if isinstance(event.json, dict)
    ]
    padded = example(base, *paddings).exchanges()
    assert paddings
    assert turns(padded) == turns(Example(base).exchanges())
    assert check(padded) == []


@pytest.mark.statement("MCP-A-030")
def test_an_mcp_stream_may_begin_with_an_empty_event_that_has_an_id() -> None:
    """MCP-A-030."""
    records = Example("mcp/session-stream").records()
    primed = 0
    for record in records:
        body = record["response"].get("body")
        if isinstance(body, str) and "data:" in body:
            record["response"]["body"] = f"id: 0-{primed}\nretry: 3000\ndata:\n\n{body}"
            primed += 1
    exchanges = [Exchange.of(record, complete=True, group="tolerance") for record in records]
    assert primed
    assert check(exchanges) == []
    plain = Example("mcp/session-stream").exchanges()
    results = [[result.content for turn in each for result in turn.results] for each in turns(exchanges)]
    assert any(results)
    assert results == [[result.content for turn in each for result in turn.results] for each in turns(plain)]
