"""The names that programs rely on."""

import subprocess
import sys

import conformance
from tests.cassettes import PLAYED, SHIPPED

PROGRAM = """
from conformance import Finding, check, load_cassette
findings = check(load_cassette({path!r}).exchanges)
assert all(isinstance(each, Finding) for each in findings)
import conformance.judge.checker, conformance.cli
from conformance import check as again
assert again is check and callable(check)
print(len(findings))
"""


def test_the_public_names_are_these() -> None:
    assert sorted(conformance.__all__) == [
        "Checker",
        "Finding",
        "Severity",
        "__version__",
        "check",
        "load_cassette",
    ]


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
