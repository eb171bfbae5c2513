"""What a scenario provokes on purpose, and what is known of a client: findings that are no fault of a cassette."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.cassette.metadata import origin
from conformance.errors import ConformanceError
from conformance.judge.quirks import ClientQuirk, all_client_quirks
from conformance.model.finding import Finding
from conformance.model.source import split_source

if TYPE_CHECKING:
    from conformance.scenario.model import Expect, Scenario


def is_provoked(finding: Finding, expect: Expect) -> bool:
    """Whether the scenario wants or tolerates the finding."""
    return finding.rule in expect.findings or finding.rule in expect.tolerates


def excused(finding: Finding, driver: str) -> Finding:
    """The finding, with the severity that a known quirk of the client gives it."""
    quirk = _quirk_of(finding, driver)
    if quirk is None or quirk.severity >= finding.severity:
        return finding
    return replace(finding, severity=quirk.severity, message=f"{finding.message} (known quirk of {driver})")


def _quirk_of(finding: Finding, driver: str) -> ClientQuirk | None:
    """The quirk of the client that a finding is about, if one is known."""
    about = (finding.rule, driver, finding.dialect)
    known = (each for each in all_client_quirks() if (each.rule, each.driver, each.dialect) == about)
    return next((each for each in known if each.message.search(finding.message)), None)


class ExpectedFindings:
    """The findings that the suite's own cassettes are expected to have, by their metadata and their scenarios.

    `folders` are those of the user's own scenarios.
    """

    def __init__(self, folders: Sequence[str] = ()) -> None:
        self._folders = folders
        self._cells: dict[str, tuple[Scenario, str] | None] = {}

    def has(self, finding: Finding) -> bool:
        """Whether the cassette that the finding is in is expected to have it."""
        file = split_source(finding.source)[0]
        if file not in self._cells:
            self._cells[file] = self._cell(Path(file))
        cell = self._cells[file]
        if cell is None:
            return False
        scenario, driver = cell
        return is_provoked(finding, scenario.expect) or _quirk_of(finding, driver) is not None

    def _cell(self, path: Path) -> tuple[Scenario, str] | None:
        """The scenario and the driver of a cassette of the suite; None for any other file."""
        try:
            metadata = origin(path).metadata if path.suffix in (".yaml", ".yml") and path.is_file() else {}
        except (ConformanceError, OSError):
            return None
        if "conformance_version" not in metadata:
            return None
        from conformance.scenario.load import all_scenarios

        scenario = all_scenarios(self._folders).get(str(metadata.get("scenario")))
        return None if scenario is None else (scenario, str(metadata.get("driver")))
