"""vcrpy, set up for this suite: recording and playing.

vcrpy patches the HTTP libraries of the whole process, so there is one cassette at a time. A recording is kept in
memory; the caller decides whether to write it to a file. A playing cassette answers in the recorded order, by method
and path: the judge reports a difference in the body, which is not a miss.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock
from urllib.parse import urlsplit, urlunsplit

import vcr
from vcr.cassette import Cassette as VcrCassette
from vcr.persisters.filesystem import CassetteNotFoundError
from vcr.record_mode import RecordMode
from vcr.request import Request as VcrRequest
from vcr.serialize import serialize

from conformance.cassette import format as cassette_format
from conformance.cassette.load import Cassette
from conformance.cassette.redact import PLACEHOLDER, Redactor
from conformance.errors import ConformanceError
from conformance.model.exchange import Body, Exchange, Request
from conformance.model.frozen import dataclass
from conformance.model.transcript import Malformed

REFERENCE_HOST = "reference.localhost"
"""The host under which cassettes keep the reference server, whatever port it had."""


@dataclass
class Recording:
    """The text of a recorded cassette, ready to be written. `tape` is vcrpy's cassette while it records."""

    text: str = ""
    tape: VcrCassette | None = None


class _Serializer:
    """vcrpy's serializer protocol over our layout of the file; loading is not its business.

    Each exchange was redacted when it arrived; secrets learned from later ones are now removed from the others.
    """

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def serialize(self, document: dict[str, Any]) -> str:
        return cassette_format.dump(self._redactor.document(document))


class _Memory:
    """vcrpy's persister protocol: hands the finished cassette to a `Recording` and finds no old one."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def load_cassette(self, cassette_path: Any, serializer: Any) -> Any:
        raise CassetteNotFoundError

    def save_cassette(self, cassette_path: Any, cassette_dict: dict[str, Any], serializer: Any) -> None:
        self._recording.text = serialize(cassette_dict, serializer)


class _Loaded:
    """vcrpy's persister protocol: hands over a cassette that has been read already, and never writes."""

    def __init__(self, cassette: Cassette) -> None:
        self._cassette = cassette

    def load_cassette(self, cassette_path: Any, serializer: Any) -> Any:
        exchanges = self._cassette.exchanges
        requests = [_vcr_request(each, f"{self._cassette.path}: exchange {n}") for n, each in enumerate(exchanges)]
        return requests, [_vcr_response(each) for each in exchanges]

    def save_cassette(self, cassette_path: Any, cassette_dict: dict[str, Any], serializer: Any) -> None:
        raise AssertionError("replay never writes")


def _vcr_request(exchange: Exchange, where: str) -> VcrRequest:
    request = exchange.request
    try:
        return VcrRequest(request.method, request.url, request.body.text, dict(request.headers))
    except ValueError as error:
        raise ConformanceError(f"{where}: the request's URL is not valid: {error}", "record it again") from None


def _vcr_response(exchange: Exchange) -> dict[str, Any]:
    response = exchange.response
    content = response.body.content
    return {
        "status": {"code": response.status, "message": None},
        "headers": response.headers.lists(),
        "body": {"string": content if isinstance(content, bytes) else (response.body.text or "").encode()},
    }


@contextmanager
def recording(metadata: Mapping[str, Any], redactor: Redactor, local_origin: str | None) -> Iterator[Recording]:
    """Records every exchange; the `Recording` is filled when the context closes without an error.

    `local_origin` is the reference server's own address, which is kept under a name that does not change. Any other
    local server is kept under the name that its requests give in `Host`.
    """
    made = Recording()
    machine = _machine(redactor, local_origin)
    with machine.use_cassette(
        "recording", persister=_Memory(made), record_mode=RecordMode.ONCE, record_on_exception=False
    ) as recorded:
        for key, value in metadata.items():
            recorded.get_metadata(key, value)
        made.tape = recorded
        yield made
        recorded.dirty = True


def keep(tape: VcrCassette, exchange: Exchange) -> None:
    """Adds an exchange that no HTTP library made to a recording, redacted as the others are."""
    tape.append(_vcr_request(exchange, exchange.request.url), _vcr_response(exchange))


def answered(tape: VcrCassette, request: Request) -> bytes:
    """The body that a playing cassette has for a request that no HTTP library makes. vcrpy raises if it has none."""
    asked = VcrRequest(request.method, request.url, request.body.text, dict(request.headers))
    content: bytes = tape.play_response(asked)["body"]["string"]
    return content


@contextmanager
def playing(cassette: Cassette) -> Iterator[VcrCassette]:
    """Plays a cassette in its order; anything else that is asked for is a miss.

    Nothing is redacted, because nothing is kept; reports redact what they show.
    """

    def next_of(played: VcrCassette, _live: VcrRequest) -> VcrRequest | None:
        return played.requests[played.play_count] if played.play_count < len(played) else None

    with _playing(cassette, next_of, "path") as played:
        yield played


@contextmanager
def playing_nearest(cassette: Cassette, redactor: Redactor) -> Iterator[VcrCassette]:
    """Answers with the exchange whose request has the same body, else with the next of the same path.

    So concurrent requests get their own answers, and a changed request still gets one. The path of a live request is
    compared as it would be recorded, without secrets.
    """

    def nearest_of(played: VcrCassette, live: VcrRequest) -> VcrRequest | None:
        place = live.method, _without_numbers(urlsplit(redactor.url(live.uri)).path)
        left = [
            request
            for number, request in enumerate(played.requests)
            if not played.play_counts[number] and (request.method, _without_numbers(request.path)) == place
        ]
        if len(left) > 1:
            sent = Body(redactor.body(live.body)).json
            same = (request for request in left if not isinstance(sent, Malformed) and Body(request.body).json == sent)
            return next(same, left[0])
        return left[0] if left else None

    with _playing(cassette, nearest_of) as played:
        yield played


def _without_numbers(path: str) -> str:
    """The path with the same placeholder for each secret: a cassette and a new run may number them differently."""
    return re.sub(rf"{PLACEHOLDER}-\d+", PLACEHOLDER, path)


@contextmanager
def _playing(
    cassette: Cassette, wanted: Callable[[VcrCassette, VcrRequest], VcrRequest | None], *equal: str
) -> Iterator[VcrCassette]:
    """Answers each request with the recorded exchange that is wanted for it, if they agree in what must be equal."""

    def is_wanted(live: VcrRequest, recorded: VcrRequest) -> bool:
        return wanted(played, live) is recorded

    machine = vcr.VCR(decode_compressed_response=True)
    machine.register_matcher("wanted", is_wanted)
    with machine.use_cassette(
        cassette.path, persister=_Loaded(cassette), record_mode=RecordMode.NONE, match_on=("method", *equal, "wanted")
    ) as played:
        try:
            yield played
        finally:
            played.dirty = False


_SENDING = ("_request", "_send_single_request", "handle_request", "handle_async_request")


@contextmanager
def listening_only() -> Iterator[VcrCassette]:
    """Sends every request as without vcrpy; nothing is written.

    vcrpy would go past a mock of these libraries to the network: it calls the methods that it found when it was
    imported. So they stay as they are; who listens observes them in another way.
    """
    libraries = (sys.modules.get(name) for name in ("aiohttp", "httpcore", "httpx", "httpx2"))
    owners = {each for library in libraries for each in vars(library or object).values() if isinstance(each, type)}
    kept = [(owner, name, vars(owner)[name]) for owner in owners for name in _SENDING if name in vars(owner)]
    machine = vcr.VCR()
    with ExitStack() as using:
        recorded = using.enter_context(
            machine.use_cassette("recording", persister=_Memory(Recording()), record_mode=RecordMode.ALL)
        )
        for owner, name, method in kept:
            using.enter_context(mock.patch.object(owner, name, method))
        try:
            yield recorded
        finally:
            recorded.dirty = False


def _named(url: str, headers: Mapping[str, str]) -> str | None:
    """The recorded name of a local server: that of the `Host` field, if it is a local name."""
    host = next((value for name, value in headers.items() if name.lower() == "host"), "")
    return host if urlsplit(url).hostname == "127.0.0.1" and host.endswith(".localhost") else None


def _machine(redactor: Redactor, local_origin: str | None) -> vcr.VCR:
    def request_hook(request: VcrRequest) -> VcrRequest:
        headers = redactor.headers({name: str(value) for name, value in request.headers.items()})
        url = redactor.url(request.uri)
        parts = urlsplit(url)
        local = local_origin is not None and parts.netloc == urlsplit(local_origin).netloc
        host = REFERENCE_HOST if local else _named(url, headers)
        if host is not None:
            url = urlunsplit((parts.scheme, host, *parts[2:]))
            headers = {name: host if name.lower() == "host" else value for name, value in headers.items()}
        return VcrRequest(request.method, url, redactor.body(request.body), headers)

    def response_hook(response: dict[str, Any]) -> dict[str, Any]:
        headers = redactor.headers(response["headers"])
        return {**response, "headers": headers, "body": {"string": redactor.body(response["body"]["string"])}}

    machine = vcr.VCR(
        serializer="conformance",
        before_record_request=request_hook,
        before_record_response=response_hook,
        decode_compressed_response=True,
    )
    machine.register_serializer("conformance", _Serializer(redactor))
    return machine
