"""Bodies as they are recorded: without their content coding, so that they can be searched for secrets and read."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from conformance.model.limits import limits

_MIB = 1 << 20


class UnreadableError(Exception):
    """A body that cannot be decoded; the text is the reason."""


def decoded(content: bytes, codings: Iterable[str], *, whole: bool) -> bytes:
    """The content without its codings, the last first. Of a body that was cut off, as much as can be read.

    Raises:
        UnreadableError: a coding is unknown here, the content does not have it, or it is larger than a limit.
    """
    for coding in reversed([each.strip().lower() for each in codings]):
        if coding in ("", "identity") or not content:
            continue
        machine = _machine(coding)
        most = limits().body
        try:
            plain = machine(content, most * _MIB)
        except Exception as error:
            raise UnreadableError(f"the body is not valid {coding}") from error
        if len(plain) > most * _MIB:
            raise UnreadableError(f"the body is larger than {most} MiB when decompressed (--max-body)")
        if whole and not plain and content:
            raise UnreadableError(f"the body is not valid {coding}")
        content = plain
    return content


def _machine(coding: str) -> Callable[[bytes, int], bytes]:
    if coding in ("gzip", "x-gzip", "deflate"):
        return _inflated
    for name, module, read in (("br", "brotli", _brotli), ("zstd", "zstandard", _zstd)):
        if coding == name:
            try:
                library = import_module(module)
            except ModuleNotFoundError:
                raise UnreadableError(f"content coding {coding} needs {module}: pip install {module}") from None
            return lambda content, most: read(library, content, most)
    raise UnreadableError(f"content coding {coding} is not supported")


def _inflated(content: bytes, most: int) -> bytes:
    pieces: list[bytes] = []
    left = most + 1
    window = 47 if content[:1] in (b"\x1f", b"\x78") else -15  # gzip or zlib, by their own header; raw deflate
    while content and left > 0:
        machine = zlib.decompressobj(window)
        pieces.append(machine.decompress(content, left))
        left -= len(pieces[-1])
        content = machine.unused_data
    return b"".join(pieces)


def _brotli(library: Any, content: bytes, most: int) -> bytes:
    return _piece_by_piece(library.Decompressor().process, content, most, 1 << 16)


def _zstd(library: Any, content: bytes, most: int) -> bytes:
    machine = library.ZstdDecompressor().decompressobj(read_across_frames=True)
    return _piece_by_piece(machine.decompress, content, most, 1 << 14)


def _piece_by_piece(decompress: Callable[[bytes], bytes], content: bytes, most: int, step: int) -> bytes:
    """The content without its coding, which is left off once it is larger than the limit."""
    pieces, size = [], 0
    for start in range(0, len(content), step):
        pieces.append(decompress(content[start : start + step]))
        size += len(pieces[-1])
        if size > most:
            break
    return b"".join(pieces)
