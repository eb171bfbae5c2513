"""`make relations`: each field of a document has a relation, or is free."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devtools.documents.reading import documents
from devtools.documents.relations import Relations, run
from devtools.documents.walking import places

TEXT = {"type": "string"}
CALL = {"type": "object", "properties": {"type": {"const": "call"}, "call_id": TEXT, "note": TEXT}}
CALLS = "items[call]:\n  call_id: introduces call; judged tool-call-id-duplicate\n  free: [note, type]\n"


def made(**fields: Any) -> Any:
    """What packages ship, if one documents such a chat request."""
    body = {"type": "object", "properties": {"items": {"type": "array", "items": {"anyOf": [CALL]}}, **fields}}
    return {"maker": {"version": "1", "definitions": {"r": body}, "roots": {"openai-chat request": "r"}}}


def outcome(
    folder: Path, inventory: str, packages: Any, capsys: pytest.CaptureFixture[str], *, write: bool = False
) -> tuple[int, str]:
    (folder / "openai-chat.yaml").write_text(inventory, encoding="utf-8")
    found = documents(None, packages=packages)
    code = run(found, ("openai-chat",), whole=("openai-chat",), folder=folder, write=write)
    return code, capsys.readouterr().out


def test_a_field_is_known_by_the_field_above_and_the_tag_of_its_object() -> None:
    found = places(documents(None, packages=made()), ("openai-chat",))
    assert [(each.path, each.group, each.field) for each in found if each.field] == [
        ("items", "request", "items"),
        ("items/*[call]/type", "items[call]", "type"),
        ("items/*[call]/call_id", "items[call]", "call_id"),
        ("items/*[call]/note", "items[call]", "note"),
    ]


def test_what_contains_itself_is_walked_once() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/definitions/node"}}}
    package = {"version": "1", "definitions": {"node": node}, "roots": {"openai-chat request": "node"}}
    found = [each.path for each in places(documents(None, packages={"maker": package}), ("openai-chat",))]
    assert found == ["next", "next/next", "next/next/next"]


def test_a_relation_for_each_field_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = outcome(tmp_path, f"{CALLS}request:\n  free: [items]\n", made(), capsys)
    assert (code, printed) == (
        0,
        "openai-chat: 4 places, 4 fields: introduces 1, free 3; judged by no rule 0\n",
    )


@pytest.mark.parametrize(
    ("request_lines", "fields", "expected"),
    [
        ("  free: [items]\n", {"a": TEXT}, "no relation: request a (request a)"),
        ("  free: [items, a]\n", {}, "a relation for nothing: request a"),
        ("  free: [items, a_id]\n", {"a_id": TEXT}, "free without a reason, although its name suggests a relation: "),
        ("  free: [items]\n  a: relates to b\n", {"a": TEXT}, "not a relation: relates to b: request a"),
        ("  free: [items]\n  a: echoes b; judged no-such-rule\n", {"a": TEXT}, "no rule no-such-rule: request a"),
    ],
)
def test_what_ends_the_command(
    request_lines: str, fields: dict[str, Any], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = outcome(tmp_path, f"{CALLS}request:\n{request_lines}", made(**fields), capsys)
    assert code == 1
    assert expected in printed


def test_a_line_for_one_subject_goes_before_the_line_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inventory = f"{CALLS}request:\n  free: [items]\n  a: echoes b\nrequest request:\n  a: part of b\n"
    code, printed = outcome(tmp_path, inventory, made(a=TEXT), capsys)
    assert "part of 1" in printed
    assert (code, "a relation for nothing: request a" in printed) == (1, True)


def test_new_fields_get_what_their_name_suggests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = {"prompt_tokens": {"type": "integer"}, "file_id": TEXT, "name": TEXT, "other": TEXT}
    code, printed = outcome(tmp_path, CALLS, made(**fields), capsys, write=True)
    verdicts = Relations.of(tmp_path / "openai-chat.yaml").verdicts
    assert verdicts["request", "prompt_tokens"] == "count of prompt_tokens"
    assert verdicts["request", "file_id"] == "refers to file"
    assert verdicts["request", "other"] == "free"
    assert verdicts["items[call]", "call_id"].startswith("introduces call; judged ")
    assert (code, "no relation: request name" in printed) == (1, True)
