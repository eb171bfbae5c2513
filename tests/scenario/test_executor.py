"""Scripted tools, and reading their results back out of a transcript."""

from typing import Any

import pytest

from conformance.model.transcript import ToolCall, ToolResult, Turn
from conformance.scenario import tool_values
from conformance.scenario.executor.scripted import ScriptedExecutor
from conformance.scenario.load import all_scenarios
from conformance.scenario.matchers import fits


@pytest.mark.parametrize(
    ("value", "wanted", "fitting"),
    [
        (37.6, {"about": 37.57, "within": 0.5}, True),
        (38.2, {"about": 37.57, "within": 0.5}, False),
        ("37.6", {"about": 37.57, "within": 0.5}, False),
        (True, {"about": 1, "within": 1}, False),
        ("c", {"one_of": ["c", "f"]}, True),
        ("k", {"one_of": ["c", "f"]}, False),
        (1, 1.0, True),
        (1, True, False),
        ({"a": [1]}, {"a": [1]}, True),
    ],
)
def test_a_value_fits_what_is_wanted_of_it(value: Any, wanted: Any, fitting: object) -> None:
    assert fits(value, wanted) is fitting


def test_a_tool_returns_what_the_scenario_says_for_its_arguments() -> None:
    run = ScriptedExecutor(all_scenarios()["weather"])
    assert run("get_weather", {"latitude": 37.5, "longitude": 127}).value["temperature"] == 14.2
    assert run("get_weather", {"latitude": 0, "longitude": 0}).is_error
    assert [call.tool for call in run.log] == ["get_weather", "get_weather"]


@pytest.mark.parametrize(("tool", "arguments"), [("get_wether", {}), ("get_weather", '{"latitude": 37.5}')])
def test_a_call_that_cannot_run_is_an_outcome_and_no_exception(tool: str, arguments: Any) -> None:
    assert ScriptedExecutor(all_scenarios()["weather"])(tool, arguments).is_error


@pytest.mark.parametrize(
    "content",
    ['{"t": 1}', [{"type": "text", "text": '{"t"'}, {"type": "text", "text": ": 1}"}], {"output": {"t": 1}}, {"t": 1}],
    ids=["text", "blocks", "envelope", "object"],
)
def test_a_result_is_read_back_whatever_wraps_it(content: Any) -> None:
    turns = [
        Turn("assistant", (ToolCall("a", "f", {}), ToolCall("b", "g", {}))),
        Turn("tool", (ToolResult("b", None, "no JSON"), ToolResult("a", None, content))),
    ]
    assert tool_values.returned(turns) == {"g": ["no JSON"], "f": [{"t": 1}]}
