"""Scenario files: what is accepted, and what an error says."""

from pathlib import Path

import pytest

from conformance.drivers import all_drivers
from conformance.errors import ConformanceError
from conformance.matrix.cells import Cell
from conformance.model.registry import all_dialects
from conformance.scenario.load import all_scenarios, load_scenario

GOOD = """\
id: greet
summary: A greeting.
user: Hello
tools:
  - name: now
    description: The time.
    returns:
      - result: {hour: 7}
model:
  - calls:
      - tool: now
        arguments: {}
  - text: It is {now.hour}.
exercise: [tool-call]
expect:
  answer:
    contains: ["{now.hour}"]
"""


def written(folder: Path, text: str, name: str = "greet.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("path", [each.path for each in all_scenarios().values()], ids=lambda path: path.stem)
def test_a_shipped_scenario_loads_and_names_its_schema_for_editors(path: Path) -> None:
    assert load_scenario(path).id == path.stem
    assert path.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=../scenario.schema.json\n")


def test_a_scenario_is_read_as_it_is_written(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, GOOD))
    assert scenario.tools[0].parameters is None
    assert scenario.conversations[0].model[0].calls[0].tool == "now"
    assert scenario.expect.contains == ("{now.hour}",)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConformanceError, match=r"nowhere\.yaml: No such file"):
        load_scenario(tmp_path / "nowhere.yaml")


def test_a_python_tag_in_a_scenario_executes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("user: Hello", f"user: !!python/object/apply:os.mkdir [{tmp_path}/made]"))
    with pytest.raises(ConformanceError, match="invalid YAML"):
        load_scenario(path)
    assert not (tmp_path / "made").exists()


def test_no_two_conversations_begin_with_the_same_words() -> None:
    users = [each.user for scenario in all_scenarios().values() for each in scenario.conversations]
    assert len(users) == len(set(users))


@pytest.mark.parametrize(
    ("more", "lacking"),
    [
        (
            "options: {tool_choice: required}\n",
            {"llama3-builtin", "llama3-custom", "llama3-json", "prompted", "qwen3", "react", "rewoo"},
        ),
        ("", set()),
    ],
    ids=["a tool choice", "nothing special"],
)
def test_a_scenario_does_not_apply_to_a_dialect_that_lacks_what_it_needs(
    more: str, lacking: set[str], tmp_path: Path
) -> None:
    scenario = load_scenario(written(tmp_path, GOOD + more))
    cells = [Cell(scenario, driver, stream=False) for driver in all_drivers()]
    found = {each.dialect for each in cells if each.not_applicable}
    assert lacking <= found
    assert all(lacking and "tool-choice" in all_dialects()[name].lacks for name in found - lacking)


def test_the_reason_of_a_scenario_goes_before_that_of_the_dialect(tmp_path: Path) -> None:
    text = f"{GOOD}options: {{tool_choice: required}}\nnot_applicable:\n  react: Not here.\n"
    scenario = load_scenario(written(tmp_path, text))
    reasons = {each.dialect: Cell(scenario, each, stream=False).not_applicable for each in all_drivers()}
    assert reasons["react"] == "Not here."
    assert reasons["qwen3"] == "A raw prompt has no tool choice."
