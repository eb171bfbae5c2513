"""One raw response: a stream as `curl -N` prints it, or a whole response with its headers (`curl -i`).

There is no request. The dialect is detected from the body, and only the response is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from conformance.errors import ConformanceError
from conformance.inputs import bodies, build, endpoints, opening, rawhttp
from conformance.inputs.format import Format
from conformance.model.exchange import Exchange, Headers

_BEGIN = re.compile(rb"\s*(?::[^\n]*\n\s*)*(?:data|event|id|retry):")


_RUN_ON = re.compile(rb"^data: ?\{[^\n]*\}\r?\n(?:data|event):", re.MULTILINE)
"""A whole object, and the next event directly below it."""
_EMPTY_LINE = re.compile(rb"\n\r?\n")


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
    if _RUN_ON.search(message.body) and not _EMPTY_LINE.search(message.body.strip()):
        raise ConformanceError(
            f"{path}: no empty line ends an event, so no client can tell them apart",
            "put an empty line after each event if the file lost them; a server that sends none is at fault",
        )
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
