"""One change is one line, whichever cells, turns and modes show it, named by its field, then by the rules it breaks."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from conformance.commands import app
from conformance.diff.places import similar
from conformance.model.jsontext import brief_pair
from devtools.places import CASSETTES

CELLS = [
    f"openai-chat/{name}/reference--openai{mode}.yaml"
    for name in ("weather", "small-talk")
    for mode in ("", "--stream")
]


def planted(folder: Path, old: str, new: str, side: str = "response") -> Path:
    """A copy of the cells in which the texts of one side's bodies have one word for another."""
    for name in CELLS:
        document = yaml.safe_load((CASSETTES / name).read_text(encoding="utf-8"))
        for each in document["interactions"]:
            text = json.dumps(each[side])
            each[side] = json.loads(text.replace(old, new))
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    for name in CELLS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CASSETTES / name, folder / name)
    return folder


def diff(old: Path, new: Path, *words: str) -> str:
    return CliRunner().invoke(app, ["diff", str(old), str(new), *words]).output


def test_a_renamed_field_is_one_change_in_all_turns_and_modes(shipped: Path, tmp_path: Path) -> None:
    new = planted(tmp_path, r"prompt_tokens\"", r"input_tokens\"")
    report = json.loads(diff(shipped, new, "--format", "json"))
    [change] = report["changes"]
    assert change["message"] == "field usage/prompt_tokens became usage/input_tokens"
    assert (change["grade"], change["differences"], len(change["cells"])) == ("change", 6, 4)
    assert set(change["therefore"]) == {"chat-reply-field-missing", "chat-chunk-field-missing"}
    page = diff(shipped, new, "--format", "html")
    [row] = re.findall(r'<th scope="row">(field .*?)</th><td>(.*?)</td>', page)
    assert row[0].startswith("field usage/prompt_tokens became usage/input_tokens<br><small>therefore: chat-")
    assert row[1].startswith("response, exchanges 0, 1: all 4 cells<br>")
    assert page.index("<h2>Changes</h2>") < page.index("<h2>Cells</h2>") < page.index("<h2>Each cell</h2>")
    text = diff(shipped, new)
    assert text.startswith("change  field usage/prompt_tokens became usage/input_tokens\n")
    assert "response, exchanges 0, 1: all 4 cells\n" in text


def test_a_change_that_only_one_scenario_has_names_its_cells(shipped: Path, tmp_path: Path) -> None:
    new = planted(tmp_path, "Degrees north of the equator.", "Degrees north of it.", "request")
    text = diff(shipped, new)
    assert "openai-chat / weather / openai / stream, openai-chat / weather / openai / sync\n" in text
    assert "description changed from Degrees north of the equator. to Degrees north of it." in text


def test_two_values_are_shown_around_the_first_character_that_differs() -> None:
    start, end = "the same beginning, " * 20, ", the same end" * 20
    one, other = brief_pair(f"{start}warm{end}", f"{start}cold{end}", 60)
    assert one != other
    assert "warm" in one
    assert "cold" in other
    assert max(len(one), len(other)) <= 61
    assert brief_pair("a", "b", 60) == ('"a"', '"b"')


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [("prompt_tokens", "input_tokens", True), ("promptTokens", "input_tokens", True), ("region", "model", False)],
)
def test_names_are_similar_if_they_share_a_word(one: str, other: str, *, alike: bool) -> None:
    assert similar(one, other) is alike
