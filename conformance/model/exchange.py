"""One HTTP request and its response, as evidence: parsed on demand, never changed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from conformance.model import eventstream, jsontext, lines, sse
from conformance.model.frozen import dataclass
from conformance.model.lazy import lazy
from conformance.model.transcript import Malformed


class Headers:
    """Header fields in order, looked up without regard to case."""

    __slots__ = ("_by_name", "_pairs")

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs = tuple((str(name), str(value)) for name, value in pairs)
        self._by_name: dict[str, str] | None = None

    @classmethod
    def of(cls, mapping: Mapping[str, Any] | None) -> Headers:
        """From the object form of exchange JSONL and cassettes: values are strings or lists of strings."""
        headers = cls()
        given = mapping or {}
        if {*map(type, given), *map(type, given.values())} <= {str}:  # the usual case
            headers._pairs = tuple(given.items())
            return headers
        pairs: list[tuple[str, str]] = []
        for name, value in given.items():
            if isinstance(value, str):
                pairs.append((str(name), value))
            else:
                values = value if isinstance(value, (list, tuple)) else [value]
                pairs.extend((str(name), _text(each)) for each in values)
        headers._pairs = tuple(pairs)
        return headers

    def get(self, name: str) -> str | None:
        """The field's values joined by a comma, as RFC 9110 section 5.3 allows; None when it is absent."""
        if self._by_name is None:
            joined: dict[str, str] = {}
            for key, value in self._pairs:
                lower = key.lower()
                joined[lower] = f"{joined[lower]}, {value}" if lower in joined else value
            self._by_name = joined
        return self._by_name.get(name.lower())

    def lists(self) -> dict[str, list[str]]:
        """The values of each field, as cassettes and exchange JSONL have them."""
        found: dict[str, list[str]] = {}
        for name, value in self._pairs:
            found.setdefault(name, []).append(value)
        return found

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __repr__(self) -> str:
        return f"Headers({[name for name, _ in self._pairs]})"


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


class Body:
    """A body as it was received: bytes, text, or a JSON value that a recorder had already parsed.

    `note` states why the content could not be read (an encoding that this machine cannot undo).
    """

    def __init__(self, content: Any = None, note: str | None = None) -> None:
        self.content = content
        self.note = note

    @property
    def parsed_by_recorder(self) -> bool:
        return self.content is not None and not isinstance(self.content, (str, bytes))

    @property
    def empty(self) -> bool:
        return self.content is None or self.content in ("", b"")

    @lazy
    def text(self) -> str | None:
        """The body as text; broken UTF-8 shows as U+FFFD. None for frames and parsed values."""
        if self.framed:
            return None
        if isinstance(self.content, bytes):
            return self.content.decode("utf-8", "replace")
        return self.content if isinstance(self.content, str) else None

    @lazy
    def framed(self) -> bool:
        """Whether the body is frames of Amazon's event stream."""
        return isinstance(self.content, bytes) and eventstream.looks_like_frames(self.content)

    @lazy
    def json(self) -> Any:
        """The JSON value, or `Malformed`; of frames, the events of those that are sound."""
        if self.parsed_by_recorder:
            return self.content
        if self.framed:
            return eventstream.events(self.content)
        return jsontext.parse(self.text or "")


def _split(url: str) -> SplitResult:
    """The URL's parts; no parts if it is not a valid URL (a bracket that is never closed)."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


@lru_cache(maxsize=256)
def _place(url: str) -> tuple[str, str]:
    """The path, percent-decoded, and the host of a URL: a run asks the same few over and over."""
    parts = _split(url)
    return unquote(parts.path), (parts.hostname or "").lower()


@lru_cache(maxsize=256)
def _query(url: str) -> tuple[tuple[str, str], ...]:
    return tuple(parse_qsl(_split(url).query, keep_blank_values=True))


UNANSWERED = 100
"""A status that is neither success nor failure: there is no answer yet (100 Continue)."""


SWITCHED = 101
"""The status of a handshake after which both sides send frames (101 Switching Protocols)."""
WEBSOCKET = ("ws://", "wss://")
"""What the URL begins with of an exchange over a WebSocket: one frame of the client, and those that answer it."""


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    url: str
    headers: Headers = field(default_factory=Headers)
    body: Body = field(default_factory=Body)

    @property
    def path(self) -> str:
        """The path, percent-decoded (Bedrock's recorded URLs escape the colon of a model name)."""
        return _place(self.url)[0]

    @property
    def host(self) -> str:
        return _place(self.url)[1]

    @property
    def of_reply(self) -> bool:
        """Whether nothing but the path is known of it: read off a reply, or recorded without a host and a body."""
        return not self.host and self.body.empty

    @property
    def in_frame(self) -> bool:
        """Whether it is a frame of a WebSocket, and not a request of its own."""
        return self.url.startswith(WEBSOCKET)

    @property
    def is_line(self) -> bool:
        """Whether it is a line on the standard input of a server."""
        return self.url.startswith(STDIO)

    @property
    def frame(self) -> Any:
        """The type of the frame, for an exchange over a WebSocket."""
        body = self.body.json if self.in_frame else None
        return body.get("type") if isinstance(body, dict) else None

    @property
    def query(self) -> dict[str, str]:
        return dict(_query(self.url)) if "?" in self.url else {}


def succeeded(status: int) -> bool:
    """Whether a status is a success; over a WebSocket, it is that of the handshake."""
    return 200 <= status < 300 or status == SWITCHED


@dataclass(frozen=True)
class Response:
    status: int
    headers: Headers = field(default_factory=Headers)
    body: Body = field(default_factory=Body)

    @property
    def ok(self) -> bool:
        """Whether it is no refusal."""
        return succeeded(self.status)

    @lazy
    def is_event_stream(self) -> bool:
        """Whether the body is server-sent events, by its type or, if that is missing, by its text."""
        text = self.body.text
        if text is None:
            return False
        kind = (self.headers.get("content-type") or "").lower()
        return "text/event-stream" in kind or sse.looks_like_events(text)

    @lazy
    def is_lines(self) -> bool:
        """Whether the body is a stream of newline-delimited JSON, by its type or, if that is missing, by its text."""
        text = self.body.text
        if text is None:
            return False
        kind = (self.headers.get("content-type") or "").lower()
        return lines.is_of_lines(kind) or (not kind and lines.looks_like_lines(text))

    @property
    def is_stream(self) -> bool:
        """Whether the body is a stream of any kind."""
        return self.is_event_stream or self.is_lines or self.body.framed

    @lazy
    def events(self) -> tuple[sse.Event, ...]:
        """The events of a stream, its lines, or its frames."""
        if self.body.framed:
            return tuple(eventstream.numbered(self.body.content))
        if self.is_event_stream:
            return tuple(sse.events(self.body.text or ""))
        return tuple(lines.events(self.body.text or "")) if self.is_lines else ()


Lack = Literal["request", "response", "url", "headers", "status", "members", "conversation"]
"""What a source does not contain of an exchange.

`request` and `response`: that side. `url`: that of the request, whose path is guessed from the bodies. `headers` and
`status`: those of HTTP, of the request at least. `members`: the bodies as they were sent; the source has the messages,
and the bodies were put together from them. `conversation`: to which of several it belongs.
"""


UNKNOWN_MODEL = "unknown"
"""The model in a path that was guessed."""
STDIO = "stdio://"
"""What the URL begins with of an exchange over standard input and output."""
_WITHOUT_HTTP: frozenset[Lack] = frozenset({"headers", "status"})


def lacks_at(url: str) -> frozenset[Lack]:
    """What an exchange with this URL never has: without HTTP, neither headers nor a status of its own."""
    return _WITHOUT_HTTP if url.startswith((STDIO, *WEBSOCKET)) else frozenset()


@dataclass(frozen=True, slots=True)
class Members:
    """What the source contains of bodies that were put together from messages, if the exchange had it.

    `request` and `reply` are places in the bodies, with `*` for every item; without places below it, all of a value.
    `neutral` are the settings of the neutral request (`Ask`) that it contains, and `signature` if it contains those.
    """

    request: tuple[str, ...] = ()
    reply: tuple[str, ...] = ()
    neutral: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Exchange:
    """`source` is the file (with `:LINE` for JSONL), `id` and `conversation` are as given in the input.

    `complete` is whether nothing was dropped: it was sent live, or recorded by us. Only then
    is the absence of a header, of `tools` or of an earlier turn evidence of anything.
    `lacks` names what the source never contains, and what therefore is not judged; `members` are what it does contain
    of bodies that are not as they were sent.
    """

    request: Request
    response: Response
    source: str = ""
    id: str | None = None
    conversation: str | None = None
    complete: bool = False
    group: str = ""
    """What keeps this exchange together with others of its run; by default its source and conversation."""
    lacks: frozenset[Lack] = frozenset()
    members: Members | None = None
    line: Mapping[str, Any] | None = None
    """Of a line of a batch file: its `custom_id`, `method` and `url`, and what other lines show (`formats.batch`)."""

    @classmethod
    def of(cls, record: Mapping[str, Any], **origin: Any) -> Exchange:
        """From one object of exchange JSONL (DESIGN 5); `origin` is `source`, `complete`, `group`.

        Raises:
            ValueError: the record is not of that form; the text names the place.
        """
        request, response = record.get("request"), record.get("response")
        if not isinstance(request, Mapping) or not isinstance(response, Mapping):
            raise ValueError("an exchange must be an object with a `request` and a `response` object")
        if not isinstance(request.get("url"), str):
            raise ValueError("`request.url` is not a string")
        status = response.get("status")
        if isinstance(status, bool) or not isinstance(status, int):
            raise ValueError("`response.status` is not a number")
        line = record.get("line")
        for side, message in (("request", request), ("response", response)):
            if not isinstance(message.get("headers") or {}, Mapping):
                raise ValueError(f"`{side}.headers` is not an object")
        headers, answered = Headers.of(request.get("headers")), Headers.of(response.get("headers"))
        return cls(
            request=Request(
                method=str(request.get("method") or "POST").upper(),
                url=request["url"],
                headers=headers,
                body=Body(request.get("body")),
            ),
            response=Response(status, answered, Body(response.get("body"))),
            lacks=lacks_at(request["url"]),
            id=_label(record.get("id")),
            conversation=_conversation(record, (headers, answered)),
            line=line if isinstance(line, Mapping) else None,
            **origin,
        )


def json_request(path: str, body: Any, *headers: tuple[str, str]) -> Request:
    """A POST of a JSON value, to a path of no host."""
    return Request(
        "POST", f"https://localhost{path}", Headers((("content-type", "application/json"), *headers)), Body(body)
    )


def with_request_body(exchange: Exchange, value: Any) -> Exchange:
    """The exchange with an equal JSON value in place of the one of the request's body."""
    before = exchange.request.body
    body = Body(value if before.parsed_by_recorder else before.content, before.note)
    body.json = value
    return replace(exchange, request=replace(exchange.request, body=body))


def conversation_of(record: Mapping[str, Any]) -> str | None:
    """The conversation that an object of exchange JSONL names, or else the session of MCP that its headers name."""
    sides = (each for each in map(record.get, ("request", "response")) if isinstance(each, Mapping))
    return _conversation(
        record, (Headers.of(each["headers"]) for each in sides if isinstance(each.get("headers"), Mapping))
    )


def _conversation(record: Mapping[str, Any], headers: Iterable[Headers]) -> str | None:
    named = _label(record.get("conversation"))
    if named is not None:
        return named
    session = next(filter(None, (each.get("mcp-session-id") for each in headers)), None)
    return None if session is None else f"session {zlib.crc32(session.encode('utf-8', 'surrogatepass')):08x}"


def _label(value: Any) -> str | None:
    return None if value is None else str(value)


def is_broken(value: Any) -> bool:
    """Whether a parsed body is text that is not JSON."""
    return isinstance(value, Malformed)
