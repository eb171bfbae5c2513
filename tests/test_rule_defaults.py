"""What `rule()` fills in where a rule leaves it out."""

from __future__ import annotations

import pytest

from conformance.judge.example import Edit, change, document_pointer, drop, example, insert, put, swap
from conformance.judge.rule import all_rules
from conformance.model.finding import Severity
from conformance.model.registry import dialects_in


@pytest.mark.parametrize(
    ("edits", "place"),
    [
        ([put("/0/request/body/tools/0/name", 1)], "0 request /tools/0/name"),
        ([put("/1/response/body", 1)], "1 response"),
        ([put("/0/response/headers/content-type", "")], "0 response"),
        ([put("/0/request/url", "")], "0 request"),
        ([put("/0/response/events/3/data/id", 1)], "0 response event/3/id"),
        ([put("/0/response/events/3/event", "x")], "0 response event/3"),
        ([drop("/0/response/events/3")], "0 response event/3"),
        ([drop("/0/request/body/tools/0/name")], "0 request /tools/0"),
        ([drop("/0/request/body/tools")], "0 request"),
        ([drop("/0/request/body/tools/0")], "0 request /tools/0"),
        ([drop("/0/response/events/3/data/id")], "0 response event/3"),
        ([insert("/2/request/body/a~1b/0", 1)], "2 request /a~1b/0"),
        ([swap("/0/request/body/a", "/0/request/body/b")], "0 request /a"),
        ([put("/0/request/body/a", 1), change("/0/request/body/b", "x", "y")], "0 request /b"),
        ([], None),
    ],
)
def test_a_finding_is_expected_where_the_last_edit_landed(edits: list[Edit], place: str | None) -> None:
    assert example("openai-chat/call", *edits).edited_at == place


@pytest.mark.parametrize(
    ("place", "pointer"),
    [
        ("request /messages/2", "/0/request/body/messages/2"),
        ("1 response /id", "/1/response/body/id"),
        ("response", "/0/response/body"),
        ("2 response event/4/choices/0", "/2/response/events/4/data/choices/0"),
        ("response event/4", "/0/response/events/4"),
        ("1 url", "/1/request/url"),
    ],
)
def test_an_edit_may_be_written_by_the_place_of_a_finding(place: str, pointer: str) -> None:
    assert document_pointer(place) == pointer


def test_what_is_no_place_is_refused() -> None:
    with pytest.raises(ValueError, match="'answer /id' is not a place; write it as"):
        document_pointer("answer /id")


def test_a_rule_judges_the_dialects_of_its_folder() -> None:
    assert dialects_in("conformance.dialects.llama3.rules_call") == ("llama3-builtin", "llama3-custom", "llama3-json")
    assert dialects_in("conformance.dialects.gemini") == ("gemini",)
    assert dialects_in("conformance.dialects.gemini_next") == ()
    assert dialects_in("conformance.rules.calls") == ()
    assert all_rules()["chat-done-missing"].dialects == ("openai-chat",)


def test_the_other_defaults_are_in_the_rule() -> None:
    rule = all_rules()["chat-tool-call-index-missing"]
    assert rule.severity == {"": Severity.ERROR}
    assert [(each.base, each.edits) for each in rule.conforming] == [("openai-chat/stream-call", ())]
    assert rule.violating[0].at == rule.violating[0].edited_at == "0 response event/2/choices/0/delta/tool_calls/0"
    assert all(each.at for rule in all_rules().values() for each in rule.violating)
