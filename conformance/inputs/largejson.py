"""Reads large JSON documents one element of their list at a time, so that memory use is that of one element.

The list is the document itself (`[{…}, …]`), the value of its first member if that is a list of logs (`{"data": [`),
or the entries of an HTTP archive. Each element is returned as a document of its own, with only that element in its
list. What follows the list is not read.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs.opening import LARGEST_DOCUMENT

_CHUNK = 1 << 20
_LIST = re.compile(
    r'\ufeff?\s*(?:\{\s*"(?P<member>data|observations|runs|resourceSpans|resourceLogs|mappings)"\s*:\s*)?\['
)
_ARCHIVE = re.compile(r'\ufeff?\s*\{\s*"log"\s*:\s*\{(?:(?!"entries").){0,100000}"entries"\s*:\s*\[', re.DOTALL)
_SPACE = re.compile(r"[\s,]*")
_Document = Callable[[Any], Any]


def begins(start: bytes) -> bool:
    """Whether a text begins a document that can be read this way."""
    return _begin(start.decode("utf-8", "replace")) is not None


def elements(start: bytes, stream: IO[bytes], path: str) -> Iterator[Any] | None:
    """The documents of the elements, if `start` begins a list of objects; None if it begins something else."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(start)
    found = _begin(text)
    if found is None:
        return None
    position, document = found
    if not text[_end_of(_SPACE, text, position) :].startswith("{"):
        return None
    return _elements(text[position:], decoder, stream, path, document)


def _begin(text: str) -> tuple[int, _Document] | None:
    """Where the first element begins, and a function that makes a document of an element."""
    archive = _ARCHIVE.match(text)
    if archive is not None:
        return archive.end(), lambda element: {"log": {"entries": [element]}}
    plain = _LIST.match(text)
    if plain is None:
        return None
    if plain["member"] is None:
        return plain.end(), lambda element: [element]
    return plain.end(), lambda element: {plain["member"]: [element]}


def _elements(
    text: str, decoder: codecs.IncrementalDecoder, stream: IO[bytes], path: str, document: _Document
) -> Iterator[Any]:
    reader = json.JSONDecoder()
    position = 0
    wanted = _CHUNK
    while True:
        position = _end_of(_SPACE, text, position)
        if text.startswith("]", position):
            return
        try:
            element, position = reader.raw_decode(text, position)
        except RecursionError:
            raise ConformanceError(f"{path}: JSON that is nested too deeply", "check the file") from None
        except ValueError as error:
            data = stream.read(wanted)
            if not data or len(text) - position > LARGEST_DOCUMENT:
                raise ConformanceError(
                    f"{path}: invalid or truncated JSON ({error})", "correct the file or record it again"
                ) from None
            text, position = text[position:] + decoder.decode(data), 0
            wanted *= 2  # do not parse a long element again for each of its chunks
        else:
            wanted = _CHUNK
            yield document(element)


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position
