"""Every dimension that an exchange has grows in `make scaling`, in each dialect; and the texts that once hung."""

from __future__ import annotations

import time

import pytest

from conformance.model.registry import all_dialects
from devtools.growth.dimensions import UNITS, Dimension, dimensions
from devtools.growth.measuring import exchanges_of, judge

_EVERY = ("keys", "deep")
_OF = {
    "openai-chat": (
        "/messages same",
        "/tool_calls same",
        "/tools same",
        "events  same",
        "distinct tool",
        "content same part",
    ),
    "openai-responses": (
        "/input same function_call",
        "function_call_output",
        "/tools same",
        "events  same",
        "/content same",
    ),
    "anthropic-messages": ("/messages same", "same tool_use", "same tool_result", "/tools same", "events  same"),
    "gemini": (
        "/contents same",
        "/parts same",
        "functionCall",
        "functionResponse",
        "functionDeclarations same",
        "events  same",
    ),
    "mcp": ("body batch", "/tools same", "/content same"),
    "openai-completions": ("text tool_call", "events  same"),
}
_HOSTED = ("text tool_call", "text ReAct step", "text function_call", "text python_tag")


@pytest.mark.parametrize("dialect", sorted(all_dialects()))
def test_the_dimensions_of_a_dialect_are_complete(dialect: str) -> None:
    names = [each.name for each in dimensions(dialect)]
    wanted = (*_EVERY, *_OF.get(dialect, _HOSTED))
    assert [part for part in wanted if not any(part in name for name in names)] == []
    assert any("duplicate keys" in name for name in names)


def _named(dialect: str, end: str) -> Dimension:
    return next(each for each in dimensions(dialect) if each.name.endswith(end))


@pytest.mark.parametrize(
    ("dialect", "unit", "size"),
    [
        ("qwen3", "tool_call begun", 30_000),
        ("react", "ReAct step", 200_000),
        ("prompted", "function_call open", 1_000_000),
    ],
)
def test_a_text_that_once_hung_is_judged_in_seconds(dialect: str, unit: str, size: int) -> None:
    dimension = _named(dialect, f"text {unit}")
    [*exchanges] = exchanges_of(dimension, size // len(UNITS[unit]))
    judge(exchanges_of(dimension, 2))
    begun = time.process_time()
    judge(exchanges)
    assert time.process_time() - begun < 4
