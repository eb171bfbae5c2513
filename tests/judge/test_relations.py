"""Relations: patterns of places, relations between fields, identities, and how their rows are reported."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.judge.relations import NOTATION
from conformance.judge.relations.described import demanded, described
from conformance.judge.relations.forms import Form
from conformance.judge.relations.identity import Identity
from conformance.judge.relations.places import path, places, select
from conformance.judge.relations.rows import Relation
from conformance.judge.relations.scan import on_wire
from conformance.judge.relations.sessions import Introduced
from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects

r: Any = SimpleNamespace(**NOTATION)


def _view(request: Any, response: Any = None, *earlier: View, events: str = "", complete: bool = False) -> View:
    kind, body = ("text/event-stream", events) if events else ("application/json", response)
    record = {
        "request": {
            "method": "POST",
            "url": "https://api.openai.com/v1/chat/completions",
            "headers": {},
            "body": request,
        },
        "response": {"status": 200, "headers": {"content-type": kind}, "body": {} if body is None else body},
    }
    exchange = Exchange.of(record, complete=complete)
    return View(exchange, all_dialects()["openai-chat"], earlier, len(earlier))


def _places_of(relation: Relation, view: View) -> list[tuple[str, str | None]]:
    return [(root, hit.pointer) for root, hit in relation.hits(view)]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("", [""]),
        ("/a/*/id", ["/a/0/id", "/a/1/id", "/a/2/id"]),
        ("/a/*[type=x]/id", ["/a/0/id", "/a/2/id"]),
        ("/a/*[type=x|y]/id", ["/a/0/id", "/a/1/id", "/a/2/id"]),
        ("/a/*[n=2]/id", ["/a/1/id"]),
        ("/a/*[on=true]/id", ["/a/2/id"]),
        ("/a/*[!on]/id", ["/a/0/id", "/a/1/id"]),
        ("/a/*[in.k]/id", ["/a/2/id"]),
        ("/a/first/id", ["/a/0/id"]),
        ("/a/last/id", ["/a/2/id"]),
        ("[b]/b/*", ["/b/k~1l"]),
        ("/b/@", ["/b/k~1l"]),
        ("/a/@", []),
        ("/a/*[type=x][on=true]/id", ["/a/2/id"]),
        ("/none/*/id", []),
        ("/A|a/*[type=y]/ID|id", ["/a/1/id"]),
        ("/a/*/id[=1|3]", ["/a/0/id", "/a/2/id"]),
        ("/a/*[n][!n=1]/id", ["/a/1/id"]),
    ],
)
def test_a_pattern_selects_places(pattern: str, found: list[str]) -> None:
    items = [{"type": "x", "id": 1}, {"type": "y", "id": 2, "n": 2, "on": None}, {"type": "x", "id": 3, "on": True}]
    value = {"a": [*items[:2], {**items[2], "in": {"k": 0}}], "b": {"k/l": 1}}
    assert [at for _, at in select(value, path(pattern))] == found


@pytest.mark.parametrize("pattern", ["body /x", "/x", "requests /x", "request x", "request /a//b", "request /a[b"])
def test_a_pattern_that_is_none_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"place|path"):
        places(pattern)


_ANNOTATED = {"text": "äbc", "notes": [{"from": 0, "to": 3}, {"from": 1, "to": 4}]}


@pytest.mark.parametrize(
    ("form", "value", "found"),
    [
        (r.sum_of("/t", "/a", "/b"), {"t": 3, "a": 1, "b": 2}, []),
        (r.sum_of("/t", "/a", "/b"), {"t": 4, "a": 1, "b": 2}, ["/t"]),
        (r.sum_of("/t", "/a", "/b"), {"t": 4, "a": 1}, []),
        (r.sum_of("/t", "/a", optional=("/b",)), {"t": 4, "a": 1, "b": 2}, ["/t"]),
        (r.sum_of("/t", "/a", optional=("/b",)), {"t": 1, "a": 1}, []),
        (r.sum_of("/t", "/i/*/n"), {"t": 3, "i": [{"n": 1}, {"n": 2}]}, []),
        (r.sum_of("/t", "/i/*/n"), {"t": 4, "i": [{"n": 1}, {"n": 2}]}, ["/t"]),
        (r.sum_of("/t", "/i/*/n"), {"t": 4, "i": []}, []),
        (r.part_of("/d/p", "/w"), {"d": {"p": 2}, "w": 2}, []),
        (r.part_of("/d/p", "/w"), {"d": {"p": 3}, "w": 2}, ["/d/p"]),
        (r.part_of("/p", "/w"), {"p": [1, 2], "w": [3, 4]}, []),
        (r.part_of("/p", "/w"), {"p": [1, 2], "w": [3]}, ["/p"]),
        (r.part_of("/p", "/w"), {"p": "3", "w": "2"}, []),
        (r.part_of("/p", "/q", "/w", int64=True), {"q": "3", "w": "2"}, ["/q"]),
        (r.part_of("/p", "/q", "/w", int64=True), {"p": "1", "q": "2", "w": "2"}, ["/p"]),
        (r.part_of("/p", "/q", "/w", int64=True), {"p": 1, "q": "1", "w": "2"}, []),
        (r.part_of("/p", "/q", "/w", int64=True), {"p": "many", "q": True, "w": "0"}, []),
        (r.part_of("/p", "/w", int64=True), {"p": "3"}, []),
        (r.count_of("/n", "/i"), {"n": 2, "i": [1, 2]}, []),
        (r.count_of("/n", "/i"), {"n": 1, "i": [1, 2]}, ["/n"]),
        (r.index_into("/c/*/at", "/i"), {"c": [{"at": 0}, {"at": 1}], "i": [1, 2]}, []),
        (r.index_into("/c/*/at", "/i"), {"c": [{"at": 2}, {"at": -1}], "i": [1, 2]}, ["/c/0/at", "/c/1/at"]),
        (r.range_of("/notes/*", "/from", "/to", "/text"), _ANNOTATED, ["/notes/1/to"]),
        (r.range_of("/notes/*", "/from", "/to", "/text", unit="bytes"), _ANNOTATED, []),
        (r.range_of("/notes/*", "/from", "/to", "/text", unit="bytes"), {**_ANNOTATED, "text": ["a"]}, []),
        (
            r.range_of("/notes/*", "/from", "/to", "/text"),
            {"text": "abc", "notes": [{"from": 2, "to": 1}]},
            ["/notes/0/to"],
        ),
        (r.range_of("/notes/*", "/from", "/to", "/text"), {"text": "a", "notes": [{"from": -1}]}, ["/notes/0/from"]),
        (r.unique("/*/id"), [{"id": "a"}, {"id": "b"}, {"id": "a"}], ["/2/id"]),
        (r.unique("/*/id"), [{"id": "1"}, {"id": 1}, {"id": None}, {"id": None}, {}], []),
        (r.increases("/*/n", by=1, start=0), [{"n": 0}, {"n": 1}, {}, {"n": 2}], []),
        (r.increases("/*/n", by=1, start=0), [{"n": 1}, {"n": 2}], ["/0/n"]),
        (r.increases("/*/n", by=1), [{"n": 5}, {"n": 7}], ["/1/n"]),
        (r.increases("/*/n"), [{"n": 5}, {"n": 7}, {"n": 7}], ["/2/n"]),
        (r.together("/a", "/b"), {"a": 1, "b": 2}, []),
        (r.together("/a", "/b"), {}, []),
        (r.together("/a", "/b"), {"a": 1, "b": None}, [""]),
        (r.equal("/a", "/b"), {"a": 1, "b": 1.0}, []),
        (r.equal("/a", "/b"), {"a": 1, "b": "1"}, ["/b"]),
        (r.equal("/a", "/b"), {"a": 1}, []),
        (r.quotes("/q", "/s", "/e", "/t"), {"q": "bc", "s": 1, "e": 3, "t": "äbc"}, []),
        (r.quotes("/q", "/s", "/e", "/t"), {"q": "äb", "s": 1, "e": 3, "t": "äbc"}, ["/q"]),
        (r.quotes("/q", "/s", "/e", "/t"), {"q": "bc", "s": 1, "e": 9, "t": "äbc"}, []),
        (r.quotes("/q", "/s", "/e", "/t", unit="bytes"), {"q": "bc", "s": 2, "e": 4, "t": "äbc"}, []),
        (r.quotes("/q", "/s", "/e", "/t", unit="items"), {"q": "bc", "s": 0, "e": 2, "t": ["b", {"text": "c"}]}, []),
        (r.instance_of("/e/*", "/s"), {"e": [1, "x"], "s": {"type": "integer"}}, ["/e/1"]),
        (r.instance_of("/e/*", "/s"), {"e": [1, "x"]}, []),
        (r.same_length("/a", "/b"), {"a": [1], "b": [2]}, []),
        (r.same_length("/a", "/b"), {"a": [1], "b": []}, ["/b"]),
        (r.same_length("/a", "/b"), {"a": [1]}, []),
        (r.among("/c", "/all/*"), {"c": "x", "all": ["x", "y"]}, []),
        (r.among("/c", "/all/*"), {"c": "z", "all": ["x", "y"]}, ["/c"]),
        (r.among("/c", "/all/*", default=("x",)), {"c": "z"}, ["/c"]),
        (r.among("/c", "/all/*"), {"c": "z"}, []),
        (r.among("/c", "/all/*/t | /all/*"), {"c": "x", "all": [{"t": "x"}, "y"]}, []),
        (r.among("/c", "/all/*/t | /all/*"), {"c": "z", "all": [{"t": "x"}, "y"]}, ["/c"]),
        (r.among("/c", "/all/*", unless="/any"), {"c": "z", "all": ["x"], "any": 1}, []),
        (r.same_order("/a/*", "/b/*"), {"a": [1, 9, 3], "b": [1, 2, 3]}, []),
        (r.same_order("/a/*", "/b/*"), {"a": [3, 1], "b": [1, 2, 3]}, ["/a/1"]),
        (r.same_order("/a/*", "/b/*", reverse=True), {"a": [3, 1], "b": [1, 2, 3]}, []),
        (r.same_order("/a/*", "/b/*", reverse=True), {"a": [1, 3], "b": [1, 2, 3]}, ["/a/1"]),
        (r.same_order("/a/*", "/b/*"), {"a": [2, 1, 2], "b": [1, 2]}, []),
        (r.same_order("/a/*", "/b/*"), {"a": [2, 1], "b": [1, 2, 1]}, []),
        (r.same_order("/a/*", "/b/*/t | /b/*"), {"a": ["y", "x"], "b": [{"t": "x"}, "y"]}, ["/a/1"]),
        (r.translates("/r", "/n", {"a": "x", "b": ("y", "z")}), {"r": "z", "n": "b"}, []),
        (r.translates("/r", "/n", {"a": "x", "b": ("y", "z")}), {"r": "y", "n": "a"}, ["/r"]),
        (r.translates("/r", "/n", {"a": "x"}), {"r": "y", "n": "new"}, []),
        (r.differ("/a", "/b"), {"a": "x", "b": "x"}, ["/b"]),
        (r.differ("/a", "/b"), {"a": "x", "b": "y"}, []),
        (r.differ("/a", "/b"), {"a": "", "b": ""}, []),
        (r.constant("/*/n"), [{"n": 1}, {}, {"n": 1.0}, {"n": 2}], ["/3/n"]),
        (r.shorter("/t/*", "/a", "/b", limit="/n"), {"t": [{"a": "a"}, {"a": "ab", "b": "c"}], "n": 2}, ["/t/1"]),
        (r.shorter("/t/*", "/a", "/b", limit="/n"), {"t": [{"a": "a"}, {"a": "ab", "b": "c"}]}, []),
        (r.not_less("/b", "/a"), {"a": 2, "b": 1}, ["/b"]),
        (r.not_less("/b", "/a"), {"a": 2, "b": 2}, []),
        (r.not_less("/b", "/a"), {"b": 2}, []),
        (r.not_less("/b", "/a"), {"a": "2026-01-02T00:00:00Z", "b": "2026-01-01T23:00:00Z"}, ["/b"]),
        (r.not_less("/b", "/a"), {"a": "2026-01-02T00:00:00Z", "b": "2026-01-02T01:00:00+01:00"}, []),
        (r.not_less("/b", "/a"), {"a": "2026-01-02T00:00:00Z", "b": "yesterday"}, []),
        (r.contains("/l/*", "/w/*"), {"l": [1], "w": [1, 2]}, [""]),
        (r.contains("/l/*", "/w/*"), {"l": [1, 2], "w": [1]}, []),
        (r.has("/a", "/b"), {"a": "", "b": 0}, [""]),
        (r.has("/a", "/b"), {"a": "x", "b": 0}, []),
        (r.has("/a"), {"a": []}, []),
        (r.has("/a"), {"a": None}, [""]),
        (r.concatenates("/p/*/t", "/w"), {"p": [{"t": "a"}, {"t": "b"}], "w": "ab"}, []),
        (r.concatenates("/p/*/t", "/w"), {"p": [{"t": "a"}, {"t": "b"}], "w": "a"}, ["/w"]),
        (r.concatenates("/p/*/t", "/w"), {"p": [{"t": "a"}, {"t": "\\xf0"}], "w": "a"}, []),
        (r.concatenates("/p/*/t", "/w"), {"p": [], "w": "a"}, []),
        (r.fits("/t", "/p"), {"t": "ab1", "p": "[a-z]+"}, ["/t"]),
        (r.fits("/t", "/p"), {"t": "ab", "p": "[a-z]+"}, []),
        (r.fits("/t", "/p"), {"t": "ab"}, []),
        (r.bytes_of("/b", "/t"), {"b": [195, 164], "t": "ä"}, []),
        (r.bytes_of("/b", "/t"), {"b": [228], "t": "ä"}, ["/b"]),
        (r.bytes_of("/b", "/t"), {"b": None, "t": "ä"}, []),
        (r.bytes_of("/b", "/t"), {"b": [240], "t": "\ufffd"}, []),
        (r.strict_schema("/s"), {"s": {"type": "object", "properties": {"a": {}}, "required": ["a"]}}, ["/s"]),
        (r.strict_schema("/s"), {"s": {"type": "object", "additionalProperties": False}}, []),
        (
            r.resolves("/s", "$ref"),
            {"s": {"a": [{"$ref": "#/d/x"}, {"$ref": "#/d/y"}], "d": {"x": {}}}},
            ["/s/a/1/$ref"],
        ),
        (r.resolves("/s", "$ref"), {"s": {"enum": [{"$ref": "#/x"}], "$ref": {"type": "string"}}}, []),
        (r.resolves("/s", "$ref"), {"s": {"$ref": "https://example.com/x"}}, []),
        (r.sum_of("/s", "/p/*"), {"s": -0.3, "p": [-0.1, -0.2]}, []),
        (r.sum_of("/s", "/p/*"), {"s": -0.4, "p": [-0.1, -0.2]}, ["/s"]),
        (r.instance_of("/v", "/s", read=lambda each: {"type": each["is"]}), {"v": 1, "s": {"is": "string"}}, ["/v"]),
        (r.encodes("/d", "base64 in a data URL"), {"d": "data:image/png;base64,a?="}, ["/d"]),
        (r.encodes("/d", "base64 in a data URL"), {"d": "data:image/png;base64,aGk="}, []),
        (r.encodes("/d", "base64 in a data URL"), {"d": "https://example.com/a?b,c"}, []),
        (r.instance_of("/v", "/s", text=True), {"v": '{"a":1}', "s": {"required": ["b"]}}, ["/v"]),
        (r.instance_of("/v", "/s", text=True), {"v": '{"b":1}', "s": {"required": ["b"]}}, []),
        (r.instance_of("/v", "/s", text=True), {"v": "{", "s": {"required": ["b"]}}, []),
        (r.encodes("/d", "base64 or a URL"), {"d": "data:image/png;base64,a?="}, ["/d"]),
        (r.encodes("/d", "base64 or a URL"), {"d": "a?="}, ["/d"]),
        (r.encodes("/d", "base64 or a URL"), {"d": "aGk="}, []),
        (r.encodes("/d", "base64"), {"d": "aGk="}, []),
        (r.encodes("/d", "base64"), {"d": "data:image/png;base64,aGk="}, ["/d"]),
        (r.encodes("/d", "JSON"), {"d": "{"}, ["/d"]),
        (r.encodes("/d", "a JSON object"), {"d": "[]"}, ["/d"]),
        (r.encodes("/d", "a date and time (RFC 3339)"), {"d": "2026-01-02T03:04:05.123456789Z"}, []),
        (r.encodes("/d", "a date and time (RFC 3339)"), {"d": "2026-01-02T03:04:05"}, ["/d"]),
        (r.encodes("/d", "a URI"), {"d": "example.com"}, ["/d"]),
        (r.encodes("/d", "a URI"), {"d": "urn:x:y"}, []),
        (r.needs("/a", "/b"), {"a": 1, "b": 2}, []),
        (r.needs("/a", "/b"), {"a": 1, "b": None}, ["/a"]),
        (r.needs("/a", "/b/c", known="/b"), {"a": 1}, []),
        (r.needs("/a", "/b/c", known="/b"), {"a": 1, "b": {"c": False}}, ["/a"]),
        (r.excludes("/a", "/b", "/c"), {"a": 1, "b": None}, []),
        (r.excludes("/a", "/b", "/c"), {"a": 1, "c": 1}, ["/a"]),
        (r.matches("/k/@", "[a-z]+", "a word"), {"k": {"a": 1, "B": 2}}, ["/k/B"]),
        (r.matches("/k", "[a-z]+", "a word"), {"k": 1}, []),
        (r.matches("/k", "([a-z])x([a-z])", "a pair", where=str.__eq__), {"k": "axa"}, []),
        (r.matches("/k", "([a-z])x([a-z])", "a pair", where=str.__eq__), {"k": "axb"}, ["/k"]),
        (r.at_least("/l", "/m", ("low", "high")), {"l": "high", "m": "low"}, []),
        (r.at_least("/l", "/m", ("low", "high")), {"l": "low", "m": "high"}, ["/l"]),
        (r.at_least("/l", "/m", ("low", "high")), {"l": "low", "m": "other"}, []),
        (r.contains("/h/@", "/n/*", blamed="/h"), {"h": {"a": 1}, "n": ["a", "b"]}, ["/h"]),
        (r.contains("/h/@", "/n/*", blamed="/h"), {"n": ["a"]}, [""]),
        (r.before("/*[t=a]", "/*[t=b]"), [{"t": "a"}, {"t": "b"}, {"t": "a"}], ["/2"]),
        (r.before("/*[t=a]", "/*[t=b]"), [{"t": "c"}, {"t": "a"}, {"t": "b"}], []),
        (r.valid_schema("/s"), {"s": {"type": "text"}}, ["/s"]),
        (r.valid_schema("/s"), {"s": {"type": "string"}}, []),
        (r.equal("/a", "/b", numbers=True), {"a": 1, "b": "1"}, []),
        (r.equal("/a", "/b", numbers=True), {"a": 1, "b": 2}, ["/b"]),
    ],
)
def test_a_form_finds_what_breaks_it(form: Form, value: Any, found: list[str]) -> None:
    assert [hit.pointer for hit in form.hits(value, "")] == found


@pytest.mark.parametrize(
    ("form", "value", "message", "expected", "actual"),
    [
        (r.sum_of("/t", "/a", "/b"), {"t": 4, "a": 1, "b": 2}, "`t` is not `a` + `b`", "3", "4"),
        (r.part_of("/p", "/w"), {"p": 3, "w": 2}, "`p` is more than `w`, which includes it", "at most 2", "3"),
        (r.count_of("/n", "/i"), {"n": 1, "i": [1, 2]}, "`n` is not the number of items in `i`", "2", "1"),
        (
            r.index_into("/at", "/i"),
            {"at": 2, "i": [1, 2]},
            "the index points outside `i`, which has 2 items",
            "0 to 1",
            "2",
        ),
        (r.unique("/*"), ["a", "b", "a"], '"a" is already at /0', "a value of its own", '"a"'),
        (r.increases("/*", by=1, start=0), [1], "an item is 1 at the beginning", "0", "1"),
        (r.increases("/*", by=1), [5, 7], "an item is 7, after 5", "6", "7"),
        (r.increases("/*"), [5, 7, 7], "an item is 7, after 7", "more than 7", "7"),
        (
            r.together("/a", "/b", "/c"),
            {"a": 1},
            "`a` without `b` and `c`",
            "all of `a`, `b` and `c`, or none",
            "only `a`",
        ),
        (r.equal("/a", "/b"), {"a": 1, "b": "1"}, "`b` differs from `a`", "1", '"1"'),
        (r.differ("/a", "/b"), {"a": "x", "b": "x"}, "`b` is the same as `a`", "another value", '"x"'),
        (r.constant("/*"), [1, 1, 2], "an item was different at /0", "1", "2"),
        (
            r.among("/c", "/all/*"),
            {"c": "z", "all": ["x"]},
            "`c` is not among the items of `all`",
            'one of ["x"]',
            '"z"',
        ),
        (r.not_less("/b", "/a"), {"a": 2, "b": 1}, "`b` is less than `a`", "2 or more", "1"),
        (
            r.contains("/l/*", "/w/*"),
            {"l": [1], "w": [1, 2]},
            "2 of the items of `w` is not among the items of `l`",
            "2 among the items of `l`",
            "nothing",
        ),
        (r.has("/a"), {}, "`a` is missing", "`a`", "nothing"),
        (
            r.concatenates("/p/*", "/w"),
            {"p": ["a"], "w": "b"},
            "`w` is not what the items of `p` add up to",
            '"a"',
            '"b"',
        ),
        (r.fits("/t", "/p"), {"t": "1", "p": "[a-z]+"}, "`t` does not match `p`", "[a-z]+", '"1"'),
        (r.needs("/a", "/b"), {"a": 1}, "`a` needs `b`, which is absent", "`b`", "1"),
        (r.excludes("/a", "/b"), {"a": 1, "b": 2}, "`a` must not come with `b`", "one of the two", "1"),
        (
            r.at_least("/l", "/m", ("low", "high")),
            {"l": "low", "m": "high"},
            "`l` is below `m`",
            "at least high",
            '"low"',
        ),
    ],
)
def test_a_hit_contains_what_is_wrong_what_was_expected_and_what_is_there(
    form: Form, value: Any, message: str, expected: str, actual: str
) -> None:
    [hit] = form.hits(value, "")
    assert (hit.message, hit.expected, hit.actual) == (message, expected, actual)


_CALL = Identity("call", "response /calls/*/id | request /calls/*/id")
_REPLY = Identity("reply", "response /id")


def test_a_reference_to_what_was_introduced_is_fine_and_one_to_nothing_is_not() -> None:
    first = _view({}, {"calls": [{"id": "a"}]}, complete=True)
    relation = r.refers("request /results/*/of", _CALL)
    request = {"calls": [{"id": "b"}], "results": [{"of": "a"}, {"of": "b"}, {"of": "c"}]}
    assert _places_of(relation, _view(request, {}, first, complete=True)) == [("request", "/results/2/of")]


def test_a_recording_that_may_lack_something_proves_no_dangling_reference() -> None:
    relation = r.refers("request /results/*/of", _CALL)
    assert _places_of(relation, _view({"results": [{"of": "c"}]})) == []
    assert _places_of(r.refers("request /of", Identity("call", "request /id", "exchange")), _view({"of": "c"})) == [
        ("request", "/of")
    ]


def test_another_type_or_another_kind_is_certain_in_any_recording() -> None:
    first = _view({}, {"id": "resp_1", "calls": [{"id": 1}]})
    relation = r.refers("request /results/*/of", _CALL, others=(_REPLY,))
    view = _view({"results": [{"of": "1"}, {"of": 1}, {"of": "resp_1"}]}, {}, first)
    hits = [hit for _, hit in relation.hits(view)]
    assert [hit.pointer for hit in hits] == ["/results/0/of", "/results/2/of"]
    assert "exchange 0 response /calls/0/id" in hits[0].message
    assert "this is the reply (exchange 0 response /id)" in hits[1].message


def test_what_may_be_elsewhere_is_no_fault() -> None:
    relation = r.refers("request /of", Identity("call", "request /id", "exchange"), unless="request [previous]")
    assert _places_of(relation, _view({"of": "c", "previous": "p"})) == []


def test_everything_introduced_is_answered_unless_something_says_otherwise() -> None:
    relation = r.answered(Identity("call", "request /calls/*/id"), by="request /results/*/of", unless="request [open]")
    request: Mapping[str, Any] = {"calls": [{"id": "a"}, {"id": "b"}], "results": [{"of": "b"}]}
    assert _places_of(relation, _view(request)) == [("request", "/calls/0/id")]
    assert _places_of(relation, _view({**request, "open": True})) == []


def test_an_identity_counts_only_where_it_is_one() -> None:
    kept = Identity("kept reply", "response /id", unless="request [store=false]")
    lost = Identity("reply that was not kept", "response /id", given="request [store=false]")
    relation = r.refers("request /previous", kept, others=(lost,), open=True)
    request = {"previous": "a"}
    assert _places_of(relation, _view(request, {}, _view({}, {"id": "a"}))) == []
    assert _places_of(relation, _view(request, {}, _view({"store": False}, {"id": "a"}))) == [("request", "/previous")]
    assert _places_of(r.refers("request /previous", kept, given="request [on]"), _view(request, complete=True)) == []


def test_what_the_continued_exchange_left_open_is_referred_to() -> None:
    relation = r.pending(_CALL, by="request /results/*/of", at="request /previous", link=_REPLY)
    first = _view({}, {"id": "r1", "calls": [{"id": "a"}, {"id": "b"}]})
    request: Mapping[str, Any] = {"previous": "r1", "results": [{"of": "a"}]}
    assert _places_of(relation, _view(request, {}, first)) == [("request", "/previous")]
    assert _places_of(relation, _view({**request, "results": [{"of": "a"}, {"of": "b"}]}, {}, first)) == []
    assert _places_of(relation, _view({**request, "previous": "r2"}, {}, first)) == []
    assert relation.places


def test_what_is_matched_can_be_in_an_earlier_exchange() -> None:
    relation = r.matched("request /r/*", "/of", "response /c/*", "/id", r.equal("/that/n", "/this/n"), within="run")
    first = _view({}, {"c": [{"id": "a", "n": 1}, {"id": "b", "n": 1}, {"id": "b", "n": 2}]})
    view = _view({"r": [{"of": "a", "n": 2}, {"of": "a", "n": 1}, {"of": "b", "n": 2}, {"of": "c"}]}, {}, first)
    hits = [(root, hit.pointer) for root, hit in relation.hits(view)]
    assert hits == [("request", "/r/0/n")]
    message = next(iter(relation.hits(view)))[1].message
    assert message == "`n` differs from `n` of `/c/0` of the response of exchange 0"
    lacking = r.matched(
        "request /r/*", "/of", "response /c/*", "/id", r.contains("/this/l/*", "/that/id"), within="run"
    )
    assert _places_of(lacking, _view({"r": [{"of": "a"}, {"of": "a", "l": ["a"]}]}, {}, first)) == [("request", "/r/0")]


def test_what_is_matched_can_be_found_through_something_else() -> None:
    through = ("request /c/*", "/id", "/name")
    relation = r.matched("request /r/*", "/of", "request /t/*", "/name", r.equal("/that/n", "/this/n"), through=through)
    first = _view({"c": [{"id": "a", "name": "x"}]})
    tools = [{"name": "x", "n": 1}, {"name": "y", "n": 2}]
    view = _view(
        {"r": [{"of": "a", "n": 2}, {"of": "b", "n": 2}], "c": [{"id": "b", "name": "y"}], "t": tools}, {}, first
    )
    assert _places_of(relation, view) == [("request", "/r/0/n")]


def test_several_fields_can_make_one_key() -> None:
    relation = r.matched("request /r/*", "/k /of", "response /c/*", "/k /id", r.equal("/that/n", "/this/n"))
    view = _view(
        {"r": [{"k": 1, "of": "a", "n": 2}, {"k": 2, "of": "a", "n": 2}]}, {"c": [{"k": 1, "id": "a", "n": 1}]}
    )
    assert _places_of(relation, view) == [("request", "/r/0/n")]


def test_an_identity_is_used_once_in_an_exchange_or_in_a_run() -> None:
    first = _view({}, {"id": "a"})
    assert _places_of(r.once("response /ids/*"), _view({}, {"ids": ["a", "b", "a"]})) == [("response", "/ids/2")]
    again = _view({}, {"id": "a", "text": "another"}, first)
    assert _places_of(r.once("response /id", "run"), again) == [("response", "/id")]
    assert _places_of(r.once("response /id", "run"), _view({}, {"id": "a"}, first)) == []  # a cache answered
    assert _places_of(r.once("response /id", "run"), _view({}, {"id": "b"}, first)) == []


@pytest.mark.parametrize(
    ("relation", "sent", "received", "found"),
    [
        (r.requires("request [a]", "request [b]"), {"a": 1}, {}, [("request", "")]),
        (r.requires("request [a]", "request [b]"), {"a": 1, "b": 1}, {}, []),
        (r.requires("request [a]", "request [b]", unless="request [c]"), {"a": 1, "c": 1}, {}, []),
        (r.requires("response /x", "request /y/*[k=v]"), {"y": [{"k": "w"}]}, {"x": 1}, [("response", "/x")]),
        (r.forbids("request /a", "request [b]"), {"a": 1, "b": 1}, {}, [("request", "/a")]),
        (r.forbids("request /a", "request [b]"), {"a": 1}, {}, []),
        (r.echoes("response /m", "request /m"), {"m": "x"}, {"m": "y"}, [("response", "/m")]),
        (r.echoes("response /m", "request /m"), {}, {"m": "y"}, []),
        (r.bounded("response /n", "request /most"), {"most": 3}, {"n": 4}, [("response", "/n")]),
        (r.bounded("response /n", "request /most"), {"most": 3}, {"n": [1, 2, 3]}, []),
        (r.echoes("response /m", "request /m", "x"), {}, {"m": "y"}, [("response", "/m")]),
        (r.echoes("response /m", "request /m", "x"), {"m": "y"}, {"m": "y"}, []),
        (r.bounded("response /n", "request /most", below=True), {"most": 3}, {"n": 3}, [("response", "/n")]),
        (r.bounded("response /n", "request /most", below=True), {"most": 3}, {"n": 2}, []),
        (r.bounded("response /n", "request /least", least=True), {"least": 3}, {"n": 2}, [("response", "/n")]),
        (r.bounded("response /n", "request /least", least=True), {"least": 3}, {"n": 3}, []),
        (r.bounded("response /n", "request /most", more=1), {"most": 1}, {"n": {"a": 1, "b": 2}}, []),
        (r.bounded("response /n", "request /most", more=1), {"most": 0}, {"n": {"a": 1, "b": 2}}, [("response", "/n")]),
        (r.bounded("response /n", "request /most", unless="request /m"), {"most": 1, "m": 2}, {"n": 2}, []),
        (r.at_most("request /most", "response /n/*"), {"most": 1}, {"n": [1, 2]}, [("response", "/n/1")]),
        (r.at_most("request /most", "response /n/*"), {}, {"n": [1, 2]}, []),
        (r.mentions("request /j", "json", "request /t/*"), {"j": 1, "t": ["As JSON"]}, {}, []),
        (r.mentions("request /j", "json", "request /t/*"), {"j": 1, "t": ["As text"]}, {}, [("request", "/j")]),
        (r.mentions("request /j", "json", "request /t/*"), {"t": ["As text"]}, {}, []),
        (r.mentions("request /j", "json", "request /t/*", unless="request /k"), {"j": 1, "k": 1}, {}, []),
        (r.mentions("request /w/*", "", "request /t"), {"w": ["Ann", "Bob"], "t": "ann:"}, {}, [("request", "/w/1")]),
        (r.never("response [a][!b]/a"), {}, {"a": 1}, [("response", "/a")]),
        (r.never("response [a][!b]/a"), {}, {"a": 1, "b": 1}, []),
        (r.within("request", r.has("/b"), given="request [a]"), {"a": 1}, {}, [("request", "")]),
        (r.within("request", r.has("/b"), given="request [a]"), {}, {}, []),
        (r.at_most(2, "request /a/*[c]"), {"a": [{"c": 1}, {"c": 2}, {}, {"c": 3}]}, {}, [("request", "/a/3")]),
        (r.at_most(1, "request /a/*/b/*", per=2), {"a": [{"b": [1]}, {"b": [1, 2]}]}, {}, [("request", "/a/1/b/1")]),
        (r.at_most(2, "request /a/*/b/*", per=2), {"a": [{"b": [1, 1]}, {"b": [1]}]}, {}, []),
        (r.never("response /x", "absent"), {}, {"x": 1}, [("response", "/x")]),
        (r.valid("request", "/v", "/s"), {"v": 1, "s": {"type": "string"}}, {}, [("request", "/v")]),
        (r.valid("request", "/v", "/s"), {"v": "1", "s": {"type": "string"}}, {}, []),
        (r.valid("request", "/v", "/s"), {"s": {"type": "string"}}, {}, []),
        (r.valid("request", "/v", "/s", required=True), {"s": {"type": "string"}}, {}, [("request", "")]),
        (r.valid("request", "/v/w", "/s", required=True), {"v": 1, "s": {"type": "string"}}, {}, []),
        (r.valid("request", "/v", "/s", absent={}), {"s": {"required": ["a"]}}, {}, [("request", "")]),
        (r.valid("request", "/v", "/s", objects=True), {"v": 1, "s": {"type": "string"}}, {}, []),
        (
            r.within("request /u", r.sum_of("/t", "/a", "/b")),
            {"u": {"t": 1, "a": 1, "b": 1}},
            {},
            [("request", "/u/t")],
        ),
    ],
)
def test_a_relation_between_places_names_the_one_at_fault(
    relation: Relation, sent: Any, received: Any, found: list[tuple[str, str]]
) -> None:
    assert _places_of(relation, _view(sent, received)) == found
    assert relation.places


def test_the_message_names_what_is_needed_because_it_is_the_title_of_an_issue() -> None:
    ((_, hit),) = r.requires("request /a", "response /b").hits(_view({"a": 1}, {"c": 1}))
    assert (hit.message, hit.fix) == ("`a` needs `/b` of the answer, which is absent", "leave `a` out")


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("request [stream=true]", "`stream: true` in the request"),
        ("request [stream]/stream_options", "`/stream_options` of the request with `stream`"),
        ("request [background=true]/background", "`background: true` in the request"),
        ("request /tools/*[type=a|b]", "`/tools/*` of the request with `type: a` or `type: b`"),
        ("request /modalities/*[=audio]", "`audio` in `/modalities/*` of the request"),
        ("event[type=error]", "an event with `type: error`"),
        ("event[!type=error]", "an event with `type` that is not `error`"),
        ("request [!store]", "no `store` in the request"),
    ],
)
def test_a_place_is_described_as_it_is_written(pattern: str, words: str) -> None:
    assert described(pattern, "event" if pattern.startswith("event") else "request") == words


def test_what_must_not_be_there_is_described_with_its_conditions() -> None:
    pattern = "request /tools/*[type=image][!format=gif]/frames"
    assert demanded(pattern, "request") == "be absent where `type` is `image` and `format` is not `gif`"
    assert demanded("response [done=false]/done", "response") == "not be `false`"
    assert demanded("response [!done=true]/done", "response") == "be `true`"


_JOINED = {"docs": [{"t": "abc", "id": 1}, {"t": "x", "id": 2}], "more": [{"inner": [{"t": "y", "id": 3}]}]}
_BY_KEY = r.matched("response /cites/*", "/of", "request /docs/*", "/id", r.equal("/that/t", "/this/t"))
_BY_POSITION = r.matched("response /cites/*", "/at", "request /docs/*", "", r.range_of("/this", "/s", "/e", "/that/t"))


@pytest.mark.parametrize(
    ("relation", "cite", "found"),
    [
        (_BY_KEY, {"of": 2, "t": "x"}, []),
        (_BY_KEY, {"of": 2, "t": "abc"}, [("response", "/cites/0/t")]),
        (_BY_KEY, {"of": 9, "t": "abc"}, []),
        (_BY_POSITION, {"at": 0, "s": 0, "e": 3}, []),
        (_BY_POSITION, {"at": 1, "s": 0, "e": 3}, [("response", "/cites/0/e")]),
        (_BY_POSITION, {"at": 2, "s": 0, "e": 3}, [("response", "/cites/0/at")]),
    ],
)
def test_two_places_are_matched_by_a_key_or_by_a_position(
    relation: Relation, cite: Any, found: list[tuple[str, str]]
) -> None:
    assert _places_of(relation, _view(_JOINED, {"cites": [cite]})) == found


_CITE = st.fixed_dictionaries(
    {"of": st.just("a")},
    optional={"n": st.sampled_from([1, 1.0, None, "1", "b", True]), "t": st.sampled_from("xy")},
)
_DOCUMENT = st.fixed_dictionaries(
    {"id": st.just("a")},
    optional={"names": st.lists(st.sampled_from([1, None, "b", True]), max_size=3), "t": st.sampled_from(["x", None])},
)


@given(cites=st.lists(_CITE, max_size=3), documents=st.lists(_DOCUMENT, min_size=1, max_size=3))
def test_a_value_fits_one_of_many_where_it_fits_one_of_them_by_itself(cites: list[Any], documents: list[Any]) -> None:
    ends = "response /cites/*", "/of", "request /docs/*", "/id"
    among, equal = r.among("/this/n", "/that/names/*"), r.equal("/that/t", "/this/t")

    def wrong(relation: Relation, among: list[Any]) -> set[str]:
        found = _places_of(relation, _view({"docs": among}, {"cites": cites}))
        return {(at or "").split("/")[2] for _, at in found}

    for forms in ((among,), (equal,), (among, equal)):
        relation = r.matched(*ends, *forms)
        assert wrong(relation, documents * 9) == set.intersection(*(wrong(relation, [each]) for each in documents))


def test_what_begins_alike_is_in_the_order_of_the_traffic() -> None:
    relation = r.ranked("request /a/* | request /b/*[k] | request /b/*/in/*", "/k", ("x", "y"), absent="y")
    assert _places_of(relation, _view({"b": [{"k": "x"}], "a": [{"k": "x"}]})) == []
    assert _places_of(relation, _view({"b": [{"k": "x"}], "a": [{}]})) == [("request", "/b/0")]
    assert _places_of(relation, _view({"b": [{"in": [{"k": "x"}]}, {"k": "y"}]})) == []
    assert _places_of(relation, _view({"b": [{"in": [{"k": "y"}]}, {"k": "x"}]})) == [("request", "/b/1")]


def test_a_reply_has_no_text_at_which_it_should_have_stopped() -> None:
    reply = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "one two"}, "finish_reason": "stop"}]}
    assert _places_of(r.omits("request /stop/*"), _view({"stop": ["three", "two"]}, reply)) == [
        ("response", "/choices/0/message/content")
    ]
    assert _places_of(r.omits("request /stop/*"), _view({"stop": ["three"]}, reply)) == []


def test_the_headers_of_a_request_are_arrays_of_their_values() -> None:
    record = {
        "request": {
            "method": "POST",
            "url": "https://api.openai.com/v1/x",
            "headers": {"X-Beta": "a, b"},
            "body": {"o": 1},
        },
        "response": {"status": 200, "headers": {"content-type": "application/json"}, "body": {}},
    }
    view = View(Exchange.of(record), all_dialects()["openai-chat"], (), 0)
    assert _places_of(r.requires("request /o", "header /x-beta/*[=b|c]"), view) == []
    assert _places_of(r.requires("request /o", "header /x-beta/*[=c]"), view) == [("request", "/o")]


def test_events_are_read_one_by_one_or_as_one_array() -> None:
    events = 'data: {"type":"a","n":0}\n\ndata: {"type":"b","n":2}\n\ndata: {"type":"a","n":3}\n\n'
    view = _view({}, events=events)
    counted = r.within("events", r.increases("/*/n", by=1, start=0))
    assert _places_of(counted, view) == [("events", "event/1/n")]
    assert _places_of(r.at_most(1, "event[type=a] /n"), view) == [("event", "event/2/n")]
    assert _places_of(r.at_most(2, "event[type=a|b] /n"), view) == [("event", "event/2/n")]
    assert _places_of(r.at_most(0, "response /n"), view) == []


_STEPS = [("add", 0), ("more", 0), ("add", 1), ("more", 1), ("done", 0), ("more", 0), ("done", 1)]


@pytest.mark.parametrize(
    ("relation", "found"),
    [
        (r.follows("event[type=more]", "event[type=add]", by="/item"), []),
        (r.follows("event[type=add]", "event[type=more]", by="/item"), ["event/0", "event/2"]),
        (r.follows("event[type=done]", "event[type=none]"), ["event/4"]),
        (r.follows("event[type=done]", "event[type=none]", unless="event[type=add]"), []),
        (r.ends("event[type=done]", "event[type=more]", by="/item"), ["event/5"]),
        (r.ends("event[type=done]", "event[type=add|more]"), ["event/5"]),
        (r.ends("event[type=none]", "event[type=more]"), []),
        (r.leads_to("event[type=add]", "event[type=done]", by="/item"), []),
        (r.leads_to("event[type=more]", "event[type=done]", by="/item"), ["event/5"]),
        (r.leads_to("event[type=more]", "event[type=done]", by="/item", end="event[type=end]"), []),
        (r.single("event[type=add]"), ["event/2"]),
        (r.single("event[type=add]", by="/item"), []),
        (r.single("event[type=add] | event[type=done]", by="/item"), ["event/4", "event/6"]),
        (r.rises("event", "/item", by="/type"), ["event/5/item"]),
        (r.rises("event[type=add|done]", "/item", flat=True), ["event/4/item"]),
        (r.rises("event[type=add]", "/item", flat=True), []),
        (r.rises("event[type=add|done]", "/item", unless="event[type=more]"), []),
        (r.rises("event[type=add|done]", "/item", by="/type", dense=True), []),
        (r.rises("event[type=done]", "/item", by="/type /item", dense=True), ["event/6/item"]),
        (r.changes("event[type=add] /type"), ["event/2/type"]),
        (r.changes("event"), []),
        (r.encloses("event[type=add]", "event[type=more]", "event[type=done]"), ["event/2", "event/5"]),
        (r.encloses("event[type=done]", "event[type=more]", "event[type=none]"), ["event/1", "event/6"]),
        (
            r.encloses("event[type=add]", "event[type=none]", "event[type=x]", until="event[type=done]"),
            ["event/2", "event/4"],
        ),
        (r.encloses("event[type=add]", "event[type=more]", "event[type=done]", end="event[type=more]"), []),
        (
            r.encloses("event[type=add]", "event[type=more]", "event[type=done]", by="/item", keys=True),
            ["event/4/item"],
        ),
        (r.completed("event", "event[type=done]"), []),
        (r.completed("event", "event[type=end]"), [None]),
        (r.completed("event", "event[type=end]", unless="event[type=more]"), []),
        (r.completed("event", "[DONE]"), [None]),
        (r.last_mark(), []),
        (r.unmarked(), []),
        (r.titled("type", unnamed="warning"), ["event/0"]),
    ],
)
def test_steps_come_in_an_order(relation: Relation, found: list[str]) -> None:
    events = "".join(f'data: {{"type":"{kind}","item":{item}}}\n\n' for kind, item in _STEPS)
    assert [at for _, at in _places_of(relation, _view({}, events=events))] == found
    assert relation.places


@pytest.mark.parametrize(
    ("relation", "found"),
    [
        (r.titled("type"), ["event/1"]),
        (r.titled("type", mark="done"), ["event/1", "event/2", "event/4"]),
        (r.unmarked(), ["event/2", "event/4"]),
        (r.last_mark(), ["event/3", "event/4"]),
        (r.last_mark(unless="event[type=b]"), ["event/4"]),
        (r.last_mark(unless="event[type=c]"), ["event/3", "event/4"]),
        (r.completed("event", "[DONE]"), []),
    ],
)
def test_names_and_marks_of_a_stream_are_judged(relation: Relation, found: list[str]) -> None:
    done = "data: [DONE]\n\n"
    a, b, c = (f'event: {name}\ndata: {{"type":"{kind}"}}\n\n' for name, kind in ("aa", "ab", "cc"))
    events = f"{a}{b}{done}{c}{done}"
    assert [at for _, at in _places_of(relation, _view({}, events=events))] == found


_SAID = {"wrong": "{name} is wrong", "wanted": "another"}


@pytest.mark.parametrize(
    ("relation", "found"),
    [
        (r.transcript("/tools/*[!name=f]", **_SAID), [("request", "/tools/1", "g is wrong")]),
        (r.transcript("/tools/*", r.has("/description"), **_SAID), [("request", "/tools/1", "g is wrong")]),
        (r.transcript("/tools/*", r.has("/description"), unless="request /model", **_SAID), []),
        (
            r.transcript("/replies/*/calls/*[!tool]", **_SAID),
            [("response", "/choices/0/message/tool_calls/0", "h is wrong")],
        ),
        (
            r.transcript(
                "/replies/*[parallel=false]", r.excludes("/stop", "/more_calls/first"), **{**_SAID, "wrong": "x"}
            ),
            [("response", "/choices/0/finish_reason", "x")],
        ),
        (r.transcript("/replies/*[choice.mode=none]/calls/*", **_SAID), []),
        (
            r.transcript("/history/*/parts/*[part=text]", **{**_SAID, "wrong": "{text}"}),
            [("request", "/messages/0/content", "hello")],
        ),
        (
            r.transcript("/answered/*[alone=true]/pairs/*[call.object=false]/result", **_SAID),
            [("request", "/messages/2", "(no name) is wrong")],
        ),
        (r.http("/sent", r.has("/headers/authorization"), **{**_SAID, "wrong": "{method}"}), [("header", "", "POST")]),
        (r.http("/refused", r.has("/query/v"), **_SAID), []),
    ],
)
def test_what_every_dialect_has_is_judged_at_its_place_on_the_wire(
    relation: Relation, found: list[tuple[str, str, str]]
) -> None:
    def call(name: str, number: int) -> dict[str, Any]:
        return {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": "1"}}

    request = {
        "model": "m",
        "parallel_tool_calls": False,
        "tools": [
            {"type": "function", "function": {"name": "f", "description": "x"}},
            {"type": "function", "function": {"name": "g"}},
        ],
        "messages": [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "tool_calls": [call("f", 0)]},
            {"role": "tool", "tool_call_id": "c0", "content": "1"},
        ],
    }
    message = {"role": "assistant", "content": None, "tool_calls": [call("h", 1), call("f", 2)]}
    view = _view(request, {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]})
    assert [(root, hit.pointer, hit.message) for root, hit in relation.hits(view)] == found
    assert relation.places


def test_a_failure_is_told_with_its_status() -> None:
    record = {
        "request": {"method": "POST", "url": "https://api.openai.com/v1/chat/completions", "headers": {}, "body": {}},
        "response": {"status": 429, "headers": {}, "body": {"error": {"code": 400}}},
    }
    view = View(Exchange.of(record), all_dialects()["openai-chat"])
    relation = r.http("/failed", r.equal("/status", "/body/error/code"), wrong="not {status}", wanted="it")
    assert relation.scope == "failure"
    assert [(hit.pointer, hit.message) for _, hit in relation.hits(view)] == [("/error/code", "not 429")]


def test_what_has_ended_cannot_be_referred_to() -> None:
    ended = Identity("end", "response [deleted=true]/id")
    relation = r.refers("request /previous", _REPLY, open=True, ended=ended)
    first, gone = _view({}, {"id": "a"}), _view({}, {"id": "a", "deleted": True})
    assert _places_of(relation, _view({"previous": "a"}, {}, first, gone)) == [("request", "/previous")]
    assert _places_of(relation, _view({"previous": "a"}, {}, first)) == []


def test_the_items_of_a_request_come_in_an_order_too() -> None:
    relation = r.follows("request /messages/*[role=tool]", "request /messages/*[role=assistant]")
    assert _places_of(relation, _view({"messages": [{"role": "tool"}, {"role": "assistant"}]})) == [
        ("request", "/messages/0")
    ]


def _line(message: Any, *earlier: View, answer: Any = None, method: str = "POST") -> View:
    """An exchange of MCP, in which both sides send messages."""
    record = {
        "request": {"method": method, "url": "https://tools.example.com/mcp", "headers": {}, "body": message},
        "response": {"status": 200, "headers": {"content-type": "application/json"}, "body": answer},
    }
    number = earlier[-1].number + 1 if earlier else 0
    view = View(Exchange.of(record), all_dialects()["mcp"], earlier, number)
    view.freeze()
    view.earlier = earlier
    return view


def _asks(number: int | str, method: str = "ping", **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
_REQUEST = Introduced("request", "client[method][id] /id")


def _opened(number: int = 0, *earlier: View) -> View:
    return _line(_asks(number, "initialize", capabilities={}), *earlier, answer={"id": number, "result": _HELLO})


def test_messages_of_both_sides_are_read_with_what_they_refer_to() -> None:
    first = _opened()
    assert _places_of(r.never("client[method=initialize] /id", "absent"), first) == [("client", "/id")]
    assert _places_of(r.never("server[asked.method=initialize] /result/serverInfo", "absent"), first)
    later = _line(_asks(1), first, answer={"id": 1, "result": {}})
    assert _places_of(r.never("client[settled.server.tools] /method", "absent"), later) == [("client", "/method")]
    assert not _places_of(r.never("client[settled.server.prompts] /method", "absent"), later)


@pytest.mark.parametrize(
    ("value", "counted", "found"),
    [
        (0, False, []),
        (1, False, []),
        ("1", False, ["/params/of"]),
        (7, False, ["/params/of"]),
        (7, True, []),
        (900, True, ["/params/of"]),
        ("x", True, ["/params/of"]),
    ],
)
def test_a_session_is_remembered(value: Any, counted: Any, found: list[str]) -> None:
    first = _opened()
    second = _line(_asks(1), first)
    note = _line({"jsonrpc": "2.0", "method": "note", "params": {"of": value}}, first, second)
    relation = r.refers_in_session("client[method=note] /params/of", _REQUEST, counted=counted)
    assert [at for _, at in _places_of(relation, note)] == found


def test_what_another_session_introduced_is_unknown() -> None:
    first = _opened()
    second = _line(_asks(5), first)
    third = _opened(0, first, second)
    note = _line({"jsonrpc": "2.0", "method": "note", "params": {"of": 5}}, first, second, third)
    assert _places_of(r.refers_in_session("client[method=note] /params/of", _REQUEST), note) == [
        ("client", "/params/of")
    ]
    since = Introduced("page", "server[asked.method=tools/list] /result/nextCursor")
    assert _places_of(r.refers_in_session("client[method=note] /params/of", _REQUEST, since=since), note) == []
    assert _places_of(r.once_in_session("client[method][id] /id"), _line(_asks(5), first, second)) == [
        ("client", "/id")
    ]
    assert _places_of(r.once_in_session("client[method][id] /id"), _line(_asks(5), first, second, third)) == []


@pytest.mark.parametrize(
    ("domains", "blocked", "found"),
    [
        (["a.example"], False, ["/urls/1", "/urls/2"]),
        (["a.example"], True, ["/urls/0"]),
        (["a.example/path"], True, []),
        (["a.example/path", "B.example"], False, ["/urls/2"]),
        ([], False, []),
    ],
)
def test_hosts_are_of_domains(domains: list[str], *, blocked: bool, found: list[str]) -> None:
    urls = ["https://www.a.example/x", "https://b.example", "https://nota.example", "http://[x"]
    relation = r.hosted("response /urls/*", "request /domains/*", blocked=blocked)
    assert [at for _, at in _places_of(relation, _view({"domains": domains}, {"urls": urls}))] == found


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["messages.0.content.0", "messages.0.content.1"], []),
        (["messages.0.content.1", "messages.0.content.0"], ["/paths/1"]),
        (["messages.0.content.2"], ["/paths/0"]),
        (["messages.0.content.0", "messages.0.content.0"], ["/paths/1"]),
        ([1], []),
    ],
)
def test_paths_lead_into_the_request(paths: list[Any], found: list[str]) -> None:
    view = _view({"messages": [{"content": ["a", "b"]}]}, {"paths": paths})
    assert [at for _, at in _places_of(r.points_into("response /paths/*", ordered=True), view)] == found


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"messages": [1, {"a": 1}]}, []),
        ({"messages": [1, {"b": 1}]}, ["/messages"]),
        ({"messages": [1, {"a": 1}, {"a": 1}]}, ["/messages"]),
        ({"messages": [2]}, ["/messages"]),
        ({"system": "y"}, ["/system"]),
        ({"token": "t2", "system": "y"}, []),
    ],
)
def test_a_retry_repeats_a_request(change: dict[str, Any], found: list[str]) -> None:
    first = _view({"system": "x", "messages": [1]}, {"token": "t"})
    retry = {"system": "x", "messages": [1], "token": "t", **change}
    token = Identity("token", "response /token")
    relation = r.repeats("request /token", token, ("/system",), grown=("/messages", "[a]"))
    assert [at for _, at in _places_of(relation, _view(retry, {}, first))] == found


def test_a_request_that_breaks_a_relation_is_answered_by_an_error() -> None:
    relation = r.rejected(r.never("client[params.wrong] /params/wrong", "absent"), -32602, -32601)
    asked = {**_asks(1), "params": {"wrong": True}}

    def found(**answer: Any) -> list[tuple[str, str | None]]:
        return _places_of(relation, _line(asked, _opened(), answer={"jsonrpc": "2.0", "id": 1, **answer}))

    assert found(result={}) == [("server", "/result")]
    assert found(error={"code": -32000, "message": ""}) == [("server", "/error/code")]
    assert found(error={"code": -32601, "message": ""}) == []
    assert found(method="note") == []
    assert not _places_of(relation, _line(_asks(1), _opened(), answer={"id": 1, "result": {}}))


def test_a_place_in_what_a_dialect_adds_to_a_message_is_that_message() -> None:
    view = _opened()
    assert on_wire(view, "server", "event/1/asked/params") == ("server", "event/1")
    assert on_wire(view, "client", "/2/settled/level") == ("client", "/2")
    assert on_wire(view, "client", "/params/settled") == ("client", "/params/settled")
    assert on_wire(view, "request", "/settled") == ("request", "/settled")


def test_what_ended_is_not_referred_to_again() -> None:
    first = _opened()
    second = _line(_asks(1), first)
    relation = r.ended("client[method=note] /params/of", _REQUEST)
    note = {"jsonrpc": "2.0", "method": "note", "params": {"of": 1}}
    assert _places_of(relation, _line(note, first, second)) == [("client", "/params/of")]
    assert _places_of(relation, _line(note, first)) == []


def test_a_session_longer_than_what_is_remembered_proves_only_what_was_followed() -> None:
    views = [_opened()]
    for number in range(1, 70):
        views.append(_line(_asks(number), *views[-64:]))
    note = {"jsonrpc": "2.0", "method": "note", "params": {"of": 500}}
    late = _line(note, *views[-64:])
    assert _places_of(r.refers_in_session("client[method=note] /params/of", _REQUEST), late) == []
