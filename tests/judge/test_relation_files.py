"""How rows of relations are written: names, `each`, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance.contract.statements import own_statements
from conformance.errors import ConformanceError
from conformance.judge.relations.files import _made, rows_of
from conformance.judge.relations.naming import replaced
from conformance.model.finding import Severity

NAMES: dict[str, Any] = {
    "usage": "response /usage | event /usage",
    "body": "response | event[type=start] /message",
    "inner": "/a | /b",
    "types": ["x", "y"],
    "call": {"identity": ["id of a <kind>", "response /*[type=<kind>]/id"]},
}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("request /a", "request /a"),
        ("<usage>", "response /usage | event /usage"),
        ("<usage>/total", "response /usage/total | event /usage/total"),
        ("<body>/id | request /id", "response /id | event[type=start] /message/id | request /id"),
        ("<body>[id]", "response [id] | event[type=start] /message[id]"),
        ("request <inner>/<inner>", "request /a//a | request /a//b | request /b//a | request /b//b"),
        ("event[type=<types>|z]", "event[type=x|y|z]"),
        ("<types>", ["x", "y"]),
        (["/level", "<types>"], ["/level", ["x", "y"]]),
        ("request /maxItems~/of", "request /maxItems|max_items/of"),
        ("/_meta/io.modelcontextprotocol~1version", "/_meta/io.modelcontextprotocol~1version"),
        (
            [{"each": {"a": ["1", "2"], "b": ["3"]}, "never": "request /<a>/<b>"}],
            [{"never": f"request /{n}/3"} for n in "12"],
        ),
        ([{"each": [{"a": "1"}, {"a": "2"}], "entry": "/<a>"}], ["/1", "/2"]),
        (
            [{"each": {"kind": ["f"]}, "entry": "<call>"}],
            [{"identity": ["id of a f", "response /*[type=f]/id"]}],
        ),
    ],
)
def test_what_a_name_stands_for(written: Any, meant: Any) -> None:
    assert replaced(written, NAMES) == meant


ROW = "chat-x-wrong: {{cites: OAC-R-001, relations: [{}], consequence: It breaks.}}\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a": ROW.format("never: <usge>")}, "chat-x-wrong: unknown name 'usge'"),
        ({"a": ROW.format("nver: request /x")}, "chat-x-wrong: unknown relation or form `nver`"),
        ({"a": ROW.format("never: [request /x, nothing, more]")}, "chat-x-wrong: "),
        ({"a": ROW.format("never: requests /x")}, "chat-x-wrong: "),
        (
            {"a": ROW.format("never: request /x"), "b": ROW.format("never: request /y")},
            "chat-x-wrong: it is in two files",
        ),
    ],
)
def test_a_row_that_is_not_in_the_notation_is_refused(files: dict[str, str], message: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConformanceError, match=message):
        rows_of("conformance.dialects.openai_chat", tmp_path)


def test_a_row_gets_the_scope_of_its_relations_and_the_text_of_its_statement(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(ROW.format("never: [request /x, absent]"), encoding="utf-8")
    row = rows_of("conformance.dialects.openai_chat", tmp_path)["chat-x-wrong"]
    assert (row["scope"], row["requirement"]) == (
        "request",
        own_statements("conformance.dialects.openai_chat")["OAC-R-001"].text,
    )


def test_a_row_that_cites_no_statement_of_its_dialect_must_write_its_requirement(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(ROW.format("never: [request /x, absent]"), encoding="utf-8")
    with pytest.raises(ConformanceError, match="is no statement of the dialect; write the sentence as `requirement`"):
        rows_of("conformance.dialects.gemini", tmp_path)


def test_a_relation_can_have_a_severity_and_words_of_its_own() -> None:
    given = {"never": "request /x", "severity": "info", "wrong": "no x", "wanted": "y"}
    reported = _made(given, "conformance.dialects.openai_chat")
    assert (reported.severity, reported.wrong, reported.wanted) == (Severity.INFO, "no x", "y")
