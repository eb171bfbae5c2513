"""The JSON Schemas of the wire: as open as the SDKs are, as tight as their types, and fresh."""

from __future__ import annotations

import copy
import gzip
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Union

import jsonschema
import jsonschema_rs
import pydantic
import pytest

from conformance import check
from conformance.contract.sdk_types import sdk_types
from conformance.judge.contracted import contracts_of
from conformance.judge.proofs.example import Example, base_names, put
from conformance.judge.proofs.example import example as make_example
from conformance.model import jsontext
from conformance.model.data_files import data_dir
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects, claimants, has_part
from conformance.model.transcript import Malformed
from devtools.wire.generate import texts
from devtools.wire.schemas import schema_of
from devtools.wire.validate import fits
from tests.sampling import every, sample
from tests.sdk_values import EXAMPLES, Sample, Sampler, members

SCHEMAS = [
    (path.parent.name, path.name.removesuffix(".schema.json"))
    for path in sorted((data_dir("specs") / "wire").glob("*/*.schema.json"))
]
TYPED = [(dialect, kind) for dialect, kind in SCHEMAS if has_part(dialect, "sdk_types")]
"""The schemas whose dialect an SDK has types for."""
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


def union(annotations: tuple[Any, ...]) -> Any:
    """The union of what is known only now."""
    return Union.__getitem__(annotations)


def samples(dialect: str, kind: str) -> Iterator[Sample]:
    """Every field and union member of the types that the schema is made of, and what does not belong there."""
    source = sdk_types()[dialect][kind]
    sampler = Sampler(ALWAYS, NEVER)
    base: dict[str, Any] = {"jsonrpc": "2.0"} if dialect == "mcp" else {}
    for member in itertools.chain.from_iterable(map(members, source.annotations)):
        yield from sampler.record(member, lambda value: {**base, **value})
    fields = source.fields or {}
    if dialect != "mcp":
        base = {name: sampler.small(each.annotations[0]) for name, each in fields.items() if each.required}
    for name, each in fields.items():
        annotation: Any = union(each.annotations)
        yield from sampler.annotation(annotation, lambda value, name=name: {**base, name: value}, f"/{name}", name)  # type: ignore[misc]


@cache
def drawn(dialect: str, kind: str) -> list[Sample]:
    """A sample of each field with a value that fits and one that does not, and of each JSON type; in a full run all."""
    return sample(
        samples(dialect, kind),
        lambda each: (each.label, each.fits),
        lambda each: (each.kind, each.fits),
        risk="one JSON type of one field that a contract or a schema judges in another way than the SDK's type",
    )


def test_every_dialect_with_a_contract_of_its_bodies_has_schemas() -> None:
    on_http = {name for name, dialect in all_dialects().items() if dialect.host is None}
    contracted = {name for name in on_http if contracts_of(name) is not None}
    assert {dialect for dialect, _ in SCHEMAS} == contracted
    assert set(sdk_types()) <= contracted
    assert {(dialect, kind) for dialect in contracted for kind in ("request", "response")} <= set(SCHEMAS)


@pytest.mark.parametrize(("dialect", "kind"), SCHEMAS)
def test_a_schema_is_valid_and_compiled_and_points_nowhere_else(dialect: str, kind: str) -> None:
    schema = schema_of(dialect, kind)
    jsonschema_rs.meta.validate(schema)
    assert not fits(dialect, kind, 7)
    text = json.dumps(schema)
    assert set(re.findall(r'"\$ref": "([^#"]*)#', text)) <= {""}
    assert "://" not in schema["$id"]


def test_the_samples_are_many() -> None:
    count = Counter(each.fits for dialect, kind in TYPED for each in samples(dialect, kind))
    assert count[True] > 12_000
    assert count[False] > 30_000


@pytest.mark.parametrize(("dialect", "kind"), [pair for pair in TYPED if pair[1] in ("response", "event")])
def test_the_sdk_itself_parses_the_samples(dialect: str, kind: str) -> None:
    source = sdk_types()[dialect][kind]
    adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(union(source.annotations))
    said = [each for each in drawn(dialect, kind) if each.fits and (dialect != "mcp" or "method" in each.body)]
    assert said
    for each in said:
        adapter.validate_python(each.body)


def bodies_of(exchange: Exchange) -> Iterator[tuple[str, str, Any]]:
    """The JSON values of an exchange, each with its dialect and kind."""
    dialect = next(iter(claimants(exchange.request)), None)
    if dialect is None:
        return
    found: list[tuple[str, Any]] = [("request", exchange.request.body.json)]
    events = dialect.readers.sse_events(exchange) if exchange.response.ok else None
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
        assert fits(dialect, kind, body) or fits(dialect, kind, {**body, "model": "m"})


@pytest.mark.parametrize("dialect", sdk_types())
def test_an_unknown_event_is_legal(dialect: str) -> None:
    body = {"type": "unheard.of", "delta": 7, "index": "x"}
    if dialect in ("anthropic-messages", "openai-responses"):
        assert fits(dialect, "event", body)
    elif dialect == "mcp":
        assert fits(dialect, "event", {"jsonrpc": "2.0", "method": "unheard/of", "params": {"x": 7}})
    else:
        assert not fits(dialect, "event", {"choices": 7, "candidates": 7})  # its events have no types


def reported(example: Example) -> list[tuple[str, str | None]]:
    return [(finding.rule, finding.pointer) for finding in check(example.exchanges())]


def test_what_is_wrong_in_many_events_is_reported_once() -> None:
    edits = [put(f"/0/response/events/{number}/data/response/reasoning", {"effort": 7}) for number in range(2)]
    found = reported(make_example("openai-responses/stream-call", *edits))
    assert found == [("responses-event-malformed", "event/0/response/reasoning/effort")]


def test_half_a_surrogate_pair_is_no_harness_error() -> None:
    body = {"model": "m", "prompt": "\ud800"}
    assert fits("openai-completions", "request", body)
    assert not fits("openai-completions", "request", {**body, "user": ["\ud800"]})


def agree(dialect: str, kind: str, body: Any) -> bool:
    """Whether the two validators say the same of a body."""
    schema = schema_of(dialect, kind)
    return schema is None or jsonschema.Draft202012Validator(schema).is_valid(body) == fits(dialect, kind, body)


def test_the_two_validators_agree_on_mutated_bodies() -> None:
    mutants = (
        (dialect, kind, body, place, value)
        for dialect, kind, body in conforming()
        for place in places(body)
        for name, value in EXAMPLES.items()
        if jsontext.kind(at(body, place)) != name
    )
    drawn = every(itertools.islice(mutants, 0, None, 60), 5, risk="a value that only one of the validators refuses")
    bodies = ((dialect, kind, changed(body, place, value)) for dialect, kind, body, place, value in drawn)
    verdicts = [(agree(dialect, kind, body), fits(dialect, kind, body)) for dialect, kind, body in bodies]
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


@pytest.mark.parametrize("dialect", sdk_types())
def test_the_files_are_what_the_contract_gives(dialect: str) -> None:
    for kind, text in texts(dialect).items():
        path = data_dir("specs") / "wire" / dialect / f"{kind}.schema.json"
        assert path.read_text(encoding="utf-8") == text, "run `python -m devtools.wire.generate`"
