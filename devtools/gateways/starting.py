"""Starts a gateway of this folder in a process of its own: in this one, vcrpy patches the HTTP libraries."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from devtools.places import ROOT
from tests.servers import free_port, running


@contextmanager
def gateway(name: str) -> Iterator[tuple[str, int]]:
    """A gateway of `devtools/gateways`: its base URL, and the port where it looks for its upstream."""
    port, upstream = free_port(), free_port()
    more = {"CONFORMANCE_UPSTREAM": f"http://127.0.0.1:{upstream}", "PYTHONPATH": str(ROOT)}
    with running([sys.executable, "-m", f"devtools.gateways.{name}", str(port)], port, more=more, folder=ROOT):
        yield f"http://127.0.0.1:{port}", upstream
