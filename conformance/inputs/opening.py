"""Opens files as bytes: compression is detected by its magic number, and every failure becomes a one-line error."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import remote, zst

_GZIP_MAGIC = b"\x1f\x8b"
_BUFFER = 1 << 16
LARGEST_DOCUMENT = 1 << 29
"""The maximum size of a document that is read as a whole (a cassette, a HAR file, one line of JSONL)."""


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """The bytes of a file or a URL, decompressed; also works on pipes, because it does not seek.

    Raises:
        ConformanceError: the file cannot be opened, or reading it fails.
    """
    with failures_of(path):
        if remote.is_url(path):
            with remote.opened(path) as stream:
                yield binary(stream)
            return
        with Path(path).open("rb", buffering=_BUFFER) as raw:
            yield unzipped(raw)


def plain_name(path: str) -> str:
    """The name of a file in lower case, without the ending of its compression."""
    return path.lower().removesuffix(".gz").removesuffix(".zst")


def unzipped(raw: Any) -> IO[bytes]:
    """The stream, decompressed if it starts so; a stream that cannot peek is returned unchanged."""
    if not isinstance(raw, io.BufferedReader):
        return raw  # type: ignore[no-any-return]
    start = raw.peek(4)[:4]
    if start == zst.MAGIC:
        return zst.decompressed(raw, _BUFFER)
    if start[:2] != _GZIP_MAGIC:
        return raw
    import gzip  # a fortieth of the time of a verdict about one file, which is rarely zipped

    return io.BufferedReader(gzip.GzipFile(fileobj=raw, mode="rb"), _BUFFER)


def binary(stream: Any) -> IO[bytes]:
    """A stream of bytes whose beginning can be inspected (`head`), decompressed."""
    if isinstance(stream, io.TextIOBase):
        stream = io.BytesIO(stream.read().encode("utf-8", "surrogatepass"))
    packed = not isinstance(stream, io.BufferedReader) and head(stream, 4).startswith((_GZIP_MAGIC, zst.MAGIC))
    if not isinstance(stream, io.BufferedReader) and (packed or not stream.seekable()):
        stream = io.BufferedReader(stream, _BUFFER)
    return unzipped(stream)


def head(stream: IO[bytes], size: int) -> bytes:
    """The first bytes of a stream, without consuming them; of a pipe, those that have arrived."""
    if isinstance(stream, io.BufferedReader):
        return stream.peek(size)[:size]
    if not stream.seekable():
        return b""
    place = stream.tell()
    found = stream.read(size)
    stream.seek(place)
    return found


@contextmanager
def failures_of(name: str) -> Iterator[None]:
    """Turns the errors of reading into a `ConformanceError` that names the file."""
    try:
        yield
    except _broken() as error:
        raise ConformanceError(
            f"{name}: invalid or truncated {_packing(error)} data ({error})", "download or compress it again"
        ) from None
    except IsADirectoryError:
        raise ConformanceError(f"{name}: is a folder, not a file", "pass a file") from None
    except FileNotFoundError:
        raise ConformanceError(f"{name}: no such file", "check the path") from None
    except OSError as error:
        raise ConformanceError(f"{name}: cannot be read ({error.strerror or error})", "check its permissions") from None


def _broken() -> tuple[type[Exception], ...]:
    """What reading a broken compressed file raises."""
    from gzip import BadGzipFile

    return BadGzipFile, EOFError, zlib.error


def _packing(error: Exception) -> str:
    return "Zstandard" if isinstance(error, zst.BrokenError) else "gzip"


def _too_large(name: str) -> ConformanceError:
    return ConformanceError(
        f"{name}: one document is larger than {LARGEST_DOCUMENT >> 20} MiB",
        "split it, or convert it to exchange JSONL",
    )


def whole(stream: IO[bytes], name: str, start: bytes = b"") -> bytes:
    """The rest of the stream, after `start`, which was read before.

    Raises:
        ConformanceError: it is too large to be read at once.
    """
    rest = stream.read(LARGEST_DOCUMENT + 1)
    if len(rest) > LARGEST_DOCUMENT:
        raise _too_large(name)
    return start + rest


def lines(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """The lines of the stream.

    Raises:
        ConformanceError: a line is too long to be read at once.
    """
    while line := stream.readline(LARGEST_DOCUMENT):
        if len(line) == LARGEST_DOCUMENT and not line.endswith(b"\n"):
            raise _too_large(name)
        yield line
