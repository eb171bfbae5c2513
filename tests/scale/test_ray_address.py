"""The address of a cluster of Ray is tried before Ray is, which would go on for many minutes."""

from __future__ import annotations

import socket
from importlib.util import find_spec

import pytest

from conformance.errors import ConformanceError
from conformance.scale import ray_engine

if find_spec("ray") is None:
    pytest.skip("ray is not installed", allow_module_level=True)


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_where_nothing_listens_is_an_error_at_once(scheme: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"{scheme}127.0.0.1:{free.getsockname()[1]}"
        with (
            pytest.raises(ConformanceError, match=rf"--ray-address {address}: .*refused"),
            ray_engine.cluster(address, 1),
        ):
            pass
