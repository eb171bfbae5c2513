"""What `rule()` fills in where a rule leaves it out."""

from __future__ import annotations

import pytest

from conformance.judge.proofs.example import Edit, change, drop, example, insert, put, swap
from conformance.judge.proofs.place import document_pointer, place_at
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
        ([change("/0/response/events/3/text", "{", "[")], "0 response event/3"),
        ([change("/1/request/text", "{", "[")], "1 request"),
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
        ("1 response /a~1b/ c", "/1/response/body/a~1b/ c"),
        ("response", "/0/response"),
        ("response body", "/0/response/body"),
        ("2 response event/4/choices/0", "/2/response/events/4/data/choices/0"),
        ("response event/4", "/0/response/events/4"),
        ("response event/4 data", "/0/response/events/4/data"),
        ("response event/4/data", "/0/response/events/4/data/data"),
        ("response event/4 name", "/0/response/events/4/event"),
        ("response event/4 text", "/0/response/events/4/text"),
        ("1 response text", "/1/response/text"),
        ("response events", "/0/response/events"),
        ("1 request url", "/1/request/url"),
        ("request method", "/0/request/method"),
        ("response status", "/0/response/status"),
        ("request headers", "/0/request/headers"),
        ("request header x-api-key", "/0/request/headers/x-api-key"),
        ("exchange 3", "/3"),
    ],
)
def test_a_place_is_a_pointer_into_the_exchanges_of_an_example(place: str, pointer: str) -> None:
    assert document_pointer(place) == pointer
    assert place_at(pointer) == place


@pytest.mark.parametrize(
    "place", ["answer /id", "0", "response event", "response event/2 id", "request header", "response/id"]
)
def test_what_is_no_place_is_refused(place: str) -> None:
    with pytest.raises(ValueError, match=f"'{place}' is not a place; write it as"):
        document_pointer(place)


def test_a_rule_judges_the_dialects_of_its_folder() -> None:
    assert dialects_in("conformance.dialects.llama3.rules_call") == ("llama3-builtin", "llama3-custom", "llama3-json")
    assert dialects_in("conformance.dialects.gemini") == ("gemini",)
    assert dialects_in("conformance.dialects.gemini_next") == ()
    assert dialects_in("conformance.dialects.neutral.calls") == ()
    assert all_rules()["chat-done-missing"].dialects == ("openai-chat",)


def test_the_other_defaults_are_in_the_rule() -> None:
    rule = all_rules()["chat-tool-call-index-missing"]
    assert rule.severity == {"": Severity.ERROR}
    assert [(each.base, each.edits) for each in rule.conforming] == [("openai-chat/stream-call", ())]
    assert rule.violating[0].at == rule.violating[0].edited_at == "0 response event/2/choices/0/delta/tool_calls/0"
    assert all(each.at for rule in all_rules().values() for each in rule.violating)
