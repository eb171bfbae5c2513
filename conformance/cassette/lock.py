"""One writer for a folder of cassettes at a time.

The lock is the operating system's, on an open file, so it always ends with its process: a lock file that is left
over has no effect. Its text names the holder. A run takes it once for its folder; its worker
processes write under it and take none.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from conformance.cassette.persist import remove_leftovers
from conformance.errors import ConformanceError

LOCK_NAME = ".conformance.lock"

_held: dict[Path, int] = {}
"""The folders that this process writes to, with how often: who writes may call who writes."""


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Locks the folder for this process, and removes partial files of killed runs.

    Raises:
        ConformanceError: another process writes to it, or it cannot be written to.
    """
    folder = folder.resolve()
    if folder in _held:
        _held[folder] += 1
        try:
            yield
        finally:
            _held[folder] -= 1
        return
    path = folder / LOCK_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _acquired(path)
    except OSError as error:
        raise ConformanceError(
            f"{folder}: cannot write: {error.strerror or error}", "pass a writable folder"
        ) from error
    if descriptor is None:
        raise ConformanceError(
            f"{folder}: {_holder(path)} is writing to it",
            "wait until it has finished, or use another folder with --cassettes DIR",
        )
    _held[folder] = 1
    try:
        remove_leftovers(folder)
        yield
    finally:
        del _held[folder]
        with suppress(OSError):
            path.unlink()  # while it is still locked, so that a waiting process sees that the file is gone
        os.close(descriptor)


def _acquired(path: Path) -> int | None:
    """The open lock file, with our name in it; None if another process has it."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if not _lock(descriptor):
                os.close(descriptor)
                return None
            if not _same_file(descriptor, path):  # the holder before us has removed it: begin again
                os.close(descriptor)
                continue
            since = datetime.now(UTC).isoformat(timespec="seconds")
            text = json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": since})
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, text.encode(), 0) if hasattr(os, "pwrite") else os.write(descriptor, text.encode())
        except BaseException:
            with suppress(OSError):
                os.close(descriptor)
            raise
        return descriptor


def _same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    """The offset of the lock: on Windows, no process can read locked bytes, but the text must be readable."""

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _holder(path: Path) -> str:
    """The holder of a lock, from its text."""
    try:
        info = json.loads(path.read_text(encoding="utf-8"))
        host = "" if info["host"] == socket.gethostname() else f" on {info['host']}"
        return f"process {int(info['pid'])}{host}, since {datetime.fromisoformat(info['since']):%Y-%m-%d %H:%M:%S} UTC,"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
