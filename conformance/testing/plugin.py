"""The pytest plugin.

    pytest --conformance-check                          checks the traffic of your own tests
    pytest --conformance-matrix -k "weather and gemini" replays every cell of the matrix as a test item

An item of the matrix has its axes as its id (`weather-gemini-google-genai-stream`), so `-k`, JUnit output and xdist
work as they do for any test. Where nothing is switched on, the plugin imports nothing: docs/pytest.md.
"""

from __future__ import annotations

import io
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from conformance.matrix.cells import Cell
    from conformance.matrix.verdict import Verdict
    from conformance.testing.fixture import Conformance
    from conformance.testing.judging import Judge
    from conformance.testing.recording import Recording
    from conformance.testing.tool_check import CheckTools

_MATRIX = "replay every cell of the conformance matrix"
_JUDGE = "conformance-judge"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The plugin's options."""
    group = parser.getgroup("conformance", "tool-use conformance")
    group.addoption(
        "--conformance-check",
        action="store_true",
        dest="conformance_check",
        help="check the traffic of every test: over httpx, httpx2, requests and aiohttp, mocked or live, and cassettes",
    )
    group.addoption(
        "--conformance-check-require",
        action="store_true",
        dest="conformance_check_require",
        help="as --conformance-check, and fail if a test sent a request to a model's API that could not be checked",
    )
    group.addoption(
        "--conformance-record",
        choices=("none", "once", "rewrite"),
        dest="conformance_record",
        help="record mode of conformance.recording(); default: that of pytest-recording "
        "if it is installed, else none if CI is set, else once",
    )
    group.addoption("--conformance-matrix", action="store_true", dest="conformance_matrix", help=_MATRIX)
    group.addoption(
        "--conformance-cassettes",
        metavar="DIR",
        dest="conformance_cassettes",
        help="folder of cassettes to replay; default: those shipped with conformance",
    )
    group.addoption(
        "--conformance-scenarios",
        action="append",
        metavar="DIR",
        dest="conformance_scenarios",
        help="folder of your own scenarios, in addition to the shipped ones; repeatable",
    )
    parser.addini("conformance_check", "as --conformance-check", type="bool", default=False)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(parser: pytest.Parser, args: list[str]) -> Generator[None, object, object]:
    """Reads `--conformance`, the former name of `--conformance-matrix`, unless the project has an option of this name.

    It is no option of ours: a project could not have its own then. Which it has is known once its files are loaded.
    """
    result = yield
    groups = [*getattr(parser, "_groups", []), getattr(parser, "_anonymous", None)]
    taken = {name for each in groups if each is not None for option in each.options for name in option.names()}
    if "--conformance" not in taken:
        args[:] = ["--conformance-matrix" if each == "--conformance" else each for each in args]
    return result


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker, and what is switched on; fails before collection if an option is not valid."""
    config.addinivalue_line(
        "markers",
        "conformance(ignore=[...], dialect=..., strict=..., profile=...): check the traffic of this test with these "
        "settings",
    )
    folder = config.getoption("conformance_cassettes")
    if folder and not Path(folder).is_dir():
        raise pytest.UsageError(f"--conformance-cassettes: {folder}: folder does not exist")
    if _has_matrix(config) and not hasattr(config, "workerinput"):
        _cells(config)  # a scenario that is not valid ends the run here, not in each worker of pytest-xdist
    _follow_record_mode(config)
    if _checks(config):
        _judge(config, every_test=True)


def _checks(config: pytest.Config) -> bool:
    try:
        asked = config.getoption("conformance_check") or config.getoption("conformance_check_require")
        return bool(asked or config.getini("conformance_check"))
    except (ValueError, TypeError, pytest.UsageError) as error:
        raise pytest.UsageError(f"conformance_check: {error}; write true or false") from None


def _judge(config: pytest.Config, *, every_test: bool) -> Judge:
    from conformance.testing.judging import Judge

    judge: Judge | None = config.pluginmanager.get_plugin(_JUDGE)
    if judge is None:
        judge = Judge(config, every_test=every_test)
        config.pluginmanager.register(judge, _JUDGE)
    return judge


def _follow_record_mode(config: pytest.Config) -> None:
    """Our own option decides the record mode, then that of pytest-recording, whose default is none."""
    mode = config.getoption("conformance_record")
    if mode is None and config.pluginmanager.has_plugin("recording"):
        mode = config.getoption("record_mode", "none") or "none"
    if mode is not None:
        from conformance.testing.mode import FOLLOWED, session_mode

        using = ExitStack()
        using.enter_context(session_mode(FOLLOWED.get(mode, "once")))
        config.add_cleanup(using.close)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds the cells to the collected items, before `-k` and `-m` select from them; reads the markers."""
    if _has_matrix(config):
        items.extend(_Matrix.from_parent(session, name="conformance").collect())
    judge = config.pluginmanager.get_plugin(_JUDGE)
    if judge is None and any(item.get_closest_marker("conformance") for item in items):
        judge = _judge(config, every_test=False)
    if judge is not None:
        judge.prepare(items)


@pytest.fixture
def conformance(request: pytest.FixtureRequest) -> Iterator[Conformance]:
    """Checks recordings, exchanges and transports inside a test: `check`, `findings`, `transport`, `recording`."""
    from conformance.testing.fixture import Conformance

    folder, name = _cassette_of(request)
    made = Conformance(folder, name, f"pytest {request.node.nodeid}")
    yield made
    with _as_failure():
        made.finish()


@pytest.fixture
def conformance_recording(request: pytest.FixtureRequest) -> Iterator[Recording]:
    """Records, plays and checks the whole test, in `cassettes/<module>/<test>.yaml` beside its file."""
    from conformance.testing.recording import recording

    folder, name = _cassette_of(request)
    with _as_failure(), recording(folder / f"{name}.yaml") as made:
        yield made


@pytest.fixture
def conformance_tools() -> CheckTools:
    """Checks which providers accept tools: `conformance_tools(tools, profiles=["openai", "google"])`."""
    from conformance.testing.tool_check import check_tools

    return check_tools


@contextmanager
def _as_failure() -> Iterator[None]:
    """What breaks a rule or cannot be recorded, as a failure without a traceback: the message is enough."""
    from conformance.errors import ConformanceError
    from conformance.testing.failure import NonConformingError

    text = None
    try:
        yield
    except (ConformanceError, NonConformingError) as error:
        text = str(error)
    if text is not None:
        pytest.fail(text, pytrace=False)


def _cassette_of(request: pytest.FixtureRequest) -> tuple[Path, str]:
    """The folder and the name of a test's cassette, as pytest-recording chooses them."""
    node = request.node
    name = f"{node.cls.__name__}.{node.name}" if getattr(node, "cls", None) else node.name
    for character in "<>?%*:|\"'/\\":
        name = name.replace(character, "-")
    return node.path.parent / "cassettes" / node.path.stem, name


def _has_matrix(config: pytest.Config) -> bool:
    return bool(config.getoption("conformance_matrix"))


def _cells(config: pytest.Config) -> tuple[Path, list[Cell], list[Cell]]:
    """The folder of cassettes, the cells to replay, and those beside them that have no cassette.

    The folder is that of the options, else of the project's settings.

    Raises:
        pytest.UsageError: a folder or a scenario is not valid.
    """
    from conformance.errors import ConformanceError
    from conformance.matrix.cells import Filter
    from conformance.matrix.replaying import cells_beside, cells_of
    from conformance.model.data_files import data_dir
    from conformance.model.settings import settings_of

    try:
        configured = settings_of().values
        folder = config.getoption("conformance_cassettes") or configured.get("cassettes")
        scenarios = config.getoption("conformance_scenarios") or configured.get("scenarios", ())
        cassettes = Path(folder) if folder else data_dir("cassettes")
        wanted = Filter(folders=tuple(scenarios))
        cells = cells_of(wanted, "reference", cassettes, own=bool(folder))
        return cassettes, cells, cells_beside(wanted, cells, cassettes) if folder else []
    except ConformanceError as error:
        raise pytest.UsageError(str(error)) from None


class _Matrix(pytest.Collector):
    """All cells of the matrix."""

    def collect(self) -> Iterator[CellItem]:
        """One item for each cell."""
        cassettes, cells, missing = _cells(self.config)
        for cell in (*cells, *missing):
            yield CellItem.from_parent(self, name=cell.id, cell=cell, cassettes=cassettes, missing=cell in missing)


class CellItem(pytest.Item):
    """One cell: passes when its replay has no finding of severity error."""

    is_conformance_cell = True
    """The cell is judged by its own run, not as a test of the user."""

    def __init__(self, *, cell: Cell, cassettes: Path, missing: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._missing = missing
        self.cell = cell
        self._cassettes = cassettes

    def runtest(self) -> None:
        """Replays the cell; skips it with a reason if the scenario does not apply or the SDK is not installed."""
        if self.cell.not_applicable:
            pytest.skip(f"not applicable: {self.cell.not_applicable}")
        if self._missing:
            pytest.skip("no cassette, though others of its scenario have one; record it with `conformance record`")
        from conformance.matrix.replaying import replay_all

        for verdict in replay_all([self.cell], self._cassettes):
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
        return self._cassettes / self.cell.relative_path, None, f"conformance: {self.name}"


class _FailedCellError(Exception):
    def __init__(self, verdict: Verdict) -> None:
        super().__init__(f"{len(verdict.findings)} findings")
        self.verdict = verdict


def _text(verdict: Verdict) -> str:
    from conformance.report.verdicts import Display, report_verdicts

    out = io.StringIO()
    report_verdicts([verdict], Display(), out)
    return out.getvalue()
