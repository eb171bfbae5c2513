"""Ways to cut a body into chunks. None of them changes a byte, and none may change what a client reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping


def whole(body: bytes) -> Iterable[bytes]:
    """Everything at once."""
    return [body]


def events(body: bytes) -> Iterable[bytes]:
    """One server-sent event a chunk, as servers flush them; a body without blank lines stays whole."""
    separator = b"\r\n\r\n" if b"\r\n\r\n" in body else b"\n\n"
    parts = body.split(separator)
    return [part + separator for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def every_byte(body: bytes) -> Iterable[bytes]:
    """One byte a chunk: inside events, inside line ends, inside UTF-8 characters."""
    return [body[index : index + 1] for index in range(len(body))]


CUTS: Mapping[str, Callable[[bytes], Iterable[bytes]]] = {"events": events, "whole": whole, "bytes": every_byte}
