"""A budget for each test function: `make test` and `make check` run as many of its items as it has seconds of CPU for.

`costs.json` has the seconds that all items of a function take, where that is a second or more; `pytest --measure`
measures those of the functions that run, and those of a sample (`--budget`) by the items that run. What a function has
no time for is left out evenly, the same items in each run; one whose single item takes more than twice the budget does
not run. The risk: a fault that only an item which was left out would find, until `make full` runs it. `python -m
devtools.planted` measures how many faults that is.
"""

from __future__ import annotations

import json
import resource
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

COSTS = Path(__file__).with_name("costs.json")
_LEAST = 1.0
_STARTED = pytest.StashKey[float]()
_SHARE = pytest.StashKey[float]()
"""Which share of a function's items runs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The budget, and the measurement that it rests on."""
    parser.addoption("--budget", type=float, metavar="SECONDS", help="the CPU time of each test function; of all: none")
    parser.addoption("--measure", action="store_true", help="write tests/costs.json again for the functions that run")


def function_of(item: str) -> str:
    """The function of an item, by the id of the item."""
    return item.partition("[")[0]


def chosen(ids: list[str], seconds: float, budget: float) -> set[str]:
    """As many of the items of a function as its budget allows, spread evenly over their ids."""
    count = min(len(ids), round(len(ids) * budget / seconds))
    return {sorted(ids)[(2 * each + 1) * len(ids) // (2 * count)] for each in range(count)}


def known_costs() -> Mapping[str, float]:
    """The seconds of CPU of each function that takes long."""
    costs: dict[str, float] = json.loads(COSTS.read_text(encoding="utf-8"))
    return costs


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what no function has time for; who chooses with `-k` gets all that was chosen."""
    budget = config.getoption("budget")
    if budget is None or config.getoption("keyword"):
        return
    costs = known_costs()
    functions: defaultdict[str, list[str]] = defaultdict(list)
    for item in items:
        functions[function_of(item.nodeid)].append(item.nodeid)
    shares: dict[str, float] = {}
    for function, ids in functions.items():
        kept = chosen(ids, costs[function], budget) if costs.get(function, 0) > budget else set(ids)
        shares |= dict.fromkeys(kept, len(kept) / len(ids))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in shares])
    items[:] = [item for item in items if item.nodeid in shares]
    for item in items:
        item.stash[_SHARE] = shares[item.nodeid]


def _cpu() -> float:
    """The seconds of CPU of this process and of those that it started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Notes when an item begins."""
    item.stash[_STARTED] = _cpu()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Notes in the last report of an item what it took, with its share of what a sample left out; a worker sends it."""
    if call.when == "teardown" and item.config.getoption("measure"):
        item.user_properties.append(("cpu", (_cpu() - item.stash[_STARTED]) / item.stash.get(_SHARE, 1.0)))
    return (yield)


class Measurement:
    """Adds up what the items of each function took, and writes it at the end."""

    def __init__(self) -> None:
        self._costs: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds what an item took."""
        if report.when == "teardown":
            self._costs[function_of(report.nodeid)] += sum(
                value for name, value in report.user_properties if name == "cpu" and isinstance(value, float)
            )

    def pytest_sessionfinish(self) -> None:
        """Keeps the costs of functions that did not run."""
        costs = {name: cost for name, cost in known_costs().items() if name not in self._costs}
        costs |= {name: round(cost, 1) for name, cost in self._costs.items() if cost >= _LEAST}
        COSTS.write_text(json.dumps(dict(sorted(costs.items())), indent=0) + "\n", encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Adds the measurement where it is asked for: not in a worker, which only runs items."""
    if config.getoption("measure") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Measurement())
