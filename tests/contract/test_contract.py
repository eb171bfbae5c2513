"""Contracts: each kind of violation with its place and words, the policy, situations and deviations."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from conformance.contract import Contract, Situation, Violation
from conformance.contract.citation import DEFECTS, Side
from conformance.contract.deviations import accept, assume, ease
from conformance.contract.nodes import Node
from conformance.contract.notation import (
    SILENT,
    Foreign,
    anything,
    array,
    at_most_one_of,
    bare,
    below,
    boolean,
    by,
    by_known,
    by_some,
    cases,
    cite,
    closed,
    closed_at,
    excludes,
    filled,
    first,
    folded,
    holds,
    integer,
    is_,
    known,
    later,
    mapping,
    may,
    need,
    needs,
    null,
    number,
    obj,
    one_of,
    over,
    quoted,
    refusal,
    should,
    snaked,
    some_of,
    text,
    under,
    when,
    word,
)
from conformance.model.finding import Severity

AT = Situation()
TREE: Node = later("tree", lambda: obj(name=need(text()), children=may(array(TREE))))


def reported(node: Node, value: Any, situation: Situation = AT, side: Side = "request", **more: Any) -> list[Violation]:
    return list(Contract("t", "body", node, side, "DOC", **more).violations(value, situation))


def brief(found: list[Violation]) -> list[tuple[str, str, str]]:
    return [(each.pointer, each.kind, each.message) for each in found]


@pytest.mark.parametrize(
    ("row", "value", "pointer", "kind", "message"),
    [
        (may(boolean), "true", "/f", "type", "`f` is of type string"),
        (may(integer()), 1.5, "/f", "type", "`f` is 1.5"),
        (may(integer()), True, "/f", "type", "`f` is of type boolean"),
        (may(integer()), 12.0, "/f", "type", "`f` is written as 12.0"),
        (may(text() | array(text())), 7, "/f", "type", "`f` is of type number"),
        (may(array(text())), ["a", 7], "/f/1", "type", "an item of `f` is of type number"),
        (need(text()), None, "/f", "type", "`f` is null"),
        (may(word("low", "high")), "hi", "/f", "value", '`f` is "hi", which is not an allowed value'),
        (may(known("low", "high")), "hi", "/f", "value", '`f` is "hi", which is not a documented value'),
        (may(number(0, 2)), 2.5, "/f", "range", "`f` is 2.5"),
        (may(quoted(number(0, 2))), "2.5", "/f", "range", "`f` is 2.5"),
        (may(quoted(integer())), "2.5", "/f", "type", "`f` is of type string"),
        (may(quoted(integer())), "seven", "/f", "type", "`f` is of type string"),
        (may(folded("LOW")), "high", "/f", "value", '`f` is "high", which is not an allowed value'),
        (may(integer(1)), 0, "/f", "range", "`f` is 0"),
        (may(text(1)), "", "/f", "empty", "`f` is empty"),
        (may(text(0, 3)), "four", "/f", "length", "`f` is 4 characters long"),
        (may(text(2)), "x", "/f", "length", "`f` is 1 character long"),
        (may(text(pattern="[a-z]+")), "a1", "/f", "pattern", "`f` is malformed"),
        (may(text(pattern="[a-z]+")), "a\n", "/f", "pattern", "`f` is malformed"),
        (may(array(text(), 1)), [], "/f", "empty", "`f` is an empty array"),
        (may(array(text(), 1, 2)), ["a", "b", "c"], "/f", "count", "`f` has 3 items"),
        (may(array(text(), unique=True)), ["a", "a"], "/f/1", "duplicate", '"a" occurs twice in `f`'),
        (may(mapping(text(), most=1)), {"a": "", "b": ""}, "/f", "count", "`f` has 2 entries"),
        (may(mapping(text(), text(0, 1))), {"long": ""}, "/f/long", "length", "`long` is 4 characters long"),
        (may(mapping(text())), {"a": 1}, "/f/a", "type", "`a` is of type number"),
        (may(Foreign("`g`")), 1, "/f", "unknown", "`f` is not accepted here"),
        (may(text(), deprecated=cite()), "x", "/f", "deprecated", "`f` is deprecated"),
        (may(by("type", {"a": obj()})), {}, "/f", "missing", "`type` is missing"),
        (may(by("type", {"a": obj()})), {"type": 1}, "/f/type", "type", "`type` is of type number"),
        (
            may(by("type", {"a": obj()})),
            {"type": "b"},
            "/f/type",
            "value",
            '`type` is "b", which is not an allowed value',
        ),
        (may(by("type", {"a": obj(n=need(text()))})), {"type": "a"}, "/f", "missing", "`n` is missing"),
        (may(cases((is_("n", 1), obj(m=need(text()))), otherwise=obj())), {"n": 1}, "/f", "missing", "`m` is missing"),
        (may(TREE), {"name": "", "children": [{}]}, "/f/children/0", "missing", "`name` is missing"),
    ],
)
def test_a_value_is_reported_with_its_place_kind_and_words(
    row: Any, value: Any, pointer: str, kind: Any, message: str
) -> None:
    found = reported(obj(f=row), {"f": value})
    assert brief(found) == [(pointer, kind, message)]
    assert found[0].rule == f"t-body-{DEFECTS[kind]}"
    assert found[0].fix
    assert found[0].expected


@pytest.mark.parametrize(
    ("relation", "value", "pointer", "kind", "message"),
    [
        (excludes("a", "b"), {"a": 1, "b": 2}, "/b", "conflict", "`a` and `b` exclude each other"),
        (excludes("a", over("n", 1)), {"a": 1, "n": 2}, "/n", "conflict", "`a` and `n` above 1 exclude each other"),
        (needs("a", "b"), {"a": 1, "b": None}, "/a", "dependency", "`a` without `b`"),
        (needs("a", is_("s", True)), {"a": 1, "s": 1}, "/a", "dependency", "`a` without `s: true`"),
        (needs(holds("m", "x"), "a"), {"m": ["y", "x"]}, "/m", "dependency", '"x" in `m` without `a`'),
        (some_of("a", "b"), {"c": 1}, "", "missing", "there is no `a` or `b`"),
        (one_of("a", "b"), {"a": 1, "b": 1}, "/b", "conflict", "`a` and `b` exclude each other"),
        (below("t.low", "m"), {"t": {"low": 9}, "m": 9}, "/t/low", "range", "`t.low` is not smaller than `m`"),
        (at_most_one_of("a", "b"), {"a": 1, "b": 1}, "/b", "conflict", "`a` and `b` exclude each other"),
        (needs(filled("a"), "b"), {"a": [1]}, "/a", "dependency", "`a` without `b`"),
        (excludes(bare("a"), "a"), {"a": 1}, "/a", "conflict", "no other fields and `a` exclude each other"),
    ],
)
def test_what_fields_ask_of_each_other(relation: Any, value: Any, pointer: str, kind: str, message: str) -> None:
    assert brief(reported(obj(relation), value)) == [(pointer, kind, message)]


@pytest.mark.parametrize(
    ("relation", "value"),
    [
        (excludes("a", "b"), {"a": 1, "b": None}),
        (needs("a", "b"), {"b": 1}),
        (needs("a", "b"), {"a": None}),
        (needs("a", is_("s", True)), {"a": 1, "s": True}),
        (some_of("a", "b"), {"b": 1}),
        (one_of("a", "b"), {"b": 1}),
        (below("t.low", "m"), {"t": {"low": 8}, "m": 9}),
        (below("t.low", "m"), {"m": 9}),
        (at_most_one_of("a", "b"), {}),
        (at_most_one_of("a", "b"), {"b": 1}),
        (needs(filled("a"), "b"), {"a": []}),
        (excludes(bare("a"), "a"), {"a": 1, "c": 1}),
    ],
)
def test_what_fields_ask_of_each_other_is_kept(relation: Any, value: Any) -> None:
    assert reported(obj(relation), value) == []


def test_missing_fields_of_one_object_are_one_violation() -> None:
    found = reported(obj(a=need(text()), b=may(text()), c=need(integer(1))), {"b": "x"})
    assert brief(found) == [("", "missing", "`a` and `c` are missing")]
    assert found[0].fields == ("a", "c")
    assert found[0].expected == "`a` (string), `c` (integer at least 1)"
    assert found[0].fix == "add `a` and `c`"


def test_missing_fields_that_are_reported_differently_are_told_apart() -> None:
    found = reported(obj(a=need(text()), b=need(text(), missing=cite(rule="t-b")), c=should(text())), {})
    assert [(each.rule, each.fields, each.severity) for each in found] == [
        ("t-body-field-missing", ("a",), Severity.ERROR),
        ("t-b", ("b",), Severity.ERROR),
        ("t-body-field-missing", ("c",), Severity.WARNING),
    ]


def test_a_whole_number_with_a_fraction_is_a_warning_on_both_sides_and_its_range_still_counts() -> None:
    sides: tuple[Side, ...] = ("request", "reply")
    for side in sides:
        found = reported(obj(n=need(integer(1, 9))), {"n": 12.0}, side=side)
        assert [(each.kind, each.severity) for each in found] == [("type", Severity.WARNING), ("range", Severity.ERROR)]


def test_null_is_absence_in_requests_and_reported_in_replies() -> None:
    node = obj(a=may(text()), b=may(text() | null), c=need(text() | null))
    value = {"a": None, "b": None, "c": None}
    assert reported(node, value) == []
    assert [(each.pointer, each.kind, each.severity) for each in reported(node, value, side="reply")] == [
        ("/a", "null", Severity.INFO)
    ]


def test_a_row_can_say_that_null_is_not_absence() -> None:
    found = reported(obj(a=may(boolean, null=cite("Q-1", Severity.WARNING, because="it was accepted"))), {"a": None})
    assert [(each.kind, each.severity, each.number) for each in found] == [("null", Severity.WARNING, "Q-1")]


def test_an_undocumented_value_is_a_warning_in_requests_and_an_info_in_replies() -> None:
    pairs: list[tuple[Node, Any]] = [(known("a"), "z"), (by_known("type", {"a": obj()}), {"type": "z"})]
    for node, value in pairs:
        assert [each.severity for each in reported(node, value)] == [Severity.WARNING]
        assert [each.severity for each in reported(node, value, side="reply")] == [Severity.INFO]
    assert reported(obj(f=may(by_some("type", {"a": obj()}))), {"f": {"type": "z"}}) == []


def test_unknown_fields_are_reported_only_where_the_object_is_closed() -> None:
    assert reported(obj(temperature=may(number())), {"temprature": 1}) == []
    found = reported(obj(closed, temperature=may(number())), {"temprature": 1, "x": None})
    assert [(each.pointer, each.kind, each.fix) for each in found] == [
        ("/temprature", "unknown", "write `temperature`")
    ]
    node = obj(closed_at(when("openai")), a=may(text()))
    assert reported(node, {"b": 1}) == []
    assert [each.kind for each in reported(node, {"b": 1}, Situation(provider="openai"))] == ["unknown"]


def test_a_closed_case_knows_the_key_that_chose_it() -> None:
    assert reported(by("type", {"text": obj(closed)}), {"type": "text"}) == []
    assert [each.pointer for each in reported(by("type", {"text": obj(closed)}), {"type": "text", "b": 1})] == ["/b"]


def test_a_row_reports_for_itself_and_an_object_for_all_within() -> None:
    inner = obj(cite("IN", rule="in"), name=need(text(1)), deep=may(obj(x=need(text()))))
    found = reported(obj(a=may(inner, cite("ROW", rule="row"))), {"a": {"name": "", "deep": {}}})
    assert [(each.pointer, each.rule, each.number) for each in found] == [
        ("/a/name", "in", "IN"),
        ("/a/deep", "in", "IN"),
    ]
    assert [each.rule for each in reported(obj(a=may(inner, cite("ROW", rule="row"))), {"a": 1})] == ["row"]


def test_one_kind_can_be_reported_otherwise_or_not_at_all() -> None:
    row = may(
        text(1, 3),
        cite("Q-1", rule="r"),
        length=cite(severity=Severity.WARNING, because="it is long"),
        empty=cite(severity=SILENT),
    )
    long = reported(obj(a=row), {"a": "four"})
    assert [(each.rule, each.number, each.severity) for each in long] == [("r", "Q-1", Severity.WARNING)]
    assert reported(obj(a=row), {"a": ""}) == []


def test_what_is_only_refused_is_a_warning_where_an_official_host_took_it() -> None:
    node = obj(excludes("a", "b", cite=refusal("Q-1")), c=may(integer(), cite(refused=400)))
    value = {"a": 1, "b": 1, "c": "x"}
    took = Situation(provider="openai", ok=True)
    assert [each.severity for each in reported(node, value, took, official=("openai",))] == [
        Severity.ERROR,
        Severity.WARNING,
    ]
    for situation in (Situation(provider="openai"), Situation(provider="else", ok=True)):
        found = reported(node, value, situation, official=("openai",))
        assert [(each.severity, each.refused) for each in found] == [(Severity.ERROR, 400)] * 2


@pytest.mark.parametrize(
    ("situation", "holding"),
    [
        (Situation(provider="a", model="o1-mini", day=date(2026, 3, 1)), True),
        (Situation(provider="b", model="o1-mini", day=date(2026, 3, 1)), False),
        (Situation(provider="a", model="gpt-4", day=date(2026, 3, 1)), False),
        (Situation(provider="a", model="o1-mini"), False),
        (Situation(provider="a", model="o1-mini", day=date(2025, 12, 31)), False),
    ],
)
def test_a_row_is_asked_where_all_is_known_and_holds(situation: Situation, *, holding: bool) -> None:
    node = obj(f=need(text(), only=when("a", model="^o1", since="2026-01-01")))
    assert bool(reported(node, {}, situation)) is holding


def test_of_rows_for_one_field_the_first_that_is_asked_holds() -> None:
    node = obj(f=first(may(number(1, 1), only=when(model="^o")), may(number(0, 2))), g=need(text(), unless=when("a")))
    assert reported(node, {"f": 2, "g": ""}) == []
    assert [each.pointer for each in reported(node, {"f": 2}, Situation("a", "o3"))] == ["/f"]


def test_fields_in_either_spelling() -> None:
    node = snaked(obj(toolConfig=need(boolean), mimeType=may(text())))
    assert reported(node, {"tool_config": True, "mime_type": "x"}) == []
    assert brief(reported(node, {"tool_config": 1})) == [("/tool_config", "type", "`tool_config` is of type number")]
    assert [each.fields for each in reported(node, {})] == [("toolConfig",)]


def test_one_item_may_stand_for_an_array() -> None:
    node = obj(f=may(array(obj(n=need(text())), single=True)))
    assert reported(node, {"f": {"n": ""}}) == reported(node, {"f": [{"n": ""}]}) == []
    assert [each.pointer for each in reported(node, {"f": {}})] == ["/f"]


def test_deviations_are_put_in_where_they_hold() -> None:
    node = obj(
        choice=may(word("auto")),
        tools=may(array(by("type", {"function": obj(name=need(text()))}))),
        calls=may(array(obj(id=need(text())), 1)),
    )
    here = when("mistral")
    deviations = (
        accept(here, "/choice", word("any"), "documented"),
        assume(here, "/tools/*/type", "function", "recorded"),
        ease(here, "/calls", "empty", Severity.WARNING, "recorded"),
        ease(here, "/calls/*/id", "missing", SILENT, "recorded"),
    )
    value = {"choice": "any", "tools": [{"name": 1}], "calls": []}
    elsewhere = reported(node, value, deviations=deviations)
    assert [(each.pointer, each.kind) for each in elsewhere] == [
        ("/choice", "value"),
        ("/tools/0", "missing"),
        ("/calls", "empty"),
    ]
    at_mistral = reported(node, value, Situation(provider="mistral"), deviations=deviations)
    assert [(each.pointer, each.severity) for each in at_mistral] == [
        ("/tools/0/name", Severity.ERROR),
        ("/calls", Severity.WARNING),
    ]
    assert reported(node, {"calls": [{}]}, Situation(provider="mistral"), deviations=deviations) == []


def test_a_deviation_that_leads_nowhere_is_a_mistake() -> None:
    lost = accept(when("a"), "/nothing", anything, "none")
    with pytest.raises(ValueError, match="/nothing"):
        reported(obj(f=may(text())), {}, Situation(provider="a"), deviations=(lost,))


def test_a_number_below_a_bound_is_a_condition() -> None:
    node = obj(excludes(is_("type", "enabled"), under("top_p", 0.95)), type=may(text()), top_p=may(number()))
    assert [each.pointer for each in reported(node, {"type": "enabled", "top_p": 0.9})] == ["/top_p"]
    assert reported(node, {"type": "enabled", "top_p": 0.95}) == []
    assert reported(node, {"type": "enabled", "top_p": "0.9"})[0].kind == "type"


def test_an_object_in_the_wrong_place_is_named() -> None:
    misplaced = Foreign(
        "a message of the user", "a result", cite("Q", Severity.WARNING, because="it is elsewhere", rule="t-misplaced")
    )
    found = reported(obj(a=need(array(by("type", {"x": obj(), "result": misplaced})))), {"a": [{"type": "result"}]})
    assert [(each.pointer, each.rule, each.severity) for each in found] == [("/a/0", "t-misplaced", Severity.WARNING)]
    assert found[0].message == "a result is not accepted here"


def test_what_is_no_object_at_all_is_reported_as_the_switch_defines() -> None:
    node = obj(a=may(array(by("type", {"x": obj()}, {"itself": cite(rule="t-broken")})), type=cite(rule="t-field")))
    assert [each.rule for each in reported(node, {"a": ["x"]})] == ["t-broken"]
    assert [each.rule for each in reported(node, {"a": "x"})] == ["t-field"]
    assert [each.rule for each in reported(node, {"a": [{"type": 1}]})] == ["t-field"]


def test_a_row_may_ask_for_a_beta() -> None:
    node = obj(below("low", "high", only=when(no=when(beta="interleaved"))), low=may(number()), high=may(number()))
    assert len(reported(node, {"low": 2, "high": 1})) == 1
    assert (
        reported(node, {"low": 2, "high": 1}, Situation(betas="files-api-2025-04-14 interleaved-thinking-2025")) == []
    )


def test_null_alone() -> None:
    node = obj(a=need(null))
    assert reported(node, {"a": None}, side="reply") == []
    assert [each.kind for each in reported(node, {"a": 1}, side="reply")] == ["type"]


@pytest.mark.parametrize("value", ["LOW", "low", "Low", 1, "1"])
def test_words_in_any_case_and_numbers_as_strings(value: Any) -> None:
    assert reported(obj(f=may(folded("LOW") | quoted(integer(0)))), {"f": value}) == []


def test_relations_of_a_snaked_object_know_both_spellings() -> None:
    node = snaked(obj(excludes("one.twoThree", "fourFive"), one=may(anything), fourFive=may(anything)))
    for value in ({"one": {"twoThree": 1}, "four_five": 1}, {"one": {"two_three": 1}, "four_five": 1}):
        assert brief(reported(node, value)) == [
            ("/four_five", "conflict", "`one.twoThree` and `fourFive` exclude each other")
        ]
    assert reported(node, {"one": {"two_three": None}, "four_five": 1}) == []


def test_in_a_request_null_under_the_key_of_a_switch_is_the_case_without_it() -> None:
    node = obj(f=may(by("type", {"a": obj(n=need(text())), "b": obj()}, absent="a")))
    assert brief(reported(node, {"f": {"type": None}})) == [("/f", "missing", "`n` is missing")]
    assert reported(node, {"f": {"type": None, "n": ""}}) == []
    assert brief(reported(node, {"f": {"type": None}}, side="reply")) == [("/f/type", "type", "`type` is of type null")]


def test_a_pattern_weighs_more_than_a_length() -> None:
    node = obj(f=may(text(1, 2, "[a-z]{1,3}"), length=cite(severity=Severity.WARNING, because="it is long")))
    assert [(each.kind, each.severity) for each in reported(node, {"f": "abc"})] == [("length", Severity.WARNING)]
    assert [(each.kind, each.severity) for each in reported(node, {"f": "abcd"})] == [("pattern", Severity.ERROR)]


def test_what_is_nested_too_deeply_raises_nothing() -> None:
    value: dict[str, Any] = {"name": 1}
    for _ in range(2000):
        value = {"name": "", "children": [value]}
    assert reported(TREE, value) == []
