"""Placeholders in a scenario's texts."""

from typing import Any

import pytest

from conformance.scenario.templates import fill, placeholders

RESULTS: dict[str, list[Any]] = {
    "weather": [{"temp": 1.5, "sky": "clear"}, {"temp": 9}],
    "songs": [["a", "b"]],
    "now": [7],
}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{weather.temp}", "9"),
        ("{weather[0].temp}", "1.5"),
        ("{weather[0].sky} sky", "clear sky"),
        ("{songs.1}", "b"),
        ("{now}", "7"),
        ("{songs}", '["a", "b"]'),
    ],
)
def test_a_placeholder_takes_what_the_tool_returned(text: str, filled: str) -> None:
    assert fill(text, RESULTS) == filled


@pytest.mark.parametrize("text", ["{weather.snow}", "{weather[2].temp}", "{nobody.temp}", "{ weather.temp }", "{}"])
def test_a_placeholder_without_a_value_stays_and_so_fails_loudly(text: str) -> None:
    assert fill(text, RESULTS) == text


def test_the_tools_of_a_text_are_those_its_placeholders_name() -> None:
    assert [each.tool for each in placeholders("{a.b} and {c[0]} and {d e}")] == ["a", "c"]
