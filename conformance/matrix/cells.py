"""The matrix: scenario x dialect x driver x mode. Each cell has one cassette, and its path is its axes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from conformance.drivers import Driver, all_drivers, why_unavailable
from conformance.drivers.installed import why_no_tool_server
from conformance.errors import ConformanceError, did_you_mean
from conformance.model.data_files import data_dir
from conformance.model.registry import all_dialects
from conformance.reference.plans import why_not_sequential
from conformance.scenario.load import all_scenarios, place_in
from conformance.scenario.model import Scenario


@dataclass(frozen=True, slots=True)
class Cell:
    scenario: Scenario
    driver: Driver
    stream: bool
    target: str = "reference"

    @property
    def dialect(self) -> str:
        return self.driver.dialect

    @property
    def not_applicable(self) -> str | None:
        """Why the scenario does not apply here, from the scenario or the dialect; None if it applies."""
        reasons = self.scenario.not_applicable
        for key in (f"{self.dialect}/{self.driver.name}", self.dialect, self.driver.name):
            if key in reasons:
                return reasons[key]
        native = self.scenario.native
        if native is not None and native.dialect != self.dialect:
            return f"it needs what only {native.dialect} has"
        if native is not None and not getattr(self.driver, "native", False):
            return f"{self.driver.name} has no form for what only {native.dialect} has"
        dialect = all_dialects()[self.dialect]
        lacking = next((dialect.lacks[need] for need in self.scenario.needs if need in dialect.lacks), None)
        return lacking or (why_not_sequential(self.scenario) if dialect.plans_ahead else None)

    @property
    def mode(self) -> str:
        return "stream" if self.stream else "sync"

    @property
    def id(self) -> str:
        """A readable name, which pytest's `-k` can select by: `weather-gemini-google-genai-stream`."""
        return f"{self.scenario.id}-{self.dialect}-{self.driver.name}-{self.mode}"

    @property
    def relative_path(self) -> Path:
        """The path of the cassette below the folder of cassettes."""
        suffix = "--stream" if self.stream else ""
        return Path(self.dialect, self.scenario.id, f"{self.target}--{self.driver.name}{suffix}.yaml")


LIVE = ("live", "server")
"""The folders of `specs` whose scenarios have no cassettes: `run` plays both, `gateway` the first."""


@dataclass(frozen=True, slots=True)
class Filter:
    """The selection of cells; an empty axis selects all of it, `stream` None both modes.

    `folders` have scenarios beside those that ship.
    """

    scenarios: Sequence[str] = ()
    dialects: Sequence[str] = ()
    drivers: Sequence[str] = ()
    stream: bool | None = None
    folders: Sequence[str] = ()

    @property
    def everything(self) -> bool:
        """Whether no axis is restricted."""
        return not (self.scenarios or self.dialects or self.drivers) and self.stream is None

    def with_live(self, *folders: str) -> Filter:
        """The same with scenarios of folders of `specs` beside the usual one, which have no cassettes."""
        return replace(self, folders=(*(str(data_dir("specs") / each) for each in folders), *self.folders))

    def admits(self, cell: Cell) -> bool:
        """Whether the cell is selected."""
        return (
            (not self.scenarios or cell.scenario.id in self.scenarios)
            and (not self.dialects or cell.dialect in self.dialects)
            and (not self.drivers or cell.driver.name in self.drivers)
            and self.stream in (None, cell.stream)
        )


def all_cells(wanted: Filter | None = None, target: str = "reference") -> list[Cell]:
    """The cells that match the filter, scenario by scenario.

    Raises:
        ConformanceError: the filter names something that does not exist, or nothing is left; a scenario is not valid.
    """
    wanted = wanted or Filter()
    scenarios = all_scenarios(wanted.folders)
    _refuse_unknown_axes(scenarios)
    cells = [
        Cell(scenario, driver, stream, target)
        for scenario in scenarios.values()
        for driver in all_drivers()
        for stream in getattr(driver, "modes", (False, True))
    ]
    must_exist("scenario", wanted.scenarios, {cell.scenario.id for cell in cells})
    must_exist("dialect", wanted.dialects, all_dialects())
    must_exist("driver", wanted.drivers, {cell.driver.name for cell in cells})
    for dialect in wanted.dialects:
        if not any(cell.dialect == dialect for cell in cells):
            raise ConformanceError(
                f"no driver for dialect {dialect}", "check recordings of it with `conformance check`"
            )
    chosen = [cell for cell in cells if wanted.admits(cell)]
    if not chosen:
        raise ConformanceError("no cell matches all filters", "`conformance list` shows the matrix")
    return chosen


def is_own(scenario: Scenario) -> bool:
    """Whether the scenario is not one of those that ship."""
    return scenario.id not in all_scenarios()


def _refuse_unknown_axes(scenarios: Mapping[str, Scenario]) -> None:
    """Checks the names in `native` and `not_applicable`, which are known only once the drivers are."""
    drivers = all_drivers()
    known = {*all_dialects(), *(each.name for each in drivers), *(f"{each.dialect}/{each.name}" for each in drivers)}
    for scenario in scenarios.values():
        if scenario.native is not None and scenario.native.dialect not in all_dialects():
            place = place_in(scenario.path, ("native", "dialect"), key=False)
            hint = did_you_mean(scenario.native.dialect, all_dialects(), "name a dialect", form="`{}`")
            raise ConformanceError(f"{place}: native: there is no dialect `{scenario.native.dialect}`", hint)
        for name in scenario.not_applicable:
            if name not in known:
                hint = did_you_mean(name, known, "name a dialect, a driver or DIALECT/DRIVER", form="`{}`")
                place = place_in(scenario.path, ("not_applicable", name))
                raise ConformanceError(f"{place}: not_applicable: there is no dialect or driver `{name}`", hint)


def why_skipped(cell: Cell) -> str | None:
    """Why a cell is skipped: the scenario does not apply, or a client that it needs is not installed."""
    return cell.not_applicable or why_not_installed(cell)


def why_foreign(cell: Cell, provider: str | None, wanted: Filter) -> str | None:
    """Why a client is not for an endpoint: it is made for another provider, and was not named. None if it is."""
    own = getattr(cell.driver, "provider", None)
    if own in (None, provider) or cell.driver.name in wanted.drivers:
        return None
    return f"{cell.driver.name} is for {own} only. Select it with --driver to try it."


def why_not_installed(cell: Cell) -> str | None:
    """Why this environment cannot play a cell: what it needs is not installed, or too old."""
    of_tools = why_no_tool_server() if cell.scenario.executor != "scripted" else None
    return why_unavailable(cell.driver) or of_tools


def playable_cells(wanted: Filter) -> list[Cell]:
    """The cells that match the filter, including skipped ones; at least one of them can run.

    Raises:
        ConformanceError: as `all_cells`, or nothing would be played, which must not count as success.
    """
    cells = all_cells(wanted)
    reasons = [why_skipped(cell) for cell in cells]
    if all(reasons):
        # What is installed and cannot be driven is a better reason than what is not there at all.
        first = next((each for each in reasons if each and ": install " in each), reasons[0])
        raise ConformanceError(f"no cell can run: {first}", "`conformance list` shows the matrix")
    return cells


def must_exist(kind: str, names: Iterable[str], known: Collection[str]) -> None:
    """Checks names from the command line.

    Raises:
        ConformanceError: one is not known.
    """
    for name in names:
        if name not in known:
            raise ConformanceError(f"unknown {kind} {name!r}", did_you_mean(name, sorted(known)))
