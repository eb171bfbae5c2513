"""Bodies only: the JSON of a request or a response, and pairs of them in one folder.

Two files are a pair if their names differ in one word: `1-request.json` and `1-response.json` (or `.sse`),
`weather.req.json` and `weather.res.json`. Either may begin with HTTP headers. A file without a partner is judged for
its side. One value may have both: `{"request": …, "response": …}`, as programs dump them. The events of a stream may be
an array, or lines one after the other. What the files do not contain (URL, status, headers) is not judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import bodies, build, endpoints, opening, rawhttp
from conformance.inputs.format import Format, Record, Together
from conformance.model.exchange import Body, Exchange, Headers

_NAME = re.compile(
    r"(?P<before>.*?)(?P<side>request|response|req|resp|res)(?P<after>(?:[-_.]\w+)*?)\.(?:json|sse|http)(?:\.gz)?",
    re.IGNORECASE,
)
_MARKS = (b'"messages"', b'"contents"', b'"input"', b'"prompt"', b'"jsonrpc"')
"""Members of a request's body: one of them is near its beginning or its end."""


_ONE = "one event of a stream"


def _detect(value: Any) -> bool:
    return _is_dump(value) or _is_request(value) or _is_reply(value) or _is_stream(value) or _are_replies(value)


def _is_reply(value: Any) -> bool:
    return isinstance(value, Mapping) and endpoints.of_response(Body(value)) is not None


def _is_stream(value: Any) -> bool:
    """Whether a value is an array of all events of a stream. That of Google's is sent as such an array."""
    if not isinstance(value, list) or not value or not _is_reply(value[0]):
        return False
    return all(_is_event(each, value[0]) for each in value) or (_are_replies(value) and "candidates" in value[0])


def _are_replies(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_reply, value))


def _is_event(value: Any, first: Any = None) -> bool:
    """Whether a value is an event of a stream, by the one that begins it: it says so, and is no whole reply."""
    if not isinstance(value, Mapping):
        return False
    if first is None and endpoints.of_response(Body(value)) is None:
        return False
    if "object" in value:
        return bool(value["object"] == "chat.completion.chunk")
    return value.get("done") is False or value.get("type") not in (None, "message", "error")


def _stream(events: Sequence[Mapping[str, Any]]) -> Body:
    """The stream of some events, as it is sent."""
    if len(events) == 1:
        return Body(events[0], note=_ONE)
    if "done" in events[0]:
        return Body("".join(f"{json.dumps(each)}\n" for each in events))
    named = (f"event: {each['type']}\n" if "type" in each else "" for each in events)
    text = "".join(f"{name}data: {json.dumps(each)}\n\n" for name, each in zip(named, events, strict=True))
    return Body(text if "type" in events[0] else f"{text}data: [DONE]\n\n")


def _is_dump(value: Any) -> bool:
    """Whether a value has both bodies of one exchange: `{"request": …, "response": …}`."""
    return isinstance(value, Mapping) and _is_request(value.get("request")) and value.get("response") is not None


def _is_request(value: Any) -> bool:
    """Whether a value is a request's body. Without a model it may be anything, such as a training example.

    A response of OpenAI's has the tools and the model of its request, too, but names what `object` it is.
    """
    return (
        isinstance(value, dict)
        and isinstance(value.get("model"), str)
        and "object" not in value
        and endpoints.of_request(value) is not None
    )


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for source, value in _whole(records):
        if not _detect(value):
            raise ConformanceError(
                f"{source}: not the body of a request or a response",
                "check the file; --dialect does not help, because the endpoint is detected from the body",
            )
        if _is_dump(value):
            sides: tuple[Body | None, Body | None] = Body(value["request"]), Body(value["response"])
        elif isinstance(value, list):
            sides = None, _stream(value) if _is_event(value[0]) else Body(value)
        else:
            sides = (Body(value), None) if _is_request(value) else (None, Body(value))
        yield build.exchange(*sides, source=source, group=path)


def _whole(records: Iterable[Record]) -> Iterator[tuple[str, Any]]:
    """The values with their sources; the lines of one stream as one array."""
    stream: list[Record] = []
    for record in chain(records, [None]):
        value = None if record is None else record.value
        first = stream[0].value if stream else None
        if stream and (not _is_event(value, first) or _begins(value, first)):
            yield stream[0].source, [each.value for each in stream]
            stream, first = [], None
        if record is not None and _is_event(value, first):
            stream.append(record)
        elif record is not None:
            several = record.value if _are_replies(value) and not _is_stream(value) else [value]
            yield from ((record.source, each) for each in several)


def _begins(event: Any, before: Any) -> bool:
    """Whether an event is the first of another stream than one before."""
    if "type" in event:
        return event["type"] in ("message_start", "response.created")
    choices = event.get("choices") or [{}]
    return event.get("id") != before.get("id") and "role" in (choices[0].get("delta") or {})


def _groups(files: Sequence[str]) -> list[tuple[str, ...]]:
    sides: dict[tuple[str, str, str], dict[str, str]] = {}
    for file in files:
        found = _NAME.fullmatch(Path(file).name)
        if found is not None:
            key = str(Path(file).parent), found["before"].lower(), found["after"].lower()
            sides.setdefault(key, {})["request" if found["side"].lower() in ("request", "req") else "response"] = file
    folders: dict[str, list[str]] = {}
    for (folder, *_), each in sides.items():
        if len(each) == 2 and _looks_like_request(each["request"]):
            folders.setdefault(folder, []).extend((each["request"], each["response"]))
    return [tuple(pairs) for pairs in folders.values()]


def _looks_like_request(path: str) -> bool:
    with opening.opened(path) as stream:
        content = opening.whole(stream, path)
    return rawhttp.is_message(content) or any(mark in content for mark in _MARKS)


def _pairs(files: Sequence[str]) -> Iterator[Exchange]:
    """The exchanges of one folder: each request is followed by its response. They are one run."""
    return (_pair(*pair) for pair in zip(files[::2], files[1::2], strict=True))


def _pair(asked: str, answered: str) -> Exchange:
    request, response = _message(asked), _message(answered)
    sent, received = request.headers or Headers(), response.headers or Headers()
    url = request.url
    if url is not None and url.startswith("/") and "host" in sent:
        url = f"http://{sent.get('host')}{url}"
    return build.exchange(
        bodies.received(request.body, sent),
        bodies.received(response.body, received),
        source=asked,
        url=url,
        status=response.status,
        request_headers=request.headers,
        response_headers=response.headers,
        group=str(Path(asked).parent),
    )


def _message(path: str) -> rawhttp.Message:
    with opening.opened(path) as stream:
        return rawhttp.parsed(opening.whole(stream, path))


FORMAT = Format(
    name="bodies",
    title="bodies only, and pairs of files: NAME-request.json, NAME-response.json",
    detect=_detect,
    read=_read,
    together=Together(_groups, _pairs),
    suffixes=(".http",),
    fallback=True,
)
