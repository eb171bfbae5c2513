"""The pytest plugin: `pytest --conformance` collects every cell of the matrix as a test item.

    pytest --conformance -k "weather and gemini"

An item's id is its axes (`weather-gemini-google-genai-stream`), so `-k`, JUnit output and xdist work as they do
for any test. Without `--conformance` the plugin does nothing and imports nothing.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conformance.matrix.cells import Cell
    from conformance.matrix.verdict import Verdict


def pytest_addoption(parser: pytest.Parser) -> None:
    """The plugin's options."""
    group = parser.getgroup("conformance", "tool-use conformance")
    group.addoption("--conformance", action="store_true", help="replay every cell of the conformance matrix")
    group.addoption(
        "--conformance-cassettes",
        metavar="DIR",
        help="folder of cassettes to replay; default: those shipped with conformance",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Fails before collection if the folder of cassettes does not exist."""
    folder = config.getoption("--conformance-cassettes")
    if folder and not Path(folder).is_dir():
        raise pytest.UsageError(f"--conformance-cassettes: {folder}: folder does not exist")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds the cells to the collected items, before `-k` and `-m` select from them."""
    if config.getoption("--conformance"):
        items.extend(_Matrix.from_parent(session, name="conformance").collect())


class _Matrix(pytest.Collector):
    """All cells of the matrix."""

    def collect(self) -> Iterator[CellItem]:
        """One item for each cell."""
        from conformance.matrix.cells import all_cells
        from conformance.model.data_files import data_dir

        folder = self.config.getoption("--conformance-cassettes")
        cassettes = Path(folder) if folder else data_dir("cassettes")
        for cell in all_cells():
            yield CellItem.from_parent(self, name=cell.id, cell=cell, cassettes=cassettes)


class CellItem(pytest.Item):
    """One cell: passes when its replay has no finding of severity error."""

    def __init__(self, *, cell: Cell, cassettes: Path, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._cell = cell
        self._cassettes = cassettes

    def runtest(self) -> None:
        """Replays the cell; skips it with a reason if the scenario does not apply or the SDK is not installed."""
        if self._cell.not_applicable:
            pytest.skip(f"not applicable: {self._cell.not_applicable}")
        from conformance.commands.replay import replay_all

        for verdict in replay_all([self._cell], self._cassettes, whole=False):
            if verdict.skipped is not None:
                pytest.skip(verdict.skipped)
            if not verdict.passed:
                raise _FailedCellError(verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The findings as `conformance replay` prints them; an unusable cassette as one line."""
        from conformance.errors import ConformanceError

        if isinstance(excinfo.value, _FailedCellError):
            return _text(excinfo.value.verdict)
        if isinstance(excinfo.value, ConformanceError):
            from conformance.cassette.redact import shown

            return shown(str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The path of the cell's cassette."""
        return self._cassettes / self._cell.relative_path, None, f"conformance: {self.name}"


class _FailedCellError(Exception):
    def __init__(self, verdict: Verdict) -> None:
        super().__init__(f"{len(verdict.findings)} findings")
        self.verdict = verdict


def _text(verdict: Verdict) -> str:
    from conformance.commands.output import report_verdicts

    out = io.StringIO()
    report_verdicts([verdict], "text", out)
    return out.getvalue()
