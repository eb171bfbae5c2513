"""What profiles say about tools: how rows are chosen, taken over from another variant, and refused with their place."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from conformance.errors import ConformanceError
from conformance.judge.chosen_profile import chosen_profile
from conformance.profiles import profiles
from conformance.profiles.profiles import Profile, add, profile_of
from conformance.profiles.tool_keywords import treated
from conformance.profiles.tool_sizes import exceeded, of_list
from conformance.profiles.tool_variants import Outcome, Variant, all_variants, variants_called, variants_of


@pytest.fixture(autouse=True)
def _no_own_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "_ADDED", {})


ROW = {"keywords": ["pattern"], "outcome": "refused", "basis": "reported", "evidence": "an issue"}
CHAT = {"about": "Chat", "form": "openai-chat", "schema": "/function/parameters"}


def variant(*rows: dict[str, Any], limits: tuple[dict[str, Any], ...] = ()) -> Variant:
    """A variant of a profile of its own, with these rows and limits."""
    whole = [{**ROW, **row} for row in rows]
    entry = {"about": "Ours.", "tools": {"chat": {**CHAT, "keywords": whole, "limits": list(limits)}}}
    profile = profile_of("ours", entry)
    add(profile)
    return variants_of(profile)[0]


def outcomes(schema: dict[str, Any], judged: Variant, day: date | None = None) -> dict[str, Outcome]:
    """What becomes of each place of a schema."""
    return {each.occurrence.pointer: each.outcome for each in treated(schema, judged, day)}


def test_the_first_row_that_applies_decides_and_what_no_row_names_is_unknown() -> None:
    judged = variant({"keywords": ["minLength"], "outcome": "accepted"}, {"keywords": ["minLength", "type"]})
    found = outcomes({"type": "string", "minLength": 1, "maxLength": 2}, judged)
    assert found == {"/type": Outcome.REFUSED, "/minLength": Outcome.ACCEPTED, "/maxLength": Outcome.UNKNOWN}


def test_names_of_properties_and_values_are_no_keywords() -> None:
    judged = variant({"keywords": ["pattern"]}, {"keywords": ["*"], "outcome": "accepted"})
    schema = {"properties": {"pattern": {"enum": [{"pattern": 1}], "default": {"pattern": "a"}}}}
    assert Outcome.REFUSED not in outcomes(schema, judged).values()


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ({"at": "root"}, {"pattern": "a"}, {"items": {"pattern": "a"}}),
        ({"at": "below"}, {"items": {"pattern": "a"}}, {"pattern": "a"}),
        ({"under": ["items"]}, {"items": {"not": {"pattern": "a"}}}, {"not": {"pattern": "a"}}),
        ({"value": {"const": "b"}}, {"pattern": "b"}, {"pattern": "a"}),
        ({"values": {"pattern": {"const": "b"}}}, {"pattern": "b"}, {"pattern": "a"}),
        ({"beside": {"required": ["format"]}}, {"pattern": "a", "format": "x"}, {"pattern": "a"}),
    ],
)
def test_a_row_applies_only_where_its_condition_is_met(
    condition: dict[str, Any], yes: dict[str, Any], no: dict[str, Any]
) -> None:
    judged = variant(condition, {"keywords": ["*"], "outcome": "accepted"})
    assert Outcome.REFUSED in outcomes(yes, judged).values()
    assert Outcome.REFUSED not in outcomes(no, judged).values()


def test_a_reference_is_recursive_if_its_target_contains_it() -> None:
    judged = variant({"keywords": ["$ref"], "recursive": True}, {"keywords": ["*"], "outcome": "accepted"})
    tree = {"properties": {"p": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"items": {"$ref": "#/$defs/d"}}}}
    found = outcomes(tree, judged)
    assert found["/$defs/d/items/$ref"] is Outcome.REFUSED
    assert found["/properties/p/$ref"] is Outcome.ACCEPTED


def test_extensions_are_named_apart_from_json_schema() -> None:
    judged = variant({"keywords": ["*"], "outcome": "accepted"}, {"keywords": ["x-*"], "outcome": "ignored"})
    assert outcomes({"not": {}, "x-order": 1}, judged) == {"/not": Outcome.ACCEPTED, "/x-order": Outcome.IGNORED}


def test_a_row_with_days_needs_the_day_of_the_request() -> None:
    judged = variant({"since": "2026-03-01", "until": "2026-03-31"})
    days = (None, date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 31), date(2026, 4, 1))
    found = [outcomes({"pattern": "a"}, judged, day)["/pattern"] for day in days]
    assert found == [Outcome.UNKNOWN, Outcome.UNKNOWN, Outcome.REFUSED, Outcome.REFUSED, Outcome.UNKNOWN]


LIMIT = {"basis": "documented", "evidence": "a page"}


@pytest.mark.parametrize(
    ("limit", "fits", "exceeds", "place"),
    [
        ({"limit": "properties", "most": 1}, {"properties": {"a": {}}}, {"properties": {"a": {}, "b": {}}}, ""),
        (
            {"limit": "depth", "most": 1},
            {"properties": {"a": {"items": {}}}},
            {"properties": {"a": {"items": {"properties": {"b": {}}}}}},
            "/properties/a/items",
        ),
        ({"limit": "enum-values", "most": 1}, {"enum": ["a"]}, {"enum": ["a", "b"]}, "/enum"),
        ({"limit": "names-size", "most": 3}, {"properties": {"abc": {}}}, {"properties": {"abc": {"const": "d"}}}, ""),
        (
            {"limit": "property-name", "pattern": "[a-z]+", "reason": "letters", "at": "root"},
            {"properties": {"a": {"properties": {"B": {}}}}},
            {"properties": {"B": {}}},
            "/properties/B",
        ),
    ],
)
def test_a_limit_of_one_schema(
    limit: dict[str, Any], fits: dict[str, Any], exceeds: dict[str, Any], place: str
) -> None:
    judged = variant(limits=({**LIMIT, **limit},))
    assert exceeded(fits, judged) == ()
    assert [each.pointer for each in exceeded(exceeds, judged)] == [place]


def test_the_limits_of_a_list_name_the_tool_or_the_whole_list() -> None:
    judged = variant(
        limits=(
            {**LIMIT, "limit": "tools", "most": 1},
            {**LIMIT, "limit": "name", "pattern": "[a-z]{1,3}", "reason": "letters"},
            {**LIMIT, "limit": "description-length", "most": 3},
        ),
    )
    found = of_list([("abc", "abc"), ("abcd", "abcd")], judged)
    assert [(number, each.limit.measure) for number, each in found] == [
        (None, "tools"),
        (1, "name"),
        (1, "description-length"),
    ]


def test_a_variant_takes_over_what_it_does_not_say() -> None:
    base = {**CHAT, "strict": False, "keywords": [{**ROW, "outcome": "ignored"}, {**ROW, "keywords": ["not"]}]}
    more = {"extends": "base", "about": "More", "strict": True, "keywords": [ROW]}
    profile = profile_of("taking", {"about": "Ours.", "tools": {"base": base, "more": more}})
    add(profile)
    first, second = variants_of(profile)
    assert (second.form, second.strict, first.strict) == ("openai-chat", True, False)
    found = outcomes({"pattern": "a", "not": {}}, second)
    assert found == {"/pattern": Outcome.REFUSED, "/not": Outcome.REFUSED}


def test_every_shipped_variant_has_a_form_and_its_own_name() -> None:
    assert len(all_variants()) > 40
    for name, each in all_variants().items():
        assert name == each.full_name
        assert each.rows, name


def test_variants_are_called_by_profile_or_in_full() -> None:
    assert [each.name for each in variants_called("deepseek")] == ["chat", "chat-strict", "responses"]
    assert [each.full_name for each in variants_called("google/3")] == ["google/3"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("opnai", "unknown profile 'opnai'; did you mean `openai`?"),
        ("litellm", "the profile litellm has nothing about tools"),
        ("openai/strict", "openai has no variant 'strict'; did you mean `chat-strict`?"),
    ],
)
def test_a_name_that_is_none_is_refused_with_the_nearest(given: str, message: str) -> None:
    with pytest.raises(ConformanceError) as refused:
        variants_called(given)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("  chat: {about: Chat, form: chatt, schema: /x}", "4:29: unknown form 'chatt'"),
        ("  chat: {extends: openai/chatt}", "4:19: unknown variant 'openai/chatt'; did you mean `openai/chat`?"),
        ("  chat: {extends: chat}", "4:19: unknown variant 'chat'"),
        ("  chat: {extends: openai/chat, generation: nine}", "4:44: unknown generation 'nine'"),
        (
            "  chat:\n    extends: openai/chat\n    limits: [{limit: tools, most: x, basis: source, evidence: y}]",
            "6:35: tools.chat.limits.0.most: ",
        ),
    ],
)
def test_a_mistake_in_a_file_is_reported_with_its_place(lines: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(f"about: Ours.\n\ntools:\n{lines}\n", encoding="utf-8")
    with pytest.raises(ConformanceError) as refused:
        chosen_profile(str(path))
    assert str(refused.value).startswith(f"{path}:{message}")


def test_a_profile_without_tools_has_no_variants() -> None:
    assert variants_of(Profile("reference", "The reference server.")) == ()
