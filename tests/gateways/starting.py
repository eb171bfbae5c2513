"""Starts a gateway of this folder in a process of its own: in this one, vcrpy patches the HTTP libraries."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.conftest import ROOT


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def gateway(name: str) -> Iterator[tuple[str, int]]:
    """A gateway of `tests/gateways`: its base URL, and the port where it looks for its upstream."""
    port, upstream = free_port(), free_port()
    environment = {**os.environ, "CONFORMANCE_UPSTREAM": f"http://127.0.0.1:{upstream}", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", f"tests.gateways.{name}", str(port)]
    with subprocess.Popen(command, env=environment, cwd=ROOT) as process:
        try:
            for _ in range(200):
                with socket.socket() as tried:
                    if tried.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}", upstream
        finally:
            process.terminate()
