"""Finding the files: what exists, what is looked at in a folder, and each file once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from conformance.errors import ConformanceError

_SKIPPED_FOLDERS = {"__files", "__pycache__", "node_modules", "site-packages"}
"""`__files` holds the bodies of WireMock's mappings, which are read with these."""
_RECORDING_ENDS = (".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".har")
"""The usual ones; a format may have more."""


def must_exist(path: str) -> None:
    """Says early, before anything is judged, that a path leads nowhere.

    Raises:
        ConformanceError: there is no such file or folder, or it may not be looked at.
    """
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise ConformanceError(f"{path}: no such file or folder", "check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConformanceError(f"{path}: cannot be read ({reason})", "check the path and its permissions") from None


def files(folder: str) -> Iterator[str]:
    """The files below a folder that may be recordings by their names, sorted, hidden folders left out.

    Raises:
        ConformanceError: a folder may not be read.
    """
    return (file for files in folders(folder) for file in files)


def folders(folder: str, more_ends: tuple[str, ...] = ()) -> Iterator[list[str]]:
    """The same files, those of each folder together. `more_ends` are endings of names besides the usual ones.

    Raises:
        ConformanceError: as of `files`.
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
    """Whether a file comes up for the first time; judged twice, it would look like one run with everything doubled."""
    real = os.path.realpath(path)
    if real in seen:
        return False
    seen.add(real)
    return True
