"""A plugin of pytest that runs chosen items in a chosen order, up to the first that fails or takes far too long.

Beside the file that `--chosen` names it writes `outcome.json`: the item that failed, if any, and how many passed.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chosen", type=Path, metavar="FILE", help="JSON: `limits` by item, in order, and `budget`")


def pytest_configure(config: pytest.Config) -> None:
    if (file := config.getoption("chosen")) is not None:
        given = json.loads(file.read_text(encoding="utf-8"))
        config.pluginmanager.register(_Chosen(file.with_name("outcome.json"), given["limits"], given["budget"]))


class _Chosen:
    def __init__(self, file: Path, limits: dict[str, float], budget: float) -> None:
        self._file = file
        self._limits = limits
        self._end = time.monotonic() + budget
        self._rank = {item: number for number, item in enumerate(limits)}
        self._failed: str | None = None
        self._passed = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = (item for item in items if item.nodeid in self._rank)
        items[:] = sorted(kept, key=lambda item: self._rank[item.nodeid])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)
        self._passed += report.when == "call" and report.passed

    def _note(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        if report.failed and self._failed is None:
            self._failed = report.nodeid

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        def end(*_: object) -> None:
            self._failed = f"{item.nodeid} (takes too long)"
            self._write()
            # An exception could be caught by what is tested, and hypothesis would look for a smaller example.
            os._exit(1)

        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, self._limits[item.nodeid])
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if time.monotonic() > self._end:
                item.session.shouldstop = "the budget is spent"

    def pytest_sessionfinish(self) -> None:
        self._write()

    def _write(self) -> None:
        self._file.write_text(json.dumps({"failed": self._failed, "passed": self._passed}), encoding="utf-8")
