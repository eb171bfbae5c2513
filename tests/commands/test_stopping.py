"""SIGTERM ends a local server, at whatever moment it comes."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

WAITS = """
from conformance.commands.common.serving import stopping
with stopping() as stopped:
    print("ready", flush=True)
    while not stopped.wait(0):
        pass
"""


@pytest.mark.process
def test_sigterm_ends_a_loop_that_is_almost_always_inside_the_event() -> None:
    """Where the handler itself sets the event, more than half of these processes wait for ever."""
    for _ in range(8):
        with subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(signal.SIGTERM)
            try:
                assert process.wait(20) == 0
            finally:
                process.kill()
