"""No test, and no process that a test starts, reaches anything but loopback."""

import multiprocessing
import socket
import subprocess
import sys
from collections.abc import Callable

import httpx2
import pytest

from tests.loopback.sitecustomize import BlockedSocketError

Refused = Callable[[], str]
CONNECT = "import socket; socket.create_connection(('192.0.2.1', 80), 1)"


def test_a_connection_to_another_machine_is_refused(refused: Refused) -> None:
    with socket.socket() as outside, pytest.raises(BlockedSocketError):
        outside.connect(("192.0.2.1", 80))
    assert "socket.connect ('192.0.2.1', 80)" in refused()


def test_a_look_up_of_another_machine_is_refused(refused: Refused) -> None:
    with pytest.raises(BlockedSocketError):
        socket.getaddrinfo("example.com", 443)
    assert "'example.com'" in refused()


def test_a_port_that_other_machines_reach_is_refused(refused: Refused) -> None:
    with socket.socket() as server, pytest.raises(BlockedSocketError):
        server.bind(("0.0.0.0", 0))
    assert "socket.bind" in refused()


def test_a_datagram_to_another_machine_is_refused(refused: Refused) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as outside, pytest.raises(BlockedSocketError):
        outside.sendto(b"", ("192.0.2.1", 53))
    assert "socket.sendto" in refused()


def test_the_http_library_of_the_sdks_is_held_back_too(refused: Refused) -> None:
    with httpx2.Client() as client, pytest.raises(BlockedSocketError):
        client.get("http://192.0.2.1/")
    assert "192.0.2.1" in refused()


@pytest.mark.process
@pytest.mark.parametrize("environment", [None, {}, {"PYTHONPATH": "elsewhere"}], ids=["own", "empty", "other path"])
def test_a_process_is_held_back_whatever_its_environment(environment: dict[str, str] | None, refused: Refused) -> None:
    done = subprocess.run([sys.executable, "-c", CONNECT], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "BlockedSocketError" in done.stderr
    assert "192.0.2.1" in refused()


@pytest.mark.process
def test_a_process_of_a_process_is_held_back(refused: Refused) -> None:
    code = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {CONNECT!r}]).returncode)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 1
    assert "192.0.2.1" in refused()


def test_a_worker_process_is_held_back(refused: Refused) -> None:
    worker = multiprocessing.get_context("spawn").Process(target=exec, args=(CONNECT,))
    worker.start()
    worker.join()
    assert worker.exitcode == 1
    assert "192.0.2.1" in refused()


@pytest.mark.process
def test_a_test_fails_if_its_process_reaches_out_and_goes_on(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("from tests.setup_of_all import loopback_only, refused")
    pytester.makeini("[pytest]\nmarkers = process: starts a process")
    quiet = f"try:\n    exec({CONNECT!r})\nexcept Exception:\n    pass"
    pytester.makepyfile(
        f"""
        import subprocess, sys
        import pytest
        @pytest.mark.process
        def test_reaches_out():
            subprocess.run([sys.executable, "-c", {quiet!r}], check=True)
        def test_stays():
            pass
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:randomly", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["*reached for another machine: socket.getaddrinfo '192.0.2.1'*"])


def test_loopback_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
