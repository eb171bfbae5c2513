"""httprr, the recorder of Go's projects: each request with its response, as they went over the wire.

After its first line, a file has for each exchange a line with the two sizes in bytes, the request and the response.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from conformance.errors import ConformanceError
from conformance.inputs import bodies, opening, rawhttp
from conformance.inputs.format import Format
from conformance.inputs.interactions import CUT
from conformance.model.exchange import Exchange, Headers, Request, Response

_START = b"httprr trace v1\n"
_SIZES = re.compile(rb"(\d{1,12}) (\d{1,12})\n")


def _read(stream: IO[bytes], path: str) -> Iterator[Exchange]:
    data = opening.whole(stream, path)
    position, number = len(_START), 0
    while position < len(data):
        sizes = _SIZES.match(data, position)
        middle = sizes.end() + int(sizes[1]) if sizes else 0
        end = middle + int(sizes[2]) if sizes else 0
        if sizes is None or end > len(data):
            raise ConformanceError(f"{path}: exchange {number}: its sizes are missing, or the file ends within it", CUT)
        asked, answered = rawhttp.parsed(data[sizes.end() : middle]), rawhttp.parsed(data[middle:end])
        if asked.url is None or asked.method is None or answered.status is None:
            raise ConformanceError(f"{path}: exchange {number}: not an HTTP request with its response", CUT)
        sent, received = asked.headers or Headers(), answered.headers or Headers()
        yield Exchange(
            request=Request(asked.method, asked.url, sent, bodies.received(asked.body, sent)),
            response=Response(answered.status, received, bodies.received(answered.body, received)),
            source=path,
            group=path,
        )
        position, number = end, number + 1


FORMAT = Format(
    name="httprr",
    title="traces of httprr, the recorder of Go's projects",
    detect_bytes=lambda head: head.startswith(_START),
    read_bytes=_read,
    suffixes=(".httprr",),
)
