"""What all tests share: no socket leads anywhere but to this machine, how much of the suite runs, cached bytecode."""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import gc
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import _pytest.pytester
import pytest
import uvicorn.server
from hypothesis import HealthCheck, settings
from hypothesis.strategies import text

from conformance.cassette import secretkinds
from conformance.testing.plugin import CellItem
from devtools.places import CORPUS, ROOT, missing_sources
from tests.loopback.sitecustomize import REPORT
from tests.sampling import Extent

# How fast a machine is decides no test: neither how long one example takes nor how long it takes to make one.
for _name, _examples in {"quick": 20, "ci": 40, "nightly": 400}.items():
    settings.register_profile(
        _name,
        max_examples=_examples,
        derandomize=_name != "nightly",  # what a change breaks is broken in every run; the night looks further
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
settings.load_profile("quick")

# Hundreds of tests start a Python. Compiling what it imports would take most of their time: they share one cache, also
# where the environment switches bytecode off.
sys.dont_write_bytecode = False
sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(ROOT / ".pycache"))
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

os.environ.pop("FORCE_COLOR", None)  # CI services set it; reports are compared as plain text


class _Impatient:
    """`asyncio` for a server of uvicorn, which looks every tenth of a second whether to end: tests end hundreds."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.01))


uvicorn.server.asyncio = _Impatient()  # type: ignore[assignment,attr-defined]

pytest_plugins = ["pytester", "tests.budget", "tests.wheel_fixtures"]


_LIBC = ctypes.CDLL(None)
if hasattr(_LIBC, "mallopt"):
    # M_MMAP_THRESHOLD: glibc would raise it with the largest block so far, and keep what is smaller when it is freed.
    _LIBC.mallopt(-3, 1 << 20)
    # M_ARENA_MAX: each thread of a server would get memory of its own, which is kept when the thread has ended.
    _LIBC.mallopt(-8, 1)

_GUARD = ROOT / "tests" / "loopback"
_descriptor, _REFUSED = tempfile.mkstemp(prefix="conformance-sockets-")
os.close(_descriptor)
atexit.register(Path(_REFUSED).unlink, missing_ok=True)


def _guarding(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables by which a process is held back from other machines, as this one is."""
    paths = [each for each in environment.get("PYTHONPATH", "").split(os.pathsep) if each and each != str(_GUARD)]
    return {"PYTHONPATH": os.pathsep.join([str(_GUARD), *paths]), REPORT: _REFUSED}


def _is_cheap(command: Any) -> bool:
    """Whether a process takes milliseconds: git, and what `platform` asks about the machine for the SDKs."""
    first = command if isinstance(command, str | bytes | os.PathLike) else command[0]
    return Path(os.fsdecode(first)).name in ("git", "uname", "lsb_release")


@pytest.fixture(autouse=True)
def loopback_only(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test that reaches for another machine, itself or in a process that it starts, even if it goes on.

    Fails a test without the marker `process` that starts one.
    """
    started: Any = subprocess.Popen.__init__
    may_start = request.node.get_closest_marker("process") is not None

    def start(self: Any, *arguments: Any, env: Any = None, **named: Any) -> None:
        if not (may_start or _is_cheap(arguments[0])):
            pytest.fail("this test starts a process: mark it with @pytest.mark.process")
        given = os.environ if env is None else env
        started(self, *arguments, env={**given, **_guarding(given)}, **named)

    before = Path(_REFUSED).stat().st_size
    with pytest.MonkeyPatch.context() as patch:  # its own: what a test patches is undone before the end of this
        patch.setattr(subprocess.Popen, "__init__", start)
        patch.setattr(secretkinds, "_REMEMBERED", {*secretkinds._REMEMBERED})  # what a test remembers, others do not
        for name, value in _guarding(os.environ).items():  # for what `multiprocessing` starts
            patch.setenv(name, value)
        yield
    reported = Path(_REFUSED).read_bytes()[before:].decode(errors="replace")
    assert not reported, f"the test reached for another machine: {reported}"


class _OwnModules(_pytest.pytester.SysModulesSnapshot):
    """Of what a pytest in this process has imported, its own test files are forgotten and the rest is kept.

    Importing the SDKs again would take seconds, and memory, for each such test.
    """

    def __init__(self, **_named: object) -> None:
        super().__init__(preserve=_is_installed)


def _is_installed(module: str) -> bool:
    file = getattr(sys.modules[module], "__file__", None)
    return file is None or file.startswith((str(ROOT), sys.prefix, sys.base_prefix))


_pytest.pytester.SysModulesSnapshot = _OwnModules  # type: ignore[misc,assignment]


_GROWN = 24 << 20
"""By so many bytes a worker grows before what it no longer needs is looked for: a look takes up to half a second."""
_size = 0


def _resident() -> int:
    """The bytes of memory that this process takes now, or 0 where the system does not list them."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()


@pytest.fixture(autouse=True)
def inner_runs_are_quiet(request: pytest.FixtureRequest) -> None:
    """Gives pytest within pytest the setting without which pytest-asyncio warns."""
    if "pytester" in request.fixturenames:
        request.getfixturevalue("pytester")  # which removes the variable
        request.getfixturevalue("monkeypatch").setenv(
            "PYTEST_ADDOPTS", "-o asyncio_default_fixture_loop_scope=function"
        )


@pytest.fixture(scope="module", autouse=True)
def memory_is_given_back() -> Iterator[None]:
    """What modules of tests made is freed at the end of one: a worker is little more than its largest module."""
    global _size  # noqa: PLW0603 - of this process
    yield
    if 0 < _resident() < _size + _GROWN:
        return
    gc.collect()
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    if hasattr(_LIBC, "malloc_trim"):
        _LIBC.malloc_trim(0)
    _size = _resident()


@pytest.fixture
def refused() -> Iterator[Callable[[], str]]:
    """What was refused so far, for a test that reaches for another machine on purpose."""
    path = Path(_REFUSED)
    yield lambda: path.read_text(encoding="utf-8")
    path.write_text("", encoding="utf-8")


_NO_CORPUS = "the corpus of real recordings is not there or not whole; `make corpus` builds it"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that asks for more than samples."""
    parser.addoption("--full", action="store_true", help="run all of each product that is sampled otherwise")


def pytest_configure(config: pytest.Config) -> None:
    """Decides how much runs before any module of tests is imported."""
    Extent.full = config.getoption("full")


@pytest.hookimpl(trylast=True)  # hypothesis itself must have started
def pytest_sessionstart(session: pytest.Session) -> None:
    """Makes the tables of all characters, which hypothesis keeps in a file, where no worker grows by their 200 MB."""
    if not hasattr(session.config, "workerinput"):
        text().validate()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the cells of the matrix that are not in the sample; who chooses with `-k` gets all that was chosen."""
    cells = [item for item in items if isinstance(item, CellItem)]
    if not cells or Extent.full or config.getoption("keyword"):
        return
    from tests.cassettes import some

    kept = {cell.id for cell in some(item.cell for item in cells if not item.cell.not_applicable)}
    if left := {item for item in cells if item.cell.id not in kept}:
        config.hook.pytest_deselected(items=[item for item in items if item in left])
        items[:] = [item for item in items if item not in left]


def pytest_collection_finish() -> None:
    """Takes what collection made from the garbage collector, which goes through all objects hundreds of times."""
    gc.collect()
    gc.freeze()


def pytest_report_teststatus(report: pytest.TestReport | pytest.CollectReport) -> tuple[str, str, str] | None:
    """Counts what is skipped for want of the corpus by itself: the summary line shows what a run without it lacks."""
    if report.skipped and _NO_CORPUS in str(report.longrepr):
        return "without the corpus", "s", "SKIPPED"
    return None


_PEAKS = pytest.StashKey[list[int]]()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Notes how much memory a worker took at most."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes the note of a worker that has ended; one that crashed has none."""
    node.config.stash.setdefault(_PEAKS, []).append(getattr(node, "workeroutput", {}).get("peak", 0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Prints the seed of the random order at the end too: with `-q` pytest prints no header."""
    seed = config.getoption("randomly_seed", None)
    if isinstance(seed, int):
        terminalreporter.write_line(f"random order: --randomly-seed={seed} repeats it")
    if peaks := config.stash.get(_PEAKS, []):
        terminalreporter.write_line(f"memory of the workers: {', '.join(map(str, sorted(peaks)))} MiB (aim: below 700)")
    if count := len(terminalreporter.getreports("without the corpus")):
        terminalreporter.write_line(f"{count} tests did not run: {_NO_CORPUS}; this run proves less than one with it")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real recordings, where it is present."""
    if not CORPUS.is_dir() or missing_sources():
        pytest.skip(_NO_CORPUS)
    return CORPUS
