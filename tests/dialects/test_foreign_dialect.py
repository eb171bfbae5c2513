"""A dialect that another distribution adds: installed in a folder of its own, and found without another edit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devtools.places import ROOT

pytestmark = pytest.mark.process

PACKAGE = ROOT / "tests" / "lines_dialect"
NAME = "lines_chat_dialect"
URL = "http://localhost:11434/lines/chat"


def install(folder: Path, package: str = NAME, distribution: str = "lines-dialect") -> Path:
    """What an installer writes that says that a distribution has a package with dialects."""
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text(f"[conformance.dialects]\nanything = {package}\n")
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH with the dialect `lines-chat`."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(PACKAGE, folder / NAME, ignore=shutil.ignore_patterns("__pycache__"))
    return install(folder)


def python(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(site)]), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environ, cwd=ROOT, check=False)


def conformance(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(site, "-m", "conformance", *arguments)


def line(message: dict[str, Any], **more: Any) -> str:
    return json.dumps({"model": "llama3.2", "created_at": "2026-09-21T12:26:40.0871Z", "message": message, **more})


def recording(folder: Path) -> Path:
    """A run of two exchanges: a stream that breaks off after a call, and the result, sent back under a wrong name."""
    user = {"role": "user", "content": "Will it rain in Tromsø?"}
    call = {"function": {"name": "forecast", "arguments": {"place": "Tromsø"}}}
    asks = {"role": "assistant", "content": "", "tool_calls": [call]}
    result = {"role": "tool", "tool_name": "forecasts", "content": "rain"}
    tools = [{"type": "function", "function": {"name": "forecast", "parameters": {"type": "object"}}}]
    broken = line({"role": "assistant", "content": "Let me see. "}, done=False) + "\n" + line(asks, done=False) + "\n"
    whole = json.loads(line({"role": "assistant", "content": "Yes."}, done=True, done_reason="stop"))
    path = folder / "lines.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for messages, body, more in (([user], broken, {}), ([user, asks, result], whole, {"stream": False})):
            request = {"model": "llama3.2", "messages": messages, "tools": tools, **more}
            exchange = {
                "request": {"method": "POST", "url": URL, "body": request},
                "response": {"status": 200, "body": body},
            }
            file.write(json.dumps({"conversation": "one", **exchange}) + "\n")
    return path


@pytest.mark.parametrize("options", [(), ("--dialect", "lines-chat"), ("--jobs", "2")])
def test_check_judges_it_by_its_own_rules_and_by_those_of_every_dialect(
    options: tuple[str, ...], site: Path, tmp_path: Path
) -> None:
    run = conformance(site, "check", str(recording(tmp_path)), "--format", "json", *options)
    assert (run.returncode, run.stderr) == (1, "")
    report = json.loads(run.stdout)
    assert report["summary"]["unclaimed"] == 0
    found = {
        (each["dialect"], each["rule"], each["exchange"], each["side"], each["pointer"]) for each in report["findings"]
    }
    assert ("lines-chat", "lines-done-missing", 0, "response", "event/1") in found
    assert ("lines-chat", "tool-result-orphaned", 1, "request", "/messages/2") in found
    assert {dialect for dialect, *_ in found} == {"lines-chat"}


def test_without_the_package_no_dialect_claims_it(tmp_path: Path) -> None:
    run = conformance(tmp_path, "check", str(recording(tmp_path)), "--format", "json")
    assert json.loads(run.stdout)["summary"]["unclaimed"] == 2


def test_list_shows_the_dialect_and_its_rule(site: Path) -> None:
    assert "lines-chat" in conformance(site, "list").stdout.partition("cells")[0]
    rules = conformance(site, "list", "--rules", "--dialect", "lines-chat").stdout
    assert "lines-done-missing" in rules
    assert "tool-result-orphaned" in rules
    assert "chat-chunk" not in rules


def test_what_needs_a_driver_says_that_there_is_none(site: Path) -> None:
    run = conformance(site, "replay", "--dialect", "lines-chat")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("conformance: no driver for dialect lines-chat; ")


def test_explain_shows_its_rule_with_an_example(site: Path) -> None:
    run = conformance(site, "explain", "lines-done-missing")
    assert (run.returncode, run.stderr) == (0, "")
    assert "Example (a change to lines-chat/stream-call); finding at exchange 0 response event/0" in run.stdout
    assert "ollama/ollama docs/api.md" in run.stdout


def test_the_tests_of_rules_and_dialects_take_it_in(site: Path) -> None:
    tests = ["tests/judge/test_rule_examples.py", "tests/model/test_stream_events.py"]
    one = "tests/dialects/test_dialect_contract.py::test_exactly_one_dialect_and_its_carrier_claim_a_base"
    total = "tests/dialects/test_dialect_contract.py::test_reading_is_total"
    run = python(
        site,
        "-m",
        "pytest",
        "-v",
        "-p",
        "no:cacheprovider",
        "-k",
        "lines_chat or lines-chat or lines-done",
        *tests,
        one,
        total,
    )
    assert run.returncode == 0, run.stdout
    passed = [each.partition(" ")[0] for each in run.stdout.splitlines() if " PASSED" in each]
    for expected in (
        "test_a_rule_trips_at_the_place_of_each_violating_example_in_words_and_in_no_conforming_one[lines-done-missing]",
        "test_a_base_of_examples_has_no_finding_at_all[lines-chat/run]",
        "test_reading_is_total[lines-chat]",
        "test_narrating_is_total[lines-chat]",
    ):
        assert any(name.endswith(expected) for name in passed), expected


SERVED = """
from conformance.judge.checker import check
from conformance.model.exchange import Exchange
from conformance.reference.answering import answer_to
from conformance.scenario.load import all_scenarios

scenario = all_scenarios()["weather"]
tools = [
    {"type": "function", "function": {"name": tool.name, "parameters": tool.parameters}} for tool in scenario.tools
]
messages = [{"role": "user", "content": scenario.conversations[0].user}]
for stream in (True, False):
    body = {"model": "m", "stream": stream, "tools": tools, "messages": messages}
    headers = {"content-type": "application/json"}
    request = {"method": "POST", "url": "http://localhost/lines/chat", "headers": headers, "body": body}
    asked = Exchange.of({"request": request, "response": {"status": 100}}).request
    made = answer_to(asked, all_scenarios()).delivery.rendered
    response = {"status": made.status, "headers": dict(made.headers), "body": made.body.decode()}
    exchange = Exchange.of({"request": request, "response": response}, complete=True)
    print(made.status, len(made.chunks) > 1, "tool_calls" in response["body"], check([exchange]))
"""


def broken(folder: Path, **files: str) -> Path:
    """A distribution `broken-dialect` whose package holds these modules."""
    package = folder / "broken_dialect"
    package.mkdir()
    for name, text in files.items():
        package.joinpath(f"{name}.py").write_text(text)
    return install(folder, "broken_dialect", "broken-dialect")


OWN = "from conformance.dialects.openai_chat import DIALECT as other\nfrom dataclasses import replace\n"
RULE = """
from conformance.judge.rule import rule
@rule("tool-result-orphaned", scope="reply", cites="X-Q-001")
def mine(view):
    yield from ()
"""
UNREAD = OWN + "DIALECT = replace(other, name='other-chat', package=__name__, claims=lambda request: False)\n"
NEW = UNREAD + "READERS = other.readers\n"


FAULTS = {
    "a missing library": (
        {"__init__": "import no_such_library"},
        "cannot be imported: ModuleNotFoundError: No module named 'no_such_library'",
    ),
    "a syntax error": ({"__init__": "DIALECT = ("}, "cannot be imported: SyntaxError: "),
    "no dialect": ({"__init__": ""}, "does not define DIALECT as a conformance.model.dialect.Dialect"),
    "something else": ({"__init__": "DIALECT = 'lines-chat'"}, "does not define DIALECT as"),
    "no readers": ({"__init__": UNREAD}, "has no READERS: ModuleNotFoundError: "),
    "broken readers": (
        {"__init__": UNREAD, "readers": "1 / 0"},
        "has no READERS: ZeroDivisionError: division by zero",
    ),
    "a name that is taken": (
        {"__init__": OWN + "DIALECT = other"},
        "the dialect openai-chat of broken_dialect is already defined by conformance itself",
    ),
    "a broken module of rules": (
        {"__init__": NEW, "rules_x": "1 / 0"},
        "broken_dialect.rules_x cannot be imported: ZeroDivisionError: division by zero",
    ),
    "a rule that exists": (
        {"__init__": NEW, "rules_x": RULE},
        "cannot be imported: ValueError: duplicate rule id tool-result-orphaned",
    ),
}
CHECK, TWO_JOBS, LIST = ("check", "{recording}"), ("check", "{recording}", "--jobs", "2"), ("list", "--rules")


@pytest.mark.parametrize(
    ("fault", "command"),
    [*((fault, CHECK) for fault in FAULTS), *((fault, TWO_JOBS) for fault in list(FAULTS)[-2:]), ("no dialect", LIST)],
)
def test_a_broken_package_is_one_line_that_names_its_distribution(
    fault: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    files, message = FAULTS[fault]
    path = str(recording(tmp_path))
    run = conformance(broken(tmp_path, **files), *(each.format(recording=path) for each in command))
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith("conformance: cannot load the dialects of distribution broken-dialect: ")
    assert message in run.stderr
    assert run.stderr.endswith("; fix or uninstall broken-dialect\n")


def test_two_distributions_with_one_name_are_both_named(tmp_path: Path, site: Path) -> None:
    shutil.copytree(site, tmp_path / "site")
    second = tmp_path / "site" / "zweite"
    second.mkdir()
    second.joinpath("__init__.py").write_text(f"from {NAME} import DIALECT\n")
    run = conformance(install(tmp_path / "site", "zweite", "second-dialect"), "list")
    assert run.returncode == 2
    assert "second-dialect: the dialect lines-chat of zweite is already defined by lines-dialect" in run.stderr


def test_a_dialect_may_lack_examples_and_a_renderer_and_be_a_single_module(tmp_path: Path) -> None:
    tmp_path.joinpath("single.py").write_text(NEW)
    site = install(tmp_path, "single", "single-dialect")
    run = conformance(site, "list", "--rules", "--dialect", "other-chat")
    assert (run.returncode, run.stderr) == (0, "")
    code = (
        "from conformance.judge.proofs.example import base_names; from conformance.model.registry import has_part;"
        "print(base_names('other-chat'), has_part('other-chat', 'render'), has_part('openai-chat', 'render'))"
    )
    assert python(site, "-c", code).stdout == "[] False True\n"


def test_the_reference_server_answers_in_it(site: Path) -> None:
    stream, plain = python(site, "-c", SERVED).stdout.splitlines()
    assert (stream, plain) == ("200 True True []", "200 False True []")
