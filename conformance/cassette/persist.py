"""Writing files whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from conformance.errors import ConformanceError

_LEFTOVER = re.compile(r"\..+\.ya?ml\.[A-Za-z0-9_]{8}\.tmp")
"""The name of a part of a cassette, as `mkstemp` makes it below."""


def write_atomically(path: Path, text: str, *, durable: bool = True) -> None:
    """Replaces the file by one with this text. A reader sees the old text or the new one, never a part.

    The text goes to a file beside it, reaches the disk, and takes the name in one step: a crash, a full disk or
    a kill leaves the old file as it was. Without `durable` it does not wait for the disk: after a power cut, the
    latest texts may be missing.

    Raises:
        ConformanceError: the file cannot be written; the old one is untouched.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
        temporary = None
        if durable:
            _sync_folder(path.parent)
    except OSError as error:
        raise ConformanceError(
            f"{path}: cannot write: {error.strerror or error}",
            "check free space and permissions; the old file was left unchanged",
        ) from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Makes the new name survive a power cut, if the system supports that for folders.

    The file is already in place, so a failure here is not an error.
    """
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_leftovers(folder: Path) -> None:
    """Removes the parts of cassettes that a killed run left; no other process may be writing here."""
    for path in folder.rglob(".*.tmp"):
        if _LEFTOVER.fullmatch(path.name):
            path.unlink(missing_ok=True)
