"""What all tests share: no socket leads anywhere but to this machine."""

from __future__ import annotations

import atexit
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.loopback.sitecustomize import REPORT

# How fast a machine is decides no test: neither how long one example takes nor how long it takes to make one.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

os.environ.pop("FORCE_COLOR", None)  # CI services set it; reports are compared as plain text

pytest_plugins = ["pytester", "tests.wheel_fixtures"]

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"


_GUARD = ROOT / "tests" / "loopback"
_descriptor, _REFUSED = tempfile.mkstemp(prefix="conformance-sockets-")
os.close(_descriptor)
atexit.register(Path(_REFUSED).unlink, missing_ok=True)


def _guarded(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process that is held back from other machines, as this one is."""
    paths = [each for each in environment.get("PYTHONPATH", "").split(os.pathsep) if each and each != str(_GUARD)]
    return {**environment, "PYTHONPATH": os.pathsep.join([str(_GUARD), *paths]), REPORT: _REFUSED}


@pytest.fixture(autouse=True)
def loopback_only() -> Iterator[None]:
    """Fails a test that reaches for another machine, itself or in a process that it starts, even if it goes on."""
    started: Any = subprocess.Popen.__init__

    def start(self: Any, *arguments: Any, env: Any = None, **named: Any) -> None:
        started(self, *arguments, env=_guarded(os.environ if env is None else env), **named)

    before = Path(_REFUSED).stat().st_size
    with pytest.MonkeyPatch.context() as patch:  # its own: what a test patches is undone before the end of this
        patch.setattr(subprocess.Popen, "__init__", start)
        for name, value in _guarded(os.environ).items():  # for what `multiprocessing` starts
            patch.setenv(name, value)
        yield
    told = Path(_REFUSED).read_bytes()[before:].decode(errors="replace")
    assert not told, f"the test reached for another machine: {told}"


@pytest.fixture
def refused() -> Iterator[Callable[[], str]]:
    """What was refused so far, for a test that reaches for another machine on purpose."""
    path = Path(_REFUSED)
    yield lambda: path.read_text(encoding="utf-8")
    path.write_text("", encoding="utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Prints the seed of the random order at the end too: with `-q` pytest prints no header."""
    seed = config.getoption("randomly_seed", None)
    if isinstance(seed, int):
        terminalreporter.write_line(f"random order: --randomly-seed={seed} repeats it")


@pytest.fixture
def corpus() -> Path:
    """The folder of real recordings, where it is present."""
    if not CORPUS.is_dir():
        pytest.skip("the corpus of real recordings is not beside this checkout (../shared/corpus)")
    return CORPUS
