"""Observes HTTP clients at the methods that programs call, above every transport and mock; nothing they send changes.

httpx and httpx2 at the client's sending of one request, requests at `Session.send`, aiohttp at the methods of its
session. What such a call passes on to another library, or to vcrpy, is the same request and is noted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from conformance.cassette.traffic import Log, Sent, vcr_request
from conformance.testing.transport import async_stream, noted, sending, sync_stream, under_way

Current = Callable[[], Log | None]
"""The log to write to."""
_VERBS = ("request", "get", "options", "head", "post", "put", "patch", "delete")
_READ = ("read", "readany", "readexactly", "readchunk", "readline", "readuntil")
_ITERATE = ("__aiter__", "iter_chunked", "iter_any", "iter_chunks")
"""They call the methods that read."""


class Patch(NamedTuple):
    """A replaced method."""

    owner: Any
    name: str
    original: Any
    replacement: Any


def observe(current: Current) -> list[Patch]:
    """Replaces the methods of every library that is installed; `current` is the log to write to."""
    made: list[Patch] = []
    for name in ("httpx", "httpx2"):
        library = _imported(name)
        if library is not None:
            made += patched(library.Client, "_send_single_request", partial(_httpx_sync, library, current))
            made += patched(library.AsyncClient, "_send_single_request", partial(_httpx_async, library, current))
    requests = _imported("requests")
    if requests is not None:
        made += patched(requests.Session, "send", partial(_requests, current))
        made += patched(requests.sessions, "dispatch_hook", partial(_requests_response, current))
    aiohttp = _imported("aiohttp")
    if aiohttp is not None:
        for verb in _VERBS:
            made += patched(aiohttp.ClientSession, verb, partial(_aiohttp, verb, current))
    return made


def restore(made: list[Patch]) -> None:
    """Puts the methods back, except where another replacement has been put over ours: ours then does nothing."""
    for patch in made:
        if patch.owner.__dict__.get(patch.name) is patch.replacement:
            setattr(patch.owner, patch.name, patch.original)


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


def patched(owner: Any, name: str, wrapped: Callable[[Any], Any]) -> list[Patch]:
    """Replaces an attribute of a class or module, if it has it."""
    original = owner.__dict__.get(name)
    if original is None:
        return []
    patch = Patch(owner, name, original, wrapped(original))
    setattr(owner, name, patch.replacement)
    return [patch]


def _httpx_sync(library: Any, current: Current, send: Any) -> Any:
    def observed(client: Any, request: Any) -> Any:
        log = current()
        if log is None or under_way(request.method, str(request.url)) is not None:
            return send(client, request)
        request.read()
        sent = noted(log, request)
        with sending(sent):
            response = send(client, request)
        if sent.response is None:
            sent.answer(response.status_code, response.headers.multi_items())
            response.stream = sync_stream(library.SyncByteStream, response.stream, sent)
            if response.is_stream_consumed:  # a mock's response has its content from the start
                _ = list(response.stream)
        return response

    return observed


def _httpx_async(library: Any, current: Current, send: Any) -> Any:
    async def observed(client: Any, request: Any) -> Any:
        log = current()
        if log is None or under_way(request.method, str(request.url)) is not None:
            return await send(client, request)
        await request.aread()
        sent = noted(log, request)
        with sending(sent):
            response = await send(client, request)
        if sent.response is None:
            sent.answer(response.status_code, response.headers.multi_items())
            response.stream = async_stream(library.AsyncByteStream, response.stream, sent)
            if response.is_stream_consumed:
                _ = [chunk async for chunk in response.stream]
        return response

    return observed


def _requests(current: Current, send: Any) -> Any:
    def observed(session: Any, request: Any, **options: Any) -> Any:
        log = current()
        if log is None or not _is_plain(request.body) or under_way(request.method, request.url) is not None:
            return send(session, request, **options)
        with sending(_noted(log, request)):
            return send(session, request, **options)

    return observed


def _requests_response(current: Current, dispatch: Any) -> Any:
    """The function that `Session.send` passes each response to; requests-mock replaces `Session.send` itself."""

    def observed(key: str, hooks: Any, response: Any, **options: Any) -> Any:
        log, request = current(), getattr(response, "request", None)
        if log is not None and request is not None and _is_plain(request.body):
            sent = under_way(request.method, request.url) or _noted(log, request)
            if sent.response is None:
                sent.answer(response.status_code, response.headers.items())
                response.iter_content = _noted_chunks(response, sent)
        return dispatch(key, hooks, response, **options)

    return observed


def _noted(log: Log, request: Any) -> Sent:
    sent = Sent(vcr_request(request.method, request.url, request.headers.items(), request.body))
    log.sent.append(sent)
    return sent


def _is_plain(body: Any) -> bool:
    """Whether the body can be read without taking it from its sender."""
    return body is None or isinstance(body, (str, bytes))


def _noted_chunks(response: Any, sent: Sent) -> Any:
    read = response.iter_content

    def iter_content(*arguments: Any, **options: Any) -> Iterator[Any]:
        again = sent.ended  # it is kept then, and may be iterated over again
        for chunk in read(*arguments, **options):
            if not again:
                sent.read(chunk if isinstance(chunk, bytes) else chunk.encode(response.encoding or "utf-8"))
            yield chunk
        sent.ended = True

    return iter_content


def _aiohttp(verb: str, current: Current, send: Any) -> Any:
    def observed(session: Any, *arguments: Any, **options: Any) -> Any:
        manager = send(session, *arguments, **options)
        log = current()
        data, readable = _aiohttp_body(session, options)
        if log is None or not readable:
            return manager
        named = arguments if verb == "request" else (verb, *arguments)
        method, url = (*named, *(options[name] for name in ("method", "url")[len(named) :]))
        return type(manager)(_awaited(session, manager, log, (method.upper(), str(url), options, data)))

    return observed


async def _awaited(session: Any, manager: Any, log: Log, asked: tuple[str, str, dict[str, Any], Any]) -> Any:
    """The response of an aiohttp session; its headers are those that it was sent with, where they are known."""
    method, url, options, data = asked
    if under_way(method, url) is not None:
        return await manager
    fields = {**session.headers, **(options.get("headers") or {})}
    if options.get("json") is not None:
        fields.setdefault("Content-Type", "application/json")
    sent = Sent(vcr_request(method, url, fields.items(), data))
    log.sent.append(sent)
    with sending(sent):
        last = await manager
    if sent.response is None:
        response = last.history[0] if last.history else last
        sent.request["uri"] = str(response.request_info.url)
        sent.answer(response.status, response.headers.items())
        if response is last:
            response.content = reader_of(response.content, sent)
    return last


def _aiohttp_body(session: Any, options: dict[str, Any]) -> tuple[Any, bool]:
    """The body as sent, and whether it is one that can be read without taking it from its sender."""
    if options.get("json") is not None:
        text = session.json_serialize(options["json"])
        return text if isinstance(text, bytes) else text.encode(), True
    data = options.get("data")
    return data, _is_plain(data)


def reader_of(inner: Any, sent: Sent) -> Any:
    """A reader that passes everything on to the inner one."""

    def reading(name: str) -> Any:
        async def read(_self: Any, *arguments: Any, **options: Any) -> Any:
            found = await getattr(inner, name)(*arguments, **options)
            note(found[0] if isinstance(found, tuple) else found)
            return found

        return read

    def read_nowait(_self: Any, *arguments: Any) -> Any:
        found = inner.read_nowait(*arguments)
        note(found)
        return found

    def note(piece: bytes) -> None:
        sent.read(piece)
        sent.ended = inner.at_eof()

    original = import_module("aiohttp").StreamReader
    methods: dict[str, Any] = {name: reading(name) for name in _READ}
    methods |= {name: getattr(original, name) for name in _ITERATE}
    methods |= {"read_nowait": read_nowait, "__getattr__": lambda _self, name: getattr(inner, name)}
    return type("ConformanceReader", (), methods)()
