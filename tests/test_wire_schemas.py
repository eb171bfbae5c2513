"""The JSON Schemas of the wire: as open as the SDKs are, as tight as their types, and fresh."""

from __future__ import annotations

import copy
import gzip
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Union

import jsonschema
import pydantic
import pytest

from conformance import check
from conformance.judge.contracted import contracts_of
from conformance.judge.example import Example, base_names, drop, put
from conformance.judge.example import example as make_example
from conformance.judge.rule import Rule, all_rules
from conformance.model import jsontext
from conformance.model.data_files import data_dir
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects, claimants
from conformance.model.transcript import Malformed
from conformance.wire.generate import sdk_types, texts
from conformance.wire.schemas import schema_of
from conformance.wire.validate import all_fit, fits, misfits
from tests.conftest import ROOT
from tests.sdk_values import EXAMPLES, Sample, Sampler, members

SCHEMAS = [
    (path.parent.name, path.name.removesuffix(".schema.json"))
    for path in sorted((data_dir("specs") / "wire").glob("*/*.schema.json"))
]
FROM_SDK = [pair for pair in SCHEMAS if contracts_of(pair[0]) is None]
"""Those that are made from the types of an SDK; tests/test_contract_schemas.py is about the others."""
ALWAYS: Mapping[str, Any] = {
    "Message.stop_reason": None,
    "Message.stop_sequence": None,
    "ChatCompletionMessage.content": None,
    "Response.error": None,
    "Response.incomplete_details": None,
    "Response.instructions": None,
    "Response.metadata": None,
    "Response.temperature": None,
    "Response.top_p": None,
    "Blob.data": "eA==",
    "FunctionResponseBlob.data": "eA==",
}
"""Fields that the SDK could do without and the wire always has (ANT-R-001, OAC-R-003, OAR-R-001), null where empty."""
NEVER = frozenset(
    f"GenerateContentResponse.{name}" for name in ("parsed", "automaticFunctionCallingHistory", "sdkHttpResponse")
)
"""Fields that the SDK makes for its user; they are on no wire."""
LOOSE = [
    (".*", "request", "/stream", "null", "one of the two merged types of request has it"),
]
"""Where the schema admits a JSON type that the SDK's type does not name: dialect, file, place, type, reason."""


def union(annotations: tuple[Any, ...]) -> Any:
    """The union of what is known only now."""
    return Union.__getitem__(annotations)


@cache
def samples(dialect: str, kind: str) -> tuple[Sample, ...]:
    """Every field and union member of the types that the schema is made of, and what does not belong there."""
    source = sdk_types()[dialect].sources[kind]
    sampler = Sampler(ALWAYS, NEVER)
    base: dict[str, Any] = {"jsonrpc": "2.0"} if dialect == "mcp" else {}
    found: list[Sample] = []
    for member in itertools.chain.from_iterable(map(members, source.annotations)):
        found += sampler.record(member, lambda value: {**base, **value})
    fields = source.fields or {}
    if dialect != "mcp":
        base = {name: sampler.small(each.annotations[0]) for name, each in fields.items() if each.required}
    for name, each in fields.items():
        annotation: Any = union(each.annotations)
        found += sampler.annotation(annotation, lambda value, name=name: {**base, name: value}, f"/{name}", name)  # type: ignore[misc]
    return tuple(found)


def excused(table: list[tuple[str, str, str, str, str]], dialect: str, kind: str, sample: Sample) -> bool:
    return any(
        re.fullmatch(where, dialect)
        and re.fullmatch(file, kind)
        and re.fullmatch(field, sample.pointer if "/" in field else sample.label)
        and re.fullmatch(json_type, sample.kind)
        for where, file, field, json_type, _ in table
    )


def test_every_dialect_that_has_its_own_bodies_has_schemas() -> None:
    on_http = {name for name, dialect in all_dialects().items() if dialect.host is None}
    assert {dialect for dialect, _ in SCHEMAS} == set(sdk_types()) == on_http
    assert {(dialect, kind) for dialect in sdk_types() for kind in ("request", "response")} <= set(SCHEMAS)


@pytest.mark.parametrize(("dialect", "kind"), SCHEMAS)
def test_a_schema_is_valid_and_compiled_and_points_nowhere_else(dialect: str, kind: str) -> None:
    schema = schema_of(dialect, kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert not fits(dialect, kind, 7)
    text = json.dumps(schema)
    assert set(re.findall(r'"\$ref": "([^#"]*)#', text)) <= {""}
    assert "://" not in schema["$id"]


@pytest.mark.parametrize(("dialect", "kind"), FROM_SDK)
def test_what_the_sdk_can_send_or_parse_is_admitted(dialect: str, kind: str) -> None:
    refused = {
        (sample.label, sample.kind): list(misfits(dialect, kind, sample.body))
        for sample in samples(dialect, kind)
        if sample.fits and not fits(dialect, kind, sample.body)
    }
    assert refused == {}


@pytest.mark.parametrize(("dialect", "kind"), FROM_SDK)
def test_a_known_field_of_another_json_type_is_refused(dialect: str, kind: str) -> None:
    admitted = [
        (sample.label, sample.kind)
        for sample in samples(dialect, kind)
        if not sample.fits and not excused(LOOSE, dialect, kind, sample) and fits(dialect, kind, sample.body)
    ]
    assert admitted == []


@pytest.mark.parametrize(("dialect", "kind"), FROM_SDK)
def test_a_misfit_is_told_at_its_place_or_above_and_in_words(dialect: str, kind: str) -> None:
    wrong = [sample for sample in samples(dialect, kind) if not sample.fits]
    for sample in wrong[:: max(1, len(wrong) // 40)]:
        if not fits(dialect, kind, sample.body):
            told = list(misfits(dialect, kind, sample.body))
            assert any(sample.pointer == place or place.startswith(f"{sample.pointer}/") for place, _ in told), sample
            assert all(re.match(r"(is|lacks|must|\[\]) ?", message) for _, message in told), told


def test_the_samples_are_many() -> None:
    every = [sample for dialect, kind in SCHEMAS for sample in samples(dialect, kind)]
    assert sum(sample.fits for sample in every) > 12_000
    assert sum(not sample.fits for sample in every) > 30_000


def test_every_exception_is_needed() -> None:
    needed = [
        row
        for row in LOOSE
        if any(
            not sample.fits and excused([row], dialect, kind, sample) and fits(dialect, kind, sample.body)
            for dialect, kind in FROM_SDK
            for sample in samples(dialect, kind)
        )
    ]
    assert needed == LOOSE


@pytest.mark.parametrize(("dialect", "kind"), [pair for pair in SCHEMAS if pair[1] in ("response", "event")])
def test_the_sdk_itself_parses_the_samples(dialect: str, kind: str) -> None:
    source = sdk_types()[dialect].sources[kind]
    adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(union(source.annotations))
    said = [
        sample for sample in samples(dialect, kind) if sample.fits and (dialect != "mcp" or "method" in sample.body)
    ]
    assert said
    for sample in said:
        adapter.validate_python(sample.body)


def bodies_of(exchange: Exchange) -> Iterator[tuple[str, str, Any]]:
    """The JSON values of an exchange, each with its dialect and kind."""
    dialect = next(iter(claimants(exchange.request)), None)
    if dialect is None:
        return
    found: list[tuple[str, Any]] = [("request", exchange.request.body.json)]
    events = dialect.sse_events(exchange) if exchange.response.ok else None
    if not exchange.response.ok:
        found.append(("error", exchange.response.body.json))
    elif events is None:
        found.append(("response", exchange.response.body.json))
    else:
        found += [("event", event.json) for event in events if isinstance(event.json, (dict, list))]
    yield from ((dialect.name, kind, value) for kind, value in found if not isinstance(value, Malformed))


@cache
def conforming() -> tuple[tuple[str, str, Any], ...]:
    """The bodies of the dialects' conforming exchanges."""
    bases = [f"{dialect}/{name}" for dialect in sdk_types() for name in base_names(dialect)]
    return tuple(body for base in bases for exchange in Example(base).exchanges() for body in bodies_of(exchange))


def places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value within a body."""
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(each, (*at, key))


def at(body: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        body = body[step]
    return body


def changed(body: Any, place: tuple[str | int, ...], value: Any) -> Any:
    """The body with another value at one place."""
    body = copy.deepcopy(body)
    at(body, place[:-1])[place[-1]] = value
    return body


def test_conforming_bodies_fit() -> None:
    assert len(conforming()) > 300
    for dialect, kind, body in conforming():
        # Where the path names the model (Vertex, Bedrock), the body has none; the schema is Anthropic's own API's.
        told = [each for each in misfits(dialect, kind, body) if each != ("", "lacks `model`")]
        assert told == []


def test_an_unknown_field_is_legal_everywhere() -> None:
    for dialect, kind, body in (each for each in conforming() if each[:2] in FROM_SDK):
        for place in [(), *places(body)]:
            if isinstance(at(body, place), dict) and place[-1:] != ("metadata",):  # a map of text to text
                assert list(misfits(dialect, kind, changed(body, (*place, "unheard_of"), {"x": 1}))) == []


WORDS = {"type", "role", "method", "object", "status", "finish_reason", "stop_reason", "finishReason", "mode", "code"}
"""Fields that hold discriminators, or members of enumerations."""


def test_an_unknown_word_is_legal_everywhere() -> None:
    tried = set()
    for dialect, kind, body in (each for each in conforming() if each[:2] in FROM_SDK):
        for place in places(body):
            if place[-1] in WORDS and isinstance(at(body, place), str):
                tried.add((dialect, kind, place[-1]))
                assert list(misfits(dialect, kind, changed(body, place, "unheard-of"))) == [], place
    assert {(dialect, kind) for dialect, kind, _ in tried} >= set(FROM_SDK) - {("openai-completions", "request")}


@pytest.mark.parametrize("dialect", sdk_types())
def test_an_unknown_event_is_legal(dialect: str) -> None:
    body = {"type": "unheard.of", "delta": 7, "index": "x"}
    if dialect in ("anthropic-messages", "openai-responses"):
        assert fits(dialect, "event", body)
    elif dialect == "mcp":
        assert fits(dialect, "event", {"jsonrpc": "2.0", "method": "unheard/of", "params": {"x": 7}})
    else:
        assert not fits(dialect, "event", {"choices": 7, "candidates": 7})  # its events have no types


def told(example: Example) -> list[tuple[str, str | None]]:
    return [(finding.rule, finding.pointer) for finding in check(example.exchanges())]


TOOL = "/0/request/body/tools/0"


def test_what_another_rule_says_is_not_said_again() -> None:
    found = told(make_example("openai-responses/call", put(f"{TOOL}/parameters", "{}")))
    assert "/tools/0/parameters" in [place for _, place in found]
    assert "request-schema-mismatch" not in [rule for rule, _ in found]


def test_a_lesser_finding_around_a_place_does_not_silence_it() -> None:
    edits = drop(f"{TOOL}/description"), put(f"{TOOL}/cache_control", {"type": "ephemeral", "ttl": 5})
    found = told(make_example("anthropic-messages/call", *edits))
    assert ("tool-description-missing", "/tools/0") in found
    assert ("messages-tool-malformed", "/tools/0/cache_control/ttl") in found


def test_what_is_wrong_in_many_events_is_told_once() -> None:
    edits = [put(f"/0/response/events/{number}/data/response/reasoning", {"effort": 7}) for number in range(2)]
    found = told(make_example("openai-responses/stream-call", *edits))
    assert found == [("responses-event-malformed", "event/0/response/reasoning/effort")]


def test_half_a_surrogate_pair_is_no_harness_error() -> None:
    body = {"model": "m", "prompt": "\ud800"}
    assert fits("openai-completions", "request", body)
    assert list(misfits("openai-completions", "request", {**body, "user": ["\ud800"]})) == [
        ("/user", "is an array, must be a string or null")
    ]


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_the_schemas_are_silent_on_every_conforming_example(rule: Rule) -> None:
    found = [finding for example in rule.conforming for finding in check(example.exchanges())]
    assert [
        finding
        for finding in found
        if finding.rule in ("request-schema-mismatch", "response-schema-mismatch", "event-schema-mismatch")
    ] == []


def agree(dialect: str, kind: str, body: Any) -> bool:
    """Whether the two validators say the same of a body."""
    schema = schema_of(dialect, kind)
    return schema is None or jsonschema.Draft202012Validator(schema).is_valid(body) == fits(dialect, kind, body)


def test_the_two_validators_agree_on_mutated_bodies() -> None:
    mutants = (
        (dialect, kind, changed(body, place, value))
        for dialect, kind, body in conforming()
        for place in places(body)
        for name, value in EXAMPLES.items()
        if jsontext.kind(at(body, place)) != name
    )
    verdicts = [
        (agree(dialect, kind, body), fits(dialect, kind, body))
        for dialect, kind, body in itertools.islice(mutants, 0, None, 60)
    ]
    assert {same for same, _ in verdicts} == {True}
    assert {fits for _, fits in verdicts} == {True, False}


def test_the_two_validators_agree_on_real_bodies(corpus: Path) -> None:
    count = 0
    for path in sorted(corpus.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in itertools.islice(lines, 0, None, 40):
                for dialect, kind, body in itertools.islice(bodies_of(Exchange.of(json.loads(line), source="x")), 12):
                    assert agree(dialect, kind, body)
                    count += 1
    assert count > 300


@pytest.mark.parametrize("file", ["openai-responses", "anthropic-messages", "gemini-generate", "mcp"])
def test_what_official_providers_took_and_sent_fits(corpus: Path, file: str) -> None:
    with gzip.open(corpus / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            exchange = Exchange.of(json.loads(line), source="x")
            found = bodies_of(exchange) if exchange.response.ok else ()
            for dialect, kind, body in (each for each in found if each[:2] in FROM_SDK):
                assert list(misfits(dialect, kind, body)) == [], f"line {number}"


@pytest.mark.parametrize("dialect", sdk_types())
def test_the_files_are_what_the_contract_or_the_pinned_sdk_gives(dialect: str) -> None:
    pin = sdk_types()[dialect].pin
    pinned = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split() if "==" in line
    )
    if contracts_of(dialect) is None and version(pin) != pinned[pin]:
        pytest.skip(f"{pin} {version(pin)} is installed; the schemas are those of {pinned[pin]}")
    for kind, text in texts(dialect).items():
        path = data_dir("specs") / "wire" / dialect / f"{kind}.schema.json"
        assert path.read_text(encoding="utf-8") == text, "run `python -m conformance.wire.generate`"


@pytest.mark.parametrize(("dialect", "kind"), [each for each in SCHEMAS if each[1] == "event"])
def test_many_values_fit_exactly_where_each_of_them_does(dialect: str, kind: str) -> None:
    bodies = [sample.body for sample in samples(dialect, kind)][:400]
    for start in range(0, len(bodies), 8):
        some = bodies[start : start + 8]
        assert all_fit(dialect, kind, some) == all(fits(dialect, kind, body) for body in some)
