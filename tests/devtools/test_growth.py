"""Reading and judging are linear: a sample of all dimensions (`make scaling`), by counted operations."""

from __future__ import annotations

import zlib

import pytest

from conformance.model.registry import all_dialects
from devtools.growth.__main__ import problems_of
from devtools.growth.dimensions import Dimension, dimensions
from devtools.growth.measuring import exponent, operations, report

_SIZES = (60, 120, 240)
_LIMIT = 1.2
_SHARE = 37
"""One dimension of so many is measured, always the same ones."""
_ALWAYS = (
    "openai-chat/allowed-tools: request/body  keys",
    "openai-chat/custom-tool: request/body /messages/*/tool_calls same custom",
    "anthropic-messages/pause-run: request/body /messages/*/content pairs server_tool_use, web_search_tool_result",
)


def _sample() -> list[Dimension]:
    return [
        each
        for dialect in all_dialects()
        for each in dimensions(dialect)
        if each.name in _ALWAYS or zlib.crc32(each.name.encode()) % _SHARE == 0
    ]


@pytest.mark.parametrize("dimension", _sample(), ids=lambda each: each.name)
def test_the_operations_of_judging_grow_linearly(dimension: Dimension) -> None:
    operations(dimension, 2)  # what is read only once
    costs = [operations(dimension, size) for size in _SIZES]
    assert exponent(costs, _SIZES) < _LIMIT, costs


@pytest.mark.parametrize("name", _ALWAYS[:1])
def test_the_operations_of_reports_grow_linearly(name: str) -> None:
    """Each cause shows its exchange, which must not be redacted again for each."""
    [dimension] = [each for each in dimensions(name.partition("/")[0]) if each.name == name]
    operations(dimension, 2, report)
    costs = [operations(dimension, size, report) for size in _SIZES]
    assert exponent(costs, _SIZES) < 1.3, costs


def test_the_measure_finds_what_is_quadratic() -> None:
    assert exponent([10 + size**2 for size in _SIZES], _SIZES) == pytest.approx(2)
    assert exponent([10_000 + 3 * size for size in _SIZES], _SIZES) == pytest.approx(1)
    dimension = Dimension("", "openai-chat", lambda _: [])
    assert problems_of(dimension, lambda _, size: {"judge": size / 8000, "report": 0.01}) == {}
    assert problems_of(dimension, lambda _, size: {"judge": (size / 8000) ** 2, "report": 0.01}) == {
        "judge": "exponent 2.00 (0.016 s, 1.000 s)"
    }


def test_one_slow_measurement_is_not_held_against_a_dimension() -> None:
    slow = iter([3.0, 0.125, 1.0, 0.125])
    assert problems_of(Dimension("", "", lambda _: []), lambda *_: {"judge": next(slow)}) == {}
