"""Finds the files: which exist, which are read in a folder, and each file once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from conformance.errors import ConformanceError

_SKIPPED_FOLDERS = {"__files", "__pycache__", "node_modules", "site-packages"}
"""`__files` contains the bodies of WireMock's mappings, and is read together with them."""
_RECORDING_ENDS = (".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".har")
"""The common file name endings; a format may have more."""


def must_exist(path: str) -> None:
    """Reports a missing path early, before anything is judged.

    Raises:
        ConformanceError: there is no such file or folder, or it is not readable.
    """
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise ConformanceError(f"{path}: no such file or folder", "check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConformanceError(f"{path}: cannot be read ({reason})", "check the path and its permissions") from None


def files(folder: str) -> Iterator[str]:
    """The files below a folder that may be recordings by their names, sorted, without those in hidden folders.

    Raises:
        ConformanceError: a folder is not readable.
    """
    return (file for files in folders(folder) for file in files)


def folders(folder: str, more_ends: tuple[str, ...] = ()) -> Iterator[list[str]]:
    """The same files, grouped by folder. `more_ends` are additional file name endings.

    Raises:
        ConformanceError: as for `files`.
    """

    def refuse(error: OSError) -> None:
        raise ConformanceError(
            f"{error.filename}: cannot be read ({error.strerror})", "check the permissions of the folder"
        )

    ends = (*_RECORDING_ENDS, *more_ends)
    for parent, below, names in os.walk(folder, onerror=refuse):
        below[:] = sorted(name for name in below if not name.startswith(".") and name not in _SKIPPED_FOLDERS)
        found = (name for name in sorted(names) if not name.startswith("."))
        yield [
            os.path.join(parent, name)  # noqa: PTH118 - keeps the spelling that the user gave
            for name in found
            if name.lower().removesuffix(".gz").endswith(ends)
        ]


def is_new(path: str, seen: set[str]) -> bool:
    """Whether a file occurs for the first time; judged twice, it would look like a run with everything doubled."""
    real = os.path.realpath(path)
    if real in seen:
        return False
    seen.add(real)
    return True
