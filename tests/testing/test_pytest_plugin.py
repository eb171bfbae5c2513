"""The pytest plugin: every cell is a test item."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conformance.matrix.cells import all_cells
from devtools.places import ROOT
from tests.cassettes import broken, cell, in_response

CHAT = "yesterday-openai-chat-openai-sync"


def test_every_cell_is_collected_under_its_readable_id(pytester: pytest.Pytester) -> None:
    run = pytester.runpytest_inprocess("--conformance-matrix", "--collect-only", "-q", "-p", "no:xdist")
    run.stdout.fnmatch_lines([f"*{CHAT}*"])


def test_k_chooses_from_the_cells(pytester: pytest.Pytester) -> None:
    wanted = [each for each in all_cells() if each.id.startswith("small-talk-gemini-google")]
    run = pytester.runpytest_inprocess("--conformance-matrix", "-k", "small-talk and gemini-google", "-p", "no:xdist")
    run.assert_outcomes(passed=len(wanted), deselected=len(all_cells()) - len(wanted))


def test_a_red_cell_fails_with_its_findings_and_lands_in_junit(pytester: pytest.Pytester, tmp_path: Path) -> None:
    broken(cell(CHAT), tmp_path, in_response(0, '"name": "getTime"', '"name": "getTim"'))
    run = pytester.runpytest_inprocess(
        "--conformance-matrix",
        f"--conformance-cassettes={tmp_path}",
        "-k",
        CHAT,
        "--junitxml=out.xml",
        "-p",
        "no:xdist",
    )
    run.assert_outcomes(failed=1)  # a folder of one's own has the cells that it holds, and no others
    run.stdout.fnmatch_lines(["*tool-call-unexpected*"])
    assert CHAT in (pytester.path / "out.xml").read_text(encoding="utf-8")


@pytest.mark.process
def test_xdist_runs_the_cells_too(pytester: pytest.Pytester) -> None:
    pytester.runpytest_subprocess(
        "--conformance-matrix", "-n", "2", "-k", "small-talk and gemini-google"
    ).assert_outcomes(passed=2)


def test_without_the_option_nothing_is_collected(pytester: pytest.Pytester) -> None:
    assert pytester.runpytest_inprocess("-p", "no:xdist").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_folder_that_is_not_there_is_a_usage_error(pytester: pytest.Pytester) -> None:
    run = pytester.runpytest_inprocess("--conformance-matrix", "--conformance-cassettes=nowhere", "-p", "no:xdist")
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    run.stderr.fnmatch_lines(["*nowhere: folder does not exist*"])


def test_the_former_name_of_the_option_still_works(pytester: pytest.Pytester) -> None:
    run = pytester.runpytest_inprocess("--conformance", "--collect-only", "-q", "-p", "no:xdist")
    run.stdout.fnmatch_lines([f"*{CHAT}*"])


def test_a_cell_without_a_cassette_is_named_where_others_of_its_scenario_have_one(pytester: pytest.Pytester) -> None:
    for scenario, modes in {"small-talk": ("",), "weather": ("", "--stream")}.items():
        for mode in modes:
            name = f"gemini/{scenario}/reference--google-genai{mode}.yaml"
            target = pytester.path / "own" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "cassettes" / name, target)
    run = pytester.runpytest_inprocess("--conformance-matrix", "--conformance-cassettes=own", "-rs", "-p", "no:xdist")
    run.assert_outcomes(passed=3, skipped=1)
    run.stdout.fnmatch_lines(["SKIPPED*no cassette, though others of its scenario have one*"])
