"""The debug log of LiteLLM (`litellm._turn_on_debug()`, `LITELLM_LOG=DEBUG`, the proxy with `--detailed_debug`).

Read as LiteLLM 1 prints it: `POST Request Sent from LiteLLM:` with a curl command whose body is a Python value, and
`RAW RESPONSE:` with the text of the reply. Of a streamed reply there is none. The lines do not name their call: if a
request is sent while another one is unanswered, which reply belongs to which is unknown, and each side is judged alone.

Where a provider's SDK sends the request, the URL is only its base, and what is printed are the SDK's values: then the
messages are judged, not the bodies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any, Final
from urllib.parse import urlsplit

from conformance.inputs import build, endpoints, native, printed
from conformance.inputs.format import Format
from conformance.model.exchange import Body, Exchange
from conformance.model.frozen import dataclass

_SENT: Final = "POST Request Sent from LiteLLM:"
_RECEIVED: Final = "RAW RESPONSE:"
_RECORD = re.compile(r"\d\d:\d\d:\d\d - LiteLLM[^:]*:[A-Z]+")
_BODY = re.compile(r"-d '?(.*?)'?")
_DETECT = re.compile(rb"(?:^|\n)(?:\x1b\[[\d;]*m)?\d\d:\d\d:\d\d - LiteLLM[^:\n]*:[A-Z]+")


@dataclass(frozen=True, slots=True)
class _Sent:
    url: str
    body: Any


def _records(stream: IO[bytes], path: str) -> Iterator[tuple[str, list[str]]]:
    """What is printed about the traffic: `_SENT` or `_RECEIVED`, with the lines below it, up to the next record."""
    kind, below = "", list[str]()
    for line in printed.lines(stream, path):
        begins = _SENT if line.endswith(_SENT) else _RECEIVED if line.endswith(_RECEIVED) else ""
        if begins or _RECORD.match(line):
            if kind:
                yield kind, below
            kind, below = begins, []
        elif kind:
            below.append(line)
    if kind:
        yield kind, below


def _sent(below: list[str]) -> _Sent | None:
    """The request of a curl command; None if its body is cut off, or is no JSON."""
    url = next((line.removesuffix("\\").strip() for line in below if "://" in line and not line.startswith("-")), "")
    body = next((found[1] for line in below if (found := _BODY.fullmatch(line))), "")
    value = printed.literal(body)
    return _Sent(url, value) if url and isinstance(value, dict) else None


def _exchange(sent: _Sent | None, reply: str | None, path: str) -> Exchange | None:
    if sent is None:
        body = None if reply is None else Body(reply)
        known = body is not None and endpoints.of_response(body) is not None
        return build.exchange(None, body, source=path, group=path) if known else None
    asked = {name: value for name, value in sent.body.items() if (name, value) != ("extra_body", {})}
    endpoint = endpoints.of_request(asked)
    if reply is None or endpoint is None or not urlsplit(sent.url).path.endswith(_end(endpoint)):
        return native.exchange(asked, reply, source=path, group=path)
    return build.exchange(Body(asked), Body(reply), url=sent.url, source=path, group=path)


def _end(endpoint: str) -> str:
    """What the path of every provider ends with that has the endpoint."""
    return f":{endpoint.rpartition(':')[2]}" if ":" in endpoint else endpoint.removeprefix("/v1")


def _exchanges(stream: IO[bytes], path: str) -> Iterator[Exchange | None]:
    waiting, mixed = list[_Sent | None](), False
    for kind, below in _records(stream, path):
        if kind == _SENT:
            waiting.append(_sent(below))
            mixed = mixed or len(waiting) > 1
        elif waiting:
            sent, reply = waiting.pop(0), printed.object_at("\n".join(below).lstrip())
            if mixed:
                yield from (_exchange(sent, None, path), _exchange(None, reply, path))
            else:
                yield _exchange(sent, reply, path)
            mixed = mixed and bool(waiting)
    yield from (_exchange(sent, None, path) for sent in waiting)


def _read(stream: IO[bytes], path: str) -> Iterator[Exchange]:
    return (each for each in _exchanges(stream, path) if each is not None)


FORMAT = Format(
    name="litellm-debug",
    title="the debug log of LiteLLM",
    detect_bytes=lambda head: _DETECT.search(head) is not None,
    read_bytes=_read,
    lacks=frozenset({"headers", "status"}),
)
