"""Tool schemas of strangers: none decides how long judging takes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from conformance.profiles.schema_work import depth_of, shape_of, work_of
from conformance.profiles.tool_schema import (
    MOST_WORK,
    Allowance,
    NotExercisedError,
    fits,
    is_valid_schema,
    misfits,
    wrong_in_schema,
)
from devtools.places import ROOT

Json = dict[str, Any]
_SECONDS = 5.0


def _nested(schema: Json, wrap: Callable[[Json], Json], times: int) -> Json:
    for _ in range(times):
        schema = wrap(schema)
    return schema


def _doubling(keyword: str, times: int) -> Json:
    """Definitions each of which refers twice to the next one."""
    definitions: Json = {
        f"d{number}": {keyword: [{"$ref": f"#/$defs/d{number + 1}"}] * 2} for number in range(times)
    } | {f"d{times}": {"type": "object", "required": ["x"]}}
    return {"$ref": "#/$defs/d0", "$defs": definitions}


_LONG = {"a": "a" * 50_000 + "!"}
_MANY = {"a": [{"b": number, "c": [number]} for number in range(20_000)]}
_LARGE = "alternatives of alternatives"
HOSTILE: dict[str, tuple[Json, Json]] = {
    "nested quantifiers": ({"properties": {"a": {"pattern": "^(a+)+$"}}}, _LONG),
    "overlapping alternatives": ({"properties": {"a": {"pattern": "^(a|aa)+$"}}}, _LONG),
    "quantifiers in names": ({"patternProperties": {"^(a+)+$": False}}, {"a" * 40 + "!": 1, "aa": 1}),
    "polynomial": ({"properties": {"a": {"pattern": "a*a*a*a*a*a*b$"}}}, _LONG),
    "backtracking": ({"properties": {"a": {"pattern": "^(?=(a+)+$)(a|a)*$"}}}, _LONG),
    "reference in a pattern": ({"properties": {"a": {"pattern": r"^(a*)*\1$"}}}, _LONG),
    "large pattern": ({"properties": {"a": {"pattern": r"^(\w{50}){50}$"}}}, _LONG),
    "larger pattern": ({"properties": {"a": {"pattern": "a{1000}{1000}"}}}, _LONG),
    "many patterns": ({"properties": {"a": {"allOf": [{"pattern": f"(x+x+)+y{n}"} for n in range(2000)]}}}, _LONG),
    "unique objects": ({"properties": {"a": {"uniqueItems": True, "maxItems": 5}}}, _MANY),
    "unique objects twice": ({"properties": {"a": {"uniqueItems": True}}}, {"a": [*_MANY["a"], _MANY["a"][0]]}),
    "19 doubling allOf": (_doubling("allOf", 19), {"y": 1}),
    "19 doubling anyOf": (_doubling("anyOf", 19), {"y": 1}),
    "40 doubling oneOf": (_doubling("oneOf", 40), {"y": 1}),
    "itself": ({"$ref": "#"}, {"y": 1}),
    "itself in allOf": ({"allOf": [{"$ref": "#"}]}, {"y": 1}),
    "itself through not": ({"not": {"anyOf": [{"$ref": "#"}]}}, {"y": 1}),
    "recursive four times": (
        {"properties": {name: {"$ref": "#"} for name in "abcd"}, "allOf": [{"items": {"$ref": "#"}}] * 4},
        _nested({"a": 1}, lambda inner: dict.fromkeys("abcd", inner), 8),
    ),
    "nested unevaluatedProperties": (
        _nested({}, lambda inner: {"allOf": [inner], "unevaluatedProperties": False}, 25),
        {f"p{number}": number for number in range(100)},
    ),
    _LARGE: (
        _nested({"type": "null"}, lambda inner: {"anyOf": [{"not": inner}, inner]}, 14),
        {"y": 1},
    ),
    "many names": ({"items": {"required": [str(n) for n in range(2000)]}}, {"a": [{}] * 2000}),
    "wide for many": (
        {"properties": {"a": {"items": {"anyOf": [{"const": number} for number in range(2000)]}}}},
        {"a": [-1] * 5000},
    ),
    "long text in every error": ({"properties": {"a": {"allOf": [{"type": "null"}] * 3000}}}, _LONG),
    "deep arguments": ({"properties": {"a": {"type": "integer"}}}, _nested({"a": 1}, lambda inner: {"a": inner}, 300)),
    "deep schema": (_nested({"type": "null"}, lambda inner: {"properties": {"a": inner}}, 200), {"a": {"a": 1}}),
    "a number of 4000 digits": ({"properties": {"a": {"multipleOf": 0.001}}}, {"a": 10**4000}),
    "half of a pair": ({"properties": {"a": {"pattern": "^(a+)+$"}}}, {"a": "a" * 40 + "\ud800"}),
}


def _called(schema: Json, arguments: Json) -> Exchange:
    tool = {"type": "function", "function": {"name": "f", "parameters": schema}}
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": json.dumps(arguments)}}
    ask = {"model": "m", "messages": [{"role": "user", "content": "x"}], "tools": [tool]}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {
        "id": "i",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
    }
    url = "https://api.openai.com/v1/chat/completions"
    return Exchange.of(
        {"request": {"method": "POST", "url": url, "body": ask}, "response": {"status": 200, "body": answer}}
    )


def judge(name: str) -> None:
    checker = Checker()
    start = time.process_time()
    checker.feed(_called(*HOSTILE[name]))
    assert time.process_time() - start < _SECONDS
    assert not checker.summary.harness_errors


@pytest.mark.parametrize("name", [name for name in HOSTILE if name != _LARGE])
def test_no_schema_takes_long(name: str) -> None:
    judge(name)


@pytest.mark.process
def test_a_schema_of_250_megabytes_does_not_take_long() -> None:
    """In a process of its own, so that the worker of the tests does not grow by them."""
    code = f"from tests.profiles.test_hostile_schemas import judge; judge({_LARGE!r})"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=60)


def test_what_exceeds_a_bound_is_not_exercised_and_the_reason_is_reported() -> None:
    checker = Checker()
    found = checker.feed(_called(*HOSTILE["40 doubling oneOf"]))
    assert not [each for each in found if each.rule == "arguments-schema-mismatch"]
    [reason] = checker.summary.not_exercised_because
    assert "too large" in reason
    assert checker.summary.as_json()["not_exercised_because"] == {reason: 1}


def test_what_is_wrong_in_a_schema_is_told_soon_and_of_one_that_is_too_deep_not_at_all() -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(3_000):
        deep = {"type": "object", "properties": {"a": deep}}
    assert not is_valid_schema(deep)
    assert wrong_in_schema(deep) == ""
    assert wrong_in_schema({"type": "object", "required": "x"}) == '/required: "x" is not of type "array"'
    assert wrong_in_schema({"type": "object"}) == ""
    assert wrong_in_schema({"$ref": "#/$defs/none"}) == "the schema: Pointer '/$defs/none' does not exist"
    remote = "https://unknown.example/schema"
    assert wrong_in_schema({"$ref": remote}) == f"the schema: remote reference {remote} is not fetched"
    assert wrong_in_schema({"$schema": "https://unknown.example/schema", "type": 1}) == ""


def test_a_schema_that_needs_backtracking_is_valid_but_never_run() -> None:
    schema = {"properties": {"a": {"pattern": "^(?=b)"}}}
    assert is_valid_schema(schema)
    assert fits({"a": "c"}, schema)
    with pytest.raises(NotExercisedError, match="backtracking"):
        next(misfits({"a": "c"}, schema), None)


def test_an_error_is_explained_without_backtracking() -> None:
    schema = {"properties": {"a": {"pattern": "^(a+)+$"}}}
    assert list(misfits({"a": "aaa!"}, schema)) == [("/a", "\"aaa!\" does not match '^(a+)+$'")]
    [(place, _)] = misfits({"aa": 1}, {"patternProperties": {"^(a+)+$": {"type": "string"}}})
    assert place == "/aa"


def test_a_schema_that_refers_to_itself_runs_as_far_as_the_arguments_go() -> None:
    tree = {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}, "value": {"type": "integer"}}}
    leaf = {"value": 1}
    whole = _nested(leaf, lambda inner: {"left": inner, "right": inner}, 6)
    assert fits(whole, tree)
    broken = _nested({"value": "x"}, lambda inner: {"left": inner}, 20)
    assert next(misfits(broken, tree))[0] == "/left" * 20 + "/value"


def test_the_calls_of_one_exchange_share_their_work() -> None:
    allowance = Allowance(15_000)
    schema, value = {"items": {"enum": list(range(100))}}, [1] * 90
    assert next(misfits(value, schema, allowance), None) is None
    with pytest.raises(NotExercisedError, match="one exchange"):
        next(misfits(value, schema, allowance), None)


def test_the_work_is_an_upper_bound_of_what_is_visited() -> None:
    plain = {"properties": {"a": {"type": "string"}, "b": {"items": {"type": "integer"}}}}
    assert shape_of(plain).expanded == 7
    assert (shape_of(_doubling("allOf", 19)).expanded or 0) > 2**20
    assert work_of(_doubling("allOf", 10), {}) > 2**10
    assert work_of(_doubling("allOf", 40), {}) > MOST_WORK
    assert shape_of({"properties": {"a": {"$ref": "#"}}}).expanded is None
    assert depth_of({"a": [1, {"b": 2}]}) == 3
