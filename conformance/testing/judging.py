"""The part of the pytest plugin that judges tests; imported and registered only where it is switched on."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from conformance.cassette.saving import redacted, save
from conformance.cassette.traffic import Log
from conformance.errors import ConformanceError
from conformance.judge.selection import Selection
from conformance.model.finding import Finding
from conformance.model.printable import count
from conformance.testing import choice as choices
from conformance.testing import session_counts
from conformance.testing.choice import Choice, choice
from conformance.testing.failure import check_command, failure_text
from conformance.testing.outcome import Outcome, is_recorded, judge_log, shown_path
from conformance.testing.vcr_tap import start, stop

_LOG = pytest.StashKey[Log]()
_COUNTS = pytest.StashKey[dict[str, Any]]()
_CHOICE = pytest.StashKey[Choice]()
_ARGUMENTS = ("ignore", "dialect", "strict", "profile")


class Judge:
    """Judges each test at its teardown: all tests, or only those with the marker."""

    def __init__(self, config: pytest.Config, *, every_test: bool) -> None:
        self.every_test = every_test
        self._config = config
        self._total: dict[str, Any] = {}
        self._project, self._outer = Selection(), Choice()
        self._wrong = ""
        with self._usage_errors():
            self._project, self._outer = choices.of_project()

    def prepare(self, items: list[pytest.Item]) -> None:
        """Reads the markers of the tests before any of them runs.

        Raises:
            pytest.UsageError: a marker is not valid.
        """
        for item in items:
            found = None
            with self._usage_errors():
                found = marked(item)
            if found is not None or (self.every_test and not hasattr(item, "is_conformance_cell")):
                item.stash[_CHOICE] = (found or Choice()).within(self._outer)

    @contextmanager
    def _usage_errors(self) -> Iterator[None]:
        """Invalid settings end the run. In a worker of pytest-xdist, which must not crash, the tests fail instead."""
        try:
            yield
        except ConformanceError as error:
            if not hasattr(self._config, "workerinput"):
                raise pytest.UsageError(str(error)) from None
            self._wrong = self._wrong or str(error)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        """Starts to observe the traffic before the first fixture is set up."""
        if _CHOICE in item.stash:
            choices.push(self._project, item.stash[_CHOICE])
            item.stash[_LOG] = Log()
            item.stash[_COUNTS] = session_counts.begin()
            start(item.stash[_LOG])
        result = yield
        if self._wrong:
            pytest.fail(self._wrong, pytrace=False)
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, object, object]:
        """Judges after the last fixture is torn down: by then its requests are sent and its cassette is written."""
        try:
            result = yield
        finally:
            outcome = self._finish(item) if _LOG in item.stash else None
        if outcome is not None and outcome.failing:
            pytest.fail(self._text(item, outcome), pytrace=False)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        """Puts the counts into the report of the teardown: pytest-xdist passes reports on to the main process."""
        report = yield
        if call.when == "teardown" and _COUNTS in item.stash:
            report.conformance = item.stash[_COUNTS]
        return report

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Adds the counts of a test to those of the session."""
        session_counts.merge(self._total, getattr(report, "conformance", None) or {})

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fails the session if the checker had an internal error, or saw less than it was asked to.

        Asked to is who passes the option: the setting also holds for a run of tests that send nothing.
        """
        if exitstatus != 0 or hasattr(self._config, "workerinput"):
            return
        required = self._config.getoption("conformance_check_require")
        if self._total.get("internal_errors"):
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        elif required and self._total.get("unseen"):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        elif (required or self._config.getoption("conformance_check")) and not self._total.get("judged"):
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """One line with what was judged, the warnings by rule, and internal errors."""
        for line in summary_lines(self._total):
            terminalreporter.write_line(line)

    def _finish(self, item: pytest.Item) -> Outcome:
        log = item.stash[_LOG]
        del item.stash[_LOG]
        stop(log)
        choices.pop()
        asked = item.stash[_CHOICE]
        try:
            outcome = judge_log(log, asked.selection(self._project), asked, item.nodeid)
            session_counts.count_outcome(outcome)
        except ConformanceError as error:
            raise pytest.fail.Exception(str(error), pytrace=False) from None
        finally:
            session_counts.end()
        return outcome

    def _text(self, item: pytest.Item, outcome: Outcome) -> str:
        kept: list[str] = []

        def again(finding: Finding) -> str:
            if is_recorded(finding, outcome):
                return check_command(finding, finding.source, outcome.dialect)
            if not kept:
                kept.append(self._keep(item, outcome))
            if not kept[0]:
                return shlex.join(["pytest", item.nodeid, "--conformance-check"])
            return check_command(finding, kept[0], outcome.dialect)

        return failure_text(outcome, item.nodeid, again)

    def _keep(self, item: pytest.Item, outcome: Outcome) -> str:
        """Saves the requests of the test, redacted, in pytest's cache: no cassette has them. Empty if it cannot."""
        cache = getattr(self._config, "cache", None)
        answered = [each for each in outcome.sent if each.response is not None]
        if cache is None or not answered:
            return ""
        path = Path(cache.mkdir("conformance")) / f"{file_name(item.nodeid)}.yaml"
        try:
            save(*redacted(answered, path))
        except ConformanceError:
            return ""
        return shown_path(str(path))


def marked(item: pytest.Item) -> Choice | None:
    """The options of a test's `conformance` markers: those of its function, its class and its module together.

    Raises:
        ConformanceError: an argument is not valid.
    """
    found: Choice | None = None
    for marker in item.iter_markers("conformance"):
        where = f"{item.nodeid}: marker conformance"
        unknown = [name for name in marker.kwargs if name not in _ARGUMENTS]
        if marker.args or unknown:
            what = f"unknown argument `{unknown[0]}`" if unknown else "takes no positional arguments"
            raise ConformanceError(f"{where}: {what}", f"its arguments are {', '.join(_ARGUMENTS)}")
        outer = choice(where, **marker.kwargs)
        found = outer if found is None else found.within(outer)
    return found


def file_name(nodeid: str) -> str:
    """A test's id as a file name."""
    return re.sub(r"[^\w.-]+", "-", nodeid).strip("-")[-150:]


def summary_lines(total: dict[str, Any]) -> list[str]:
    """The lines after the tests."""
    exchanges, unclaimed = total.get("exchanges", 0), total.get("unclaimed", 0)
    rest = _rest(total)
    if not exchanges:
        return ["conformance: no exchange was checked: no test sent a request that could be seen", *rest]
    if not total["judged"]:
        reasons = dict.fromkeys(each["reason"] for each in total.get("not_judged", ()))
        return [
            f"conformance: nothing was judged of {count(exchanges, 'exchange')}: {', '.join(list(reasons)[:3])}",
            *rest,
        ]
    counts = ", ".join(count(total[f"{each}s"], each) for each in ("error", "warning", "info"))
    passed = f" ({unclaimed} of an unknown API)" if unclaimed else ""
    lines = [f"conformance: {count(exchanges, 'exchange')} checked{passed}: {counts}"]
    lines += [f"  warning  {rule}  {number}" for rule, number in sorted(total.get("rules", {}).items())]
    return [*lines, *rest]


def _rest(total: dict[str, Any]) -> list[str]:
    """What was not seen, and internal errors."""
    unseen = Counter(total.get("unseen", ()))
    lines = [f"  not seen  {place}{f'  {number} times' if number > 1 else ''}" for place, number in unseen.items()]
    if unseen:
        lines.insert(0, f"conformance: {count(unseen.total(), 'request')} could not be checked in full")
    return [*lines, *(f"  internal error  {each}" for each in total.get("internal_errors", []))]
