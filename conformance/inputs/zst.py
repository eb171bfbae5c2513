"""Decompresses Zstandard: with the standard library from Python 3.14 on, before that with its backport."""

from __future__ import annotations

import io
import sys
from typing import Any

from conformance.inputs.extra import needed

MAGIC = b"\x28\xb5\x2f\xfd"


class BrokenError(EOFError):
    """The data is broken, or ends too early."""


class _Reader(io.RawIOBase):
    """The decompressed bytes."""

    def __init__(self, file: Any, error: type[Exception]) -> None:
        self._file, self._error = file, error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read1(len(buffer))
        except (self._error, EOFError) as error:
            raise BrokenError(str(error)) from None
        buffer[: len(data)] = data
        return len(data)


def decompressed(raw: Any, size: int) -> io.BufferedReader:
    """The stream, decompressed.

    Raises:
        ConformanceError: the package is not installed.
    """
    module = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    zstd = needed(module, "a file compressed with Zstandard", "zst")
    return io.BufferedReader(_Reader(zstd.ZstdFile(raw), zstd.ZstdError), size)
