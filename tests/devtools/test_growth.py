"""Reading and judging are linear: a sample of all dimensions (`make scaling`), by counted operations."""

from __future__ import annotations

import subprocess
import sys
import zlib

import pytest

from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects
from devtools.growth.dimensions import Dimension, dimensions
from devtools.growth.measuring import Work, exponent, judge, operations, report
from devtools.growth.problems import problems_of
from devtools.places import ROOT
from tests.sampling import every

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
    known = [each for dialect in all_dialects() for each in dimensions(dialect)]
    drawn = [each for each in known if zlib.crc32(each.name.encode()) % _SHARE == 0 and each.name not in _ALWAYS]
    some = every(drawn, 3, risk="a dimension in which judging grows faster, and like which no other one does")
    return [*(each for each in known if each.name in _ALWAYS), *some]


def _grows_less(dimension: Dimension, work: Work, limit: float) -> None:
    """What is loaded only once, at the first size that needs it, counts in one try; what grows counts in each.

    Each try has its own sizes: no cache knows their contents.
    """
    tries = []
    for more in range(4):
        sizes = [size + more for size in _SIZES]
        tries.append([operations(dimension, size, work) for size in sizes])
        if exponent(tries[-1], sizes) < limit:
            return
    pytest.fail(f"{dimension.name}: operations at {_SIZES}: {tries}")


@pytest.mark.parametrize("dimension", _sample(), ids=lambda each: each.name)
def test_the_operations_of_judging_grow_linearly(dimension: Dimension) -> None:
    _grows_less(dimension, judge, _LIMIT)


@pytest.mark.parametrize("name", _ALWAYS[:1])
def test_the_operations_of_reports_grow_linearly(name: str) -> None:
    """Each cause shows its exchange, which must not be redacted again for each."""
    [dimension] = [each for each in dimensions(name.partition("/")[0]) if each.name == name]
    _grows_less(dimension, report, 1.3)


def test_growth_that_stays_is_no_matter_of_loading() -> None:
    def quadratic(exchanges: list[Exchange]) -> None:
        for _ in range(len(str(exchanges[-1].request.body.json)) ** 2 // 100_000):
            len(())

    [dimension] = [each for each in dimensions("openai-chat") if each.name == _ALWAYS[1]]
    with pytest.raises(pytest.fail.Exception, match="operations at"):
        _grows_less(dimension, quadratic, _LIMIT)


def test_the_measure_finds_what_is_quadratic() -> None:
    assert exponent([10 + size**2 for size in _SIZES], _SIZES) == pytest.approx(2)
    assert exponent([10_000 + 3 * size for size in _SIZES], _SIZES) == pytest.approx(1)
    dimension = Dimension("", "openai-chat", lambda _: [])
    assert problems_of(dimension, lambda _, size: {"judge": size / 8000, "report": 0.01}) == {}
    assert problems_of(dimension, lambda _, size: {"judge": (size / 8000) ** 2, "report": 0.01}) == {
        "judge": "exponent 2.00 (0.016 s, 1.000 s)"
    }


def test_one_slow_measurement_is_not_held_against_a_dimension() -> None:
    slow = {8000: iter([3.0, 1.0]), 4000: iter([1.5]), 1000: iter([0.125, 0.125])}
    assert problems_of(Dimension("", "", lambda _: []), lambda _, size: {"judge": next(slow[size])}) == {}
    assert not [left for times in slow.values() for left in times]


def test_what_is_quadratic_in_part_is_found_although_most_is_measured_at_small_sizes_only() -> None:
    asked, bent = set[int](), 0.65

    def timing(_: Dimension, size: int) -> dict[str, float]:
        asked.add(size)
        return {"judge": size / 8000 + bent * (size / 8000) ** 2}

    assert list(problems_of(Dimension("", "", lambda _: []), timing)) == ["judge"]
    asked.clear()
    bent = 0.1
    assert problems_of(Dimension("", "", lambda _: []), timing) == {}
    assert asked == {1000, 4000}


def test_what_is_reported_past_a_limit_is_a_step_and_no_growth() -> None:
    dimension = Dimension("", "", lambda _: [])
    assert problems_of(dimension, lambda _, size: {"report": 0.001 if size < 2500 else size / 40_000}) == {}


@pytest.mark.process
def test_dimensions_are_measured_in_several_processes() -> None:
    program = [sys.executable, "-m", "devtools.growth", "--dialect", "rewoo", "--jobs", "2", "--only"]
    done = subprocess.run([*program, "/messages same user"], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "scaling: 3 tried (1 dimensions, judge, report, redact), 0 failed\n"
    done = subprocess.run([*program, "no such"], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    assert "no dimension has 'no such' in its name" in done.stderr
