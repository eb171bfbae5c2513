"""Refuses every socket that leads to another machine, in this process, and writes down that it was tried.

`tests/conftest.py` installs it in the process of the tests. Python imports a module of this name at its start, so the
processes that tests start have it too: their PYTHONPATH begins with this folder. An audit hook sees what each library
does, also in C, and no test can take it away by accident.
"""

from __future__ import annotations

import os
import sys
from typing import Any

REPORT = "CONFORMANCE_TEST_SOCKETS"
"""The variable with the file that tells of what was refused; a test fails if it tells more at its end."""


class BlockedSocketError(RuntimeError):
    """A test, or a process that it started, tried to reach another machine."""


def _is_loopback(host: object) -> bool:
    name = host.decode("latin-1") if isinstance(host, (bytes, bytearray)) else host
    if not isinstance(name, str):
        return True  # no internet address: that of the kernel, or of another process
    return name in ("localhost", "::1", "") or name.startswith("127.") or name.endswith(".localhost")


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not event.startswith("socket."):
        return
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"):
        address = arguments[1]
        if not isinstance(address, tuple) or _is_loopback(address[0]):
            return  # the path of a Unix socket, or none: it is connected already
        reached: object = address
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        reached = arguments[0]
        if reached is None or _is_loopback(reached):
            return
    else:
        return
    if event == "socket.bind" and address[0] in ("0.0.0.0", "::"):
        reached = f"{address}, which all machines reach"
    report = os.environ.get(REPORT)
    if report:
        with open(report, "a", encoding="utf-8") as file:  # noqa: PTH123 - nothing is imported at the start of a process
            file.write(f"{event} {reached!r} in {' '.join(sys.argv[:4])}\n")
    raise BlockedSocketError(f"{event} {reached!r}: tests stay on this machine")


sys.addaudithook(_hook)
