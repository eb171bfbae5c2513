"""The steps of CONTRIBUTING.md, carried out in a copy of the repository."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from devtools.places import ROOT
from devtools.planted.tree import copy_checkout
from tests.sampling import Extent

pytestmark = pytest.mark.process

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", GUIDE, flags=re.MULTILINE | re.DOTALL))
COPIED = (
    "conformance",
    "devtools",
    "specs",
    "tests",
    "docs",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "constraints.txt",
)


def blocks(section: str, language: str) -> list[str]:
    """The code blocks of a section in one language, without the indentation of the list that they are in."""
    return [
        dedent(text)
        for text in re.findall(rf"^ *```{language}\n(.*?)^ *```", SECTIONS[section], re.MULTILINE | re.DOTALL)
    ]


def files(section: str) -> dict[str, str]:
    """The files that a section has one write: the first line of each block names it."""
    found = (re.fullmatch(r"(?:#|<!--) (\S+/\S+)(?: -->)?\n(.*)", block, re.DOTALL) for block in _written(section))
    return {match[1]: match[2] for match in found if match is not None}


def _written(section: str) -> list[str]:
    return blocks(section, "(?:yaml|markdown|python)")


def commands(section: str) -> list[list[str]]:
    return [shlex.split(line, comments=True) for block in blocks(section, "sh") for line in block.splitlines()]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the repository, without its cassettes."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("_data"))
        else:
            shutil.copy2(source, tmp_path / name)
    (tmp_path / "cassettes").mkdir()
    return tmp_path


def run(words: list[str], tree: Path) -> subprocess.CompletedProcess[str]:
    """A command of the guide, with this interpreter and the packages of this environment."""
    if words[0] == "make":
        words = ["make", f"VENV={sys.prefix}", "--old-file", f"{sys.prefix}/.ready", *words[1:]]
    elif words[0] == "pytest":
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *words[1:]]
    else:
        words = [sys.executable, "-m", *words]
    environment = {**os.environ, "PYTHONPATH": str(tree), "NO_COLOR": "1"}
    return subprocess.run(words, capture_output=True, text=True, cwd=tree, env=environment, check=False)


def carry_out(words: list[str], tree: Path) -> str:
    """The output of a command that ends with 0."""
    done = run(words, tree)
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
    return done.stdout


def put(tree: Path, section: str) -> dict[str, str]:
    """Writes the files of a section; what is in the tree already gets the text at its end."""
    wanted = files(section)
    for name, text in wanted.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text(encoding="utf-8") if path.is_file() else "") + text, encoding="utf-8")
    return wanted


def test_the_set_up_names_targets_that_exist() -> None:
    reported = subprocess.run(["make"], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    targets = set(re.findall(r"^  make ([a-z]+)", reported, flags=re.MULTILINE))
    assert commands("Set up") == [["make", "install"], ["make", "check"]]
    assert set(re.findall(r"`make ([a-z]+)", GUIDE)) <= targets


def test_the_scenario_of_the_guide_is_recorded_shown_and_replayed(tree: Path) -> None:
    section = "Add a scenario"
    assert list(put(tree, section)) == ["specs/scenarios/order-status.yaml"]
    record, show, replay = commands(section)
    one = ["--dialect", "openai-chat", "--driver", "openai"]  # the others are recorded and replayed in the same way
    carry_out([*record, *one], tree)
    assert "get_order" in carry_out(show, tree)
    assert "2 of 2 cells replayed without an error" in carry_out([*replay, *one], tree)


def test_the_rule_of_the_guide_is_found_proved_and_explained(tree: Path) -> None:
    section = "Add a rule"
    assert list(put(tree, section)) == [
        "conformance/dialects/openai_chat/statements.yaml",
        "conformance/dialects/openai_chat/rules_user.py",
        "conformance/dialects/openai_chat/proofs/user.yaml",
    ]
    rules, examples, explain = commands(section)
    carry_out(rules, tree)
    assert "### OAC-Q-900" in (tree / "docs" / "contract" / "openai-chat.md").read_text(encoding="utf-8")
    passed = re.search(r"^(\d+) passed", carry_out(examples, tree), flags=re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 2  # its examples are judged, and the statement is held
    assert "OAC-Q-900" in carry_out(explain, tree)


def test_the_dialect_of_the_guide_claims_reads_and_is_judged(tree: Path) -> None:
    section = "Add a dialect"
    assert [Path(name).name for name in put(tree, section)] == ["__init__.py", "readers.py", "exchanges.yaml"]
    [line] = blocks(section, "json")
    (tree / "traffic.jsonl").write_text(line, encoding="utf-8")
    judging = [words for words in commands(section) if "cp" not in words and "generated" not in words]
    lint, types, *tests, check = judging[:5]
    carry_out(lint, tree)
    carry_out(types, tree)
    for command in tests:
        assert " passed" in carry_out(command, tree)
    report = json.loads(carry_out(check, tree))
    assert report["summary"]["unclaimed"] == 0
    named = re.search(r"the last command reports the (\w+) `(.+?)` at `(.+?)`", SECTIONS[section])
    assert named is not None
    found = [(each["dialect"], each["severity"], each["rule"], each["pointer"]) for each in report["findings"]]
    assert found == [("tiny-chat", *named.groups())]


_NEW = (
    "conformance/dialects/tiny_chat/",
    "conformance/drivers/tiny_chat.py",
    "cassettes/tiny-chat/",
    "docs/contract/tiny-chat.md",
    "specs/wire/tiny-chat/",
)
"""What a dialect adds: its folder, a driver, cassettes, and the files that are made from the folder."""
_MADE_ANEW = {"README.md", "docs/contract/README.md", "conformance/judge/rule_index.json"}
"""The files with a table of all dialects, or of their rules."""
_TOUCHED = (
    "tests/project/test_layers.py",
    "tests/project/test_readme.py",
    "tests/dialects/test_dialect_contract.py",
    "tests/judge/test_rule_examples.py",
    "tests/contract/test_wire_schemas.py",
    "tests/report/test_contract_docs.py",
)
"""The tests that look at every dialect at once; a full run adds those that have an item for each."""


def contents(tree: Path) -> dict[str, bytes]:
    """The files of a copy by their paths, but for caches."""
    files = (path for path in tree.rglob("*") if path.is_file())
    inside = {path.relative_to(tree).as_posix(): path for path in files}
    return {
        name: path.read_bytes()
        for name, path in inside.items()
        if not re.search(r"(^|/)(\.|__pycache__/)", name)  # what programs leave: caches, the journal of a recording
    }


def test_the_dialect_of_the_guide_is_played_and_nothing_else_is_edited(tmp_path: Path) -> None:
    tree = tmp_path / "checkout"
    copy_checkout(tree)
    before = contents(tree)
    *_, copy, generated, record, replay = commands("Add a dialect")
    subprocess.run(copy, cwd=tree, check=True)
    carry_out(generated, tree)
    carry_out(record, tree)
    assert re.search(r"^(\d+) of \1 cells replayed without an error", carry_out(replay, tree), re.MULTILINE)
    after = contents(tree)
    assert before.keys() <= after.keys()
    assert [name for name in after.keys() - before.keys() if not name.startswith(_NEW)] == []
    assert {name for name in before if before[name] != after[name]} == _MADE_ANEW
    touched = [*_TOUCHED, "-k", "tiny or every or layers or readme_are"]
    each = ["--full", "--conformance-matrix", "-k", "tiny"]
    for chosen in (touched, each) if Extent.full else (touched,):
        assert " passed" in carry_out(["pytest", "-m", "not process", *chosen], tree)
