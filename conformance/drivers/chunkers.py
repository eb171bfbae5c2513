"""Ways of splitting a body. None of them changes an event or what a client reads.

`events`, `whole` and `bytes` only cut; `crlf` and `comments` also write an event stream in another of the ways that
server-sent events allow, as servers and proxies do. A body that is not an event stream is not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from conformance.model.sse import looks_like_events


def whole(body: bytes) -> Iterable[bytes]:
    """Everything at once."""
    return [body]


def events(body: bytes) -> Iterable[bytes]:
    """One server-sent event a chunk, as servers flush them; a body without blank lines stays whole."""
    separator = _line_end(body) * 2
    parts = body.split(separator)
    return [part + separator for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def every_byte(body: bytes) -> Iterable[bytes]:
    """One byte a chunk: inside events, inside line ends, inside UTF-8 characters."""
    return [body[index : index + 1] for index in range(len(body))]


def crlf(body: bytes) -> Iterable[bytes]:
    """An event stream whose lines end with CRLF, cut between the two."""
    if not _is_event_stream(body):
        return whole(body)
    parts = body.replace(b"\r\n", b"\n").split(b"\n")
    return [parts[0] + b"\r", *(b"\n" + part + b"\r" for part in parts[1:-1]), b"\n" + parts[-1]]


def comments(body: bytes) -> Iterable[bytes]:
    """An event stream with comments: a ping before each event, as a separate block, and an empty one within."""
    if not _is_event_stream(body):
        return whole(body)
    end = _line_end(body)
    return [chunk for event in events(body) for chunk in (b": ping" + end * 2, b":" + end + event)]


def _is_event_stream(body: bytes) -> bool:
    return b"\n" in body and looks_like_events(body[:200].decode("utf-8", "replace"))


def _line_end(body: bytes) -> bytes:
    return b"\r\n" if b"\r\n\r\n" in body else b"\n"


CHUNKERS: Mapping[str, Callable[[bytes], Iterable[bytes]]] = {
    "events": events,
    "whole": whole,
    "bytes": every_byte,
    "crlf": crlf,
    "comments": comments,
}
