"""Scenarios of one's own: in every verb and in pytest, with a folder of cassettes; and `conformance new`."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml

from conformance.commands.new.common import template
from conformance.commands.new.project import FIRST
from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir
from conformance.model.version import VERSION
from conformance.scenario.load import all_scenarios, load_scenario
from devtools.places import ROOT
from tests.program import conformance

SAMPLE = ROOT / "examples" / "own-scenarios"
PAGE = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
SETUP, RECORDED, OPTIONS = (block.splitlines() for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
ONE = ("--dialect", "openai-chat", "--driver", "openai")


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """The sample project, outside of this repository."""
    shutil.copytree(SAMPLE, tmp_path / "project")
    return tmp_path / "project"


def done(line: str, folder: Path) -> tuple[int, str]:
    ended = conformance(*shlex.split(line)[1:], cwd=folder)
    return ended.returncode, ended.stdout + ended.stderr


def test_the_commands_of_the_page_set_a_project_up(tmp_path: Path) -> None:
    for line in [*SETUP, *RECORDED]:
        code, output = done(line, tmp_path)
        assert code == 0, output
    assert "2 of 2 cells replayed without an error" in output
    named = re.findall(r"^\| `([^`]+)` \| .+ \|$", PAGE, re.MULTILINE)
    assert sorted(named) == sorted(
        str(path.relative_to(tmp_path))
        for path in tmp_path.rglob("*")
        if path.is_file() and not path.is_relative_to(tmp_path / "cassettes" / "openai-chat")
    )


def test_the_commands_of_the_page_need_no_settings(tmp_path: Path) -> None:
    done(SETUP[0], tmp_path)
    (tmp_path / "conformance.toml").unlink()
    for line in OPTIONS:
        code, output = done(line, tmp_path)
        assert code == 0, output
    assert "differ only in noise" in output


def test_the_errors_of_the_page_are_those_of_the_program(sample: Path) -> None:
    path = sample / "scenarios" / "order-status.yaml"
    sound = path.read_text(encoding="utf-8")
    [shown] = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    changes = [
        ("user: Where", "user: 'Where"),
        ("      - error: There is no such order.", "      - eror: There is no such order."),
        ("{get_order.status}", "{get_order.state}"),
    ]
    found = []
    for old, new in changes:
        path.write_text(sound.replace(old, new, 1), encoding="utf-8")
        found.append(done("conformance list", sample)[1].replace(f"{sample}/", "").rstrip("\n"))
    assert found == shown.splitlines()


def test_new_project_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.conformance]\nstrict = true\n", encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "mine.yaml").write_text("mine", encoding="utf-8")
    (tmp_path / "requirements-conformance.txt").write_text("mine", encoding="utf-8")
    code, output = done("conformance new project", tmp_path)
    assert code == 0
    assert "pyproject.toml: has [tool.conformance], left unchanged; add `scenarios" in output
    assert "requirements-conformance.txt: exists, left unchanged" in output
    assert "scenarios: has scenarios, left unchanged" in output
    assert not (tmp_path / "conformance.toml").exists()
    kept = [tmp_path / "scenarios" / "mine.yaml", tmp_path / "requirements-conformance.txt"]
    assert [each.read_text(encoding="utf-8") for each in kept] == ["mine", "mine"]


def test_new_scenario_writes_one_that_loads_and_names_its_schema(tmp_path: Path) -> None:
    assert done("conformance new scenario order-status --folder mine", tmp_path)[0] == 0
    path = tmp_path / "mine" / "order-status.yaml"
    assert load_scenario(path).id == "order-status"
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=scenario.schema.json"
    schema = json.loads((path.parent / "scenario.schema.json").read_text(encoding="utf-8"))
    assert schema == json.loads((data_dir("specs") / "scenario.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Order_Status", "'Order_Status' is not the name of a scenario; write 'order-status'"),
        ("'!'", "'!' is not the name of a scenario; begin with a lower-case letter"),
        ("weather", "the package already has a scenario 'weather'; choose another name"),
        ("order-status", "order-status.yaml: file exists; choose another name, or edit the file"),
    ],
)
def test_new_scenario_names_what_it_cannot_write(name: str, message: str, sample: Path) -> None:
    code, output = done(f"conformance new scenario {name}", sample)
    assert (code, output.count("\n")) == (2, 1)
    assert message in output


def test_the_files_that_new_writes_are_those_of_the_sample_and_of_the_docs() -> None:
    workflow = template("workflow.yml")
    assert (SAMPLE / "conformance.toml").read_text(encoding="utf-8") == template("conformance.toml")
    assert (SAMPLE / ".github" / "workflows" / "conformance.yml").read_text(encoding="utf-8") == workflow
    requirements = template("requirements.txt").format(requirement=f"tool-use-conformance[all]=={VERSION}")
    assert (SAMPLE / "requirements-conformance.txt").read_text(encoding="utf-8") == requirements
    kept = (ROOT / "docs" / "workflows" / "replay.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"uses: (.+)", workflow)) <= set(re.findall(r"uses: (.+)", kept))
    assert list(yaml.safe_load(workflow)["jobs"]) == ["replay"]
    assert (SAMPLE / "scenarios" / "scenario.schema.json").read_bytes() == (
        data_dir("specs") / "scenario.schema.json"
    ).read_bytes()
    assert FIRST in template("cassettes.md")


def test_the_sample_is_recorded_replayed_and_diffed(sample: Path) -> None:
    assert done("conformance replay", sample)[0] == 0
    record = "conformance record --scenario order-status --driver openai --dialect openai-chat --cassettes new"
    assert done(record, sample)[0] == 0
    code, output = done("conformance diff cassettes new --driver openai", sample)
    # The HTTP library asks for the content codings that happen to be installed: noise, if anything.
    assert (code, "identical: 2 cassettes" in output or "0 changes, 0 to review" in output) == (0, True), output
    assert done(f"{record} --behaviour stop-reason-of-an-end", sample)[0] == 1
    code, output = done("conformance diff cassettes new --scenario order-status --driver openai", sample)
    assert (code, "the stop reason changed from tool_calls to stop" in output) == (1, True)


def test_a_scenario_without_a_cassette_is_red_for_the_clients_of_the_folder(sample: Path) -> None:
    done("conformance new scenario forgotten", sample)
    ended = conformance("replay", "--format", "json", cwd=sample)
    missing = [each["source"] for each in json.loads(ended.stdout)["findings"] if each["rule"] == "cassette-missing"]
    assert ended.returncode == 1
    assert sorted(path.removeprefix(f"{sample}/cassettes/") for path in missing) == [
        "anthropic-messages/forgotten/reference--anthropic--stream.yaml",
        "anthropic-messages/forgotten/reference--anthropic.yaml",
        "openai-chat/forgotten/reference--openai--stream.yaml",
        "openai-chat/forgotten/reference--openai.yaml",
    ]


def test_a_cassette_whose_scenario_is_not_there_is_red(sample: Path) -> None:
    (sample / "conformance.toml").unlink()
    ended = conformance("replay", "--cassettes", "cassettes", "--format", "json", cwd=sample)
    findings = json.loads(ended.stdout)["findings"]
    assert {each["rule"] for each in findings} == {"cassette-unused"}
    assert findings[0]["fix"] == "pass the folder of its scenario with --scenarios, or remove the file"
    code, output = done("conformance replay --scenarios scenarios", sample)
    assert code == 2
    assert "the shipped cassettes have none of this scenario; pass the folder of its cassettes with --cass" in output


@pytest.mark.parametrize("words", [[], ["--conformance-scenarios=scenarios", "--conformance-cassettes=cassettes"]])
def test_pytest_replays_the_cells_that_the_folder_holds(
    sample: Path, words: list[str], pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample)
    if words:
        (sample / "conformance.toml").unlink()
    run = pytester.runpytest_inprocess("--conformance-matrix", "-v", "-p", "no:xdist", *words, f"--rootdir={sample}")
    run.assert_outcomes(passed=4)
    run.stdout.fnmatch_lines(["*order-status-openai-chat-openai-stream*"])
    (sample / "scenarios" / "order-status.yaml").write_text("id: [", encoding="utf-8")
    run = pytester.runpytest_inprocess("--conformance-matrix", "-p", "no:xdist", *words, f"--rootdir={sample}")
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    assert "order-status.yaml:1:" in run.stderr.str()


def test_the_server_plays_scenarios_of_ones_own(sample: Path) -> None:
    from conformance.model.transcript import Ask, Text, Turn
    from conformance.reference.choosing import script_of

    ask = Ask(model="m", history=(Turn("user", (Text("Where is my order 1042?"),)),))
    found = script_of(ask, all_scenarios([sample / "scenarios"]))
    assert found is not None
    assert found.scenario.id == "order-status"


@pytest.mark.process
def test_an_output_schema_reaches_the_mcp_server(sample: Path) -> None:
    path = sample / "scenarios" / "order-status.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "executor: mcp\n", encoding="utf-8")
    code, output = done(
        "conformance record --scenario order-status --driver openai --dialect openai-chat --no-stream --cassettes mcp",
        sample,
    )
    assert code == 0, output
    [cassette] = (sample / "mcp").rglob("*.yaml")
    assert "outputSchema" in cassette.read_text(encoding="utf-8")


def test_a_twin_of_a_scenario_in_two_folders_is_refused(sample: Path) -> None:
    shutil.copytree(sample / "scenarios", sample / "again")
    with pytest.raises(ConformanceError, match=r"'order-status' is already in .*scenarios/order-status\.yaml"):
        all_scenarios([sample / "scenarios", sample / "again"])


def test_no_module_compares_the_name_of_a_scenario() -> None:
    for path in (ROOT / "conformance").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text if any(name in text for name in all_scenarios()) else "")
        for node in ast.walk(tree):
            sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            named = [each for each in sides if ast.unparse(each).endswith(("scenario.id", "scenario"))]
            words = {each.value for side in sides for each in ast.walk(side) if isinstance(each, ast.Constant)}
            assert not (named and words & set(all_scenarios())), f"{path}:{node}"
