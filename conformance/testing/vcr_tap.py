"""Observes vcrpy: every request before a filter of the cassette changes it, and the response that it gets.

vcrpy's stubs ask the cassette whether it can answer a request, then play a response or append a received one.
These are public methods of `vcr.cassette.Cassette`; they are wrapped while a listener is active, and work as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from conformance.cassette.traffic import Log, Sent, vcr_request, vcr_response
from conformance.testing import contacts, http_tap
from conformance.testing.transport import under_way

_LISTENERS: list[Log] = []
_ORIGINAL: dict[str, Any] = {}
_PATCHES: list[http_tap.Patch] = []
_LOADING: list[Any] = []
"""Not empty while a cassette loads its file, which it does through its own `append`."""


@contextmanager
def listening(log: Log) -> Iterator[Log]:
    """Logs the traffic of every cassette of vcrpy. Of several active listeners only the innermost one logs."""
    start(log)
    try:
        yield log
    finally:
        stop(log)


def start(log: Log) -> None:
    """Starts to observe whatever is installed: vcrpy and the HTTP clients."""
    if not _LISTENERS:
        _wrap()
        _PATCHES.extend((*http_tap.observe(_current), *contacts.observe(_current)))
    _LISTENERS.append(log)


def stop(log: Log) -> None:
    """Stops; the wrapped methods are restored when the last listener stops."""
    _LISTENERS[:] = [each for each in _LISTENERS if each is not log]
    if not _LISTENERS:
        http_tap.restore(_PATCHES)
        _PATCHES.clear()
        _unwrap()


def _current() -> Log | None:
    return _LISTENERS[-1] if _LISTENERS else None


def path_of(tape: Any) -> str:
    """The path of a cassette; older versions of vcrpy only have the attribute."""
    return str(getattr(tape, "path", None) or tape._path)  # noqa: SLF001


def _wrap() -> None:
    try:
        from vcr.cassette import Cassette
    except ImportError:
        return
    _ORIGINAL["load"] = Cassette.__dict__["load"]
    for name in ("can_play_response_for", "play_response", "append"):
        _ORIGINAL[name] = Cassette.__dict__[name]
    Cassette.load = classmethod(_load)
    Cassette.can_play_response_for = _can_play_response_for
    Cassette.play_response = _play_response
    Cassette.append = _append


def _unwrap() -> None:
    if not _ORIGINAL:
        return
    from vcr.cassette import Cassette

    for name, original in _ORIGINAL.items():
        setattr(Cassette, name, original)
    _ORIGINAL.clear()


def _load(cls: type, /, **arguments: Any) -> Any:
    _LOADING.append(cls)
    try:
        tape = _ORIGINAL["load"].__get__(None, cls)(**arguments)
    finally:
        _LOADING.pop()
    _LISTENERS[-1].opened(tape)
    return tape


def _can_play_response_for(tape: Any, request: Any) -> Any:
    _noted(tape, request)
    return _called("can_play_response_for", tape)(request)


def _play_response(tape: Any, request: Any) -> Any:
    sent = _noted(tape, request)
    response = _called("play_response", tape)(request)
    if sent is not None:
        sent.number = next((number for number, (_, each) in enumerate(tape.data) if each is response), None)
        sent.response = vcr_response(response)
    return response


def _append(tape: Any, request: Any, response: Mapping[str, Any]) -> Any:
    if not _LOADING:
        sent = _noted(tape, request)
        if sent is not None:
            sent.response = vcr_response(response)
    return _called("append", tape)(request, response)


def _called(name: str, tape: Any) -> Callable[..., Any]:
    bound: Callable[..., Any] = _ORIGINAL[name].__get__(tape)
    return bound


def _noted(tape: Any, request: Any) -> Sent | None:
    """The log entry of a request, made when it is first seen: stubs ask for the same request several times."""
    if not _LISTENERS or not hasattr(request, "uri"):
        return None
    log = _LISTENERS[-1]
    log.opened(tape)
    for sent in reversed(log.sent):
        if sent.origin is request:
            return sent
    outer = under_way(request.method, request.uri)
    if outer is not None and any(each is outer for each in log.sent):
        outer.cassette, outer.origin = tape, request
        return outer
    body, whole = body_of(request)
    taken = vcr_request(request.method, request.uri, request.headers.items(), body)
    log.sent.append(Sent(taken, cassette=tape, whole=whole, origin=request))
    return log.sent[-1]


def body_of(request: Any) -> tuple[Any, bool]:
    """The body of vcrpy's request, and whether its headers are complete: aiohttp adds those of `json=` later."""
    body = request.body
    if hasattr(body, "read"):
        body = body.read()
    elif hasattr(body, "__next__"):
        pieces = [each.encode() if isinstance(each, str) else each for each in body]
        body = b"".join(pieces) if all(isinstance(each, bytes) for each in pieces) else pieces
    return body, body is None or isinstance(body, (str, bytes))
