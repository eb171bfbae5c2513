"""`make sentences`: the norms of a document are found, and each has a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devtools.documents.inventory import Inventory, Judged
from devtools.documents.prose import binding, fingerprint, normative, sentences
from devtools.documents.reading import documents
from devtools.documents.sentences import run, sentences_of

NUMBER = "Must be between 0 and 2."
KNOWN = "statement OAC-Q-001"


def made(*texts: str, version: str = "1") -> Any:
    """What packages ship, if one documents a chat request whose field `n` has these descriptions."""
    text = "\n\n".join(texts)
    body = {"type": "object", "properties": {"n": {"type": "number", "description": text}}}
    return {"maker": {"version": version, "definitions": {"r": body}, "roots": {"openai-chat request": "r"}}}


def outcome(folder: Path, packages: Any, capsys: pytest.CaptureFixture[str], *, write: bool = False) -> tuple[int, str]:
    code = run(documents(None, packages=packages), ("openai-chat",), folder=folder, write=write)
    return code, capsys.readouterr().out


def judged(folder: Path, verdict: str, *texts: str) -> None:
    """Writes an inventory with one verdict for all."""
    found = sentences_of(documents(None, packages=made(*texts)), ("openai-chat",))
    lines = {key: Judged(each.documents, each.place, verdict) for key, each in found.items()}
    Inventory({"maker": "1"}, lines).write(folder / "openai.tsv")


def test_a_text_is_split_into_sentences_and_items_keep_what_introduces_them() -> None:
    text = (
        "One, e.g. this. **Two** [here](x).\n\nServers MUST:\n\n- sign\n  it\n- be brief\n\n```\nmust not count\n```\n"
    )
    assert list(sentences(text)) == [
        "One, e.g. this.",
        "Two here.",
        "Servers MUST:",
        "Servers MUST: sign it",
        "Servers MUST: be brief",
    ]
    assert list(binding(text)) == ["Servers MUST:", "Servers MUST: sign it", "Servers MUST: be brief"]


@pytest.mark.parametrize(
    ("text", "norms"),
    [
        (f"A number. {NUMBER}", [NUMBER]),
        ("The name of the model.", []),
        ("Ignored if `stream` is off.", ["Ignored if stream is off."]),
    ],
)
def test_a_sentence_with_a_norm_is_kept(text: str, norms: list[str]) -> None:
    assert list(normative(text)) == norms


def test_the_same_words_about_a_field_are_one_sentence_however_they_are_set() -> None:
    assert fingerprint("n", "Must be `1`.") == fingerprint("n", "must be\n1")
    assert fingerprint("n", NUMBER) != fingerprint("m", NUMBER)


def test_a_verdict_for_each_sentence_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged(tmp_path, KNOWN, NUMBER)
    assert outcome(tmp_path, made(NUMBER), capsys) == (
        0,
        "openai, maker: statement 1\nopenai, all, each once: statement 1\n",
    )
    assert NUMBER not in (tmp_path / "openai.tsv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("verdict", "document", "expected"),
    [
        (KNOWN, made(NUMBER, "Only for o3."), "no verdict: "),
        ("", made(NUMBER), "no verdict: "),
        ("open: no rule sums them", made(NUMBER), "openai-chat request n: no rule sums them"),
        (KNOWN, made("A number."), "a verdict for nothing: "),
        (KNOWN, made(NUMBER, version="2"), "another version of maker: 2, the inventory has 1"),
        ("statement OAC-Q-999", made(NUMBER), "no statement OAC-Q-999: "),
        ("not visible:", made(NUMBER), "not a verdict: "),
    ],
)
def test_what_ends_the_command(
    verdict: str, document: Any, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged(tmp_path, verdict, NUMBER)
    code, printed = outcome(tmp_path, document, capsys)
    assert code == 1
    assert expected in printed


def test_a_line_of_a_document_that_is_absent_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged(tmp_path, KNOWN, NUMBER)
    assert outcome(tmp_path, {}, capsys, write=True)[0] == 0
    assert KNOWN in (tmp_path / "openai.tsv").read_text(encoding="utf-8")


def test_the_inventory_is_brought_to_what_the_documents_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged(tmp_path, KNOWN, NUMBER, "Only for o3.")
    code, printed = outcome(tmp_path, made(NUMBER, "Only for o4.", version="2"), capsys, write=True)
    assert (code, printed.count("no verdict: "), "a verdict for nothing" in printed) == (1, 1, False)
    assert Inventory.of(tmp_path / "openai.tsv").versions == {"maker": "2"}


def test_the_pages_of_a_specification_are_read_once_over_its_revisions(tmp_path: Path) -> None:
    for revision in ("2025-06-18", "2025-11-25"):
        page = tmp_path / revision / "server" / "tools.mdx"
        page.parent.mkdir(parents=True)
        page.write_text("---\ntitle: Tools\n---\n\nServers **MUST** answer.\nThey must be kind.\n", encoding="utf-8")
    found = list(sentences_of(documents(tmp_path, packages={}), ("mcp",)).values())
    assert [(each.documents, each.place, each.text) for each in found] == [
        (("2025-06-18 pages", "2025-11-25 pages"), "mcp page server/tools", "Servers MUST answer.")
    ]
