"""One raw response: a stream as `curl -N` prints it, or a whole response with its headers (`curl -i`).

There is no request. The dialect is detected from the body, and only the response is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from conformance.inputs import bodies, build, endpoints, opening, rawhttp
from conformance.inputs.format import Format
from conformance.model.exchange import Exchange, Headers

_BEGIN = re.compile(rb"\s*(?::[^\n]*\n\s*)*(?:data|event|id|retry):")


def _detect(head: bytes) -> bool:
    plain = head.removeprefix(b"\xef\xbb\xbf")
    if rawhttp.is_response(plain):
        return True
    found = _BEGIN.match(plain)
    if found is None:
        return endpoints.begins_lines(plain)
    # `data: {`, or an event with a name: a YAML file may also begin with the key `data` or `id`.
    return re.search(rb"(?:^|\n)data: ?(?:\{|\[DONE\])", plain) is not None


def _read(stream: IO[bytes], path: str) -> Iterator[Exchange]:
    message = rawhttp.parsed(opening.whole(stream, path))
    headers = message.headers or Headers()
    yield build.exchange(
        None,
        bodies.received(message.body, headers),
        source=path,
        status=message.status,
        response_headers=message.headers,
        group=path,
    )


FORMAT = Format(
    name="sse",
    title="one raw response: a stream, as `curl -N` prints it",
    detect_bytes=_detect,
    read_bytes=_read,
    suffixes=(".sse",),
    lacks=frozenset({"request"}),
)
