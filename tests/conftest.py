"""What all tests share: no socket leads anywhere but to this machine."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# How fast a machine is decides no test: neither how long one example takes nor how long it takes to make one.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

os.environ.pop("FORCE_COLOR", None)  # CI services set it; reports are compared as plain text

pytest_plugins = ["pytester", "tests.wheel_fixtures"]

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"


class BlockedSocketError(RuntimeError):
    """A test tried to reach another machine."""


def _is_loopback(address: Any) -> bool:
    if isinstance(address, (str, bytes)):
        return True  # a Unix socket's path
    host = str(address[0])
    return host in ("localhost", "::1", "") or host.startswith("127.") or host.endswith(".localhost")


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuses every connection and every name look-up that is not for loopback."""
    for name in ("connect", "connect_ex"):
        genuine = getattr(socket.socket, name)

        def guarded(self: socket.socket, address: Any, genuine: Any = genuine) -> Any:
            if not _is_loopback(address):
                raise BlockedSocketError(f"a test reached for {address}")
            return genuine(self, address)

        monkeypatch.setattr(socket.socket, name, guarded)
    resolve = socket.getaddrinfo

    def guarded_resolve(host: Any, *rest: Any, **named: Any) -> Any:
        if host is not None and not _is_loopback((host,)):
            raise BlockedSocketError(f"a test looked up {host}")
        return resolve(host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", guarded_resolve)


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
