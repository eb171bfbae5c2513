"""Text that waits until the text before it is known: in memory, and on disk when it grows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO

_IN_MEMORY = 1 << 20


class Spool:
    """ASCII text, written first and read afterwards, once. It cleans up after itself even when a run breaks off."""

    def __init__(self) -> None:
        self._file: IO[str] = SpooledTemporaryFile(_IN_MEMORY, mode="w+", encoding="ascii")  # noqa: SIM115 - see __del__
        self.write = self._file.write

    @property
    def empty(self) -> bool:
        return self._file.tell() == 0

    def copy_to(self, stream: IO[str]) -> None:
        self._file.seek(0)
        shutil.copyfileobj(self._file, stream)

    def lines(self) -> Iterator[str]:
        self._file.seek(0)
        yield from self._file

    def __del__(self) -> None:
        self._file.close()
