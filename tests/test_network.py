"""No test reaches anything but loopback."""

import socket

import httpx2
import pytest

from tests.conftest import BlockedSocketError


def test_a_connection_to_another_machine_is_refused() -> None:
    with socket.socket() as outside, pytest.raises(BlockedSocketError):
        outside.connect(("192.0.2.1", 80))


def test_a_look_up_of_another_machine_is_refused() -> None:
    with pytest.raises(BlockedSocketError):
        socket.getaddrinfo("example.com", 443)


def test_the_http_library_of_the_sdks_is_held_back_too() -> None:
    with httpx2.Client() as client, pytest.raises(BlockedSocketError):
        client.get("http://192.0.2.1/")


def test_loopback_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
