"""The names that programs rely on."""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import conformance
from conformance.errors import ConformanceError
from conformance.report import FORMATS
from devtools.places import ROOT
from tests.cassettes import PLAYED, SHIPPED

PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)

PROGRAM = """
from conformance import Finding, check, load_cassette
findings = check(load_cassette({path!r}).exchanges)
assert all(isinstance(each, Finding) for each in findings)
import conformance.judge.checker, conformance.commands
from conformance import check as again
assert again is check and callable(check)
print(len(findings))
"""


def test_the_public_names_are_these() -> None:
    assert sorted(conformance.__all__) == [
        "Checker",
        "Exchange",
        "Finding",
        "Selection",
        "Severity",
        "__version__",
        "check",
        "load",
        "load_cassette",
        "recording",
        "render",
    ]


@pytest.mark.parametrize("name", conformance.__all__)
def test_every_public_name_can_be_had_and_is_documented(name: str) -> None:
    found = getattr(conformance, name)
    assert name in dir(conformance)
    assert f"`{name}" in PAGE
    assert name == "__version__" or found.__doc__


@pytest.mark.parametrize("name", sorted(set(conformance.__all__) - {"__version__", "Severity"}))
def test_every_public_name_is_typed(name: str) -> None:
    found = getattr(conformance, name)
    parameters = inspect.signature(found).parameters.values()
    assert all(each.annotation is not inspect.Parameter.empty for each in parameters)
    assert inspect.isclass(found) or inspect.signature(found).return_annotation is not inspect.Signature.empty


@pytest.mark.process
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_program_of_the_page_runs_and_prints_what_the_page_says(number: int, tmp_path: Path) -> None:
    program, printed = PROGRAMS[number]
    shutil.copy(ROOT / "tests" / "data" / "violating.jsonl", tmp_path / "traffic.jsonl")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path, env=environment
    )
    assert (done.stderr, done.stdout) == ("", printed)


def test_a_report_is_rendered_in_every_format() -> None:
    checker = conformance.Checker()
    exchanges = list(conformance.load(ROOT / "tests" / "data" / "violating.jsonl"))
    findings = [finding for exchange in exchanges for finding in checker.feed(exchange)]
    assert findings
    for name in FORMATS:
        assert "tool-call-unanswered" in conformance.render(findings, name, summary=checker.summary)
    assert conformance.render(findings).endswith("1 exchange in 1 conversation: 1 error, 0 warnings, 0 infos\n")
    assert conformance.render([]) == "no findings\n"
    assert json.loads(conformance.render([], "json"))["findings"] == []
    with pytest.raises(ConformanceError, match="unknown report format 'pdf'"):
        conformance.render(findings, "pdf")


def test_a_selection_refuses_a_string_whose_characters_would_be_prefixes() -> None:
    with pytest.raises(ConformanceError, match="`ignore` is a string; write ignore="):
        conformance.Selection(ignore="chat")


@pytest.mark.process
def test_a_program_judges_a_cassette_in_three_lines() -> None:
    path = str(SHIPPED / next(cell for cell in PLAYED if cell.scenario.id == "weather").relative_path)
    run = subprocess.run([sys.executable, "-c", PROGRAM.format(path=path)], capture_output=True, text=True, check=True)
    assert run.stdout == "0\n"


def test_a_severity_equals_its_name_and_compares_with_it() -> None:
    error = conformance.Severity.ERROR
    assert error == "error"
    assert error > "warning" > conformance.Severity.INFO
    assert max(conformance.Severity) is error
    assert {error: 1}["error"] == 1  # type: ignore[index]
