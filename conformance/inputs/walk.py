"""Finds the files: which exist, which are read in a folder, and each file once."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from conformance.errors import ConformanceError
from conformance.inputs import opening, remote
from conformance.inputs.files import Files
from conformance.inputs.formats.sse import FORMAT as SSE

_SKIPPED_FOLDERS = {"__files", "__pycache__", "node_modules", "site-packages"}
"""`__files` contains the bodies of WireMock's mappings, and is read together with them."""
_RECORDING_ENDS = (".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".har", ".parquet")
"""The common file name endings; a format may have more."""


_OTHER_ENDS = (
    *(".md", ".rst", ".txt", ".pdf", ".html", ".htm", ".css", ".xml", ".sarif", ".svg", ".png", ".jpg", ".jpeg"),
    *(".gif", ".webp", ".ico", ".py", ".pyi", ".pyc", ".ipynb", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".map"),
    *(".rb", ".go", ".mod", ".sum", ".rs", ".java", ".kt", ".swift", ".php", ".cs", ".c", ".h", ".cpp", ".sh", ".bat"),
    *(".sql", ".toml", ".ini", ".cfg", ".conf", ".lock", ".mk"),
)
"""File name endings of other kinds: text, pages, images, code, settings. Nobody misses them in a verdict."""
_OTHER_NAMES = {
    *("makefile", "dockerfile", "license", "licence", "notice", "readme", "changelog", "authors", "codeowners"),
    *("package.json", "package-lock.json", "tsconfig.json", "mkdocs.yml", "compose.yaml", "docker-compose.yml"),
}
_PACKED = {
    ".zip": "a ZIP archive: unpack it",
    ".tar": "a tar archive: unpack it",
    ".tgz": "a tar archive: unpack it",
    ".bz2": "compressed with bzip2: decompress it",
    ".xz": "compressed with xz: decompress it",
    ".br": "compressed with Brotli: decompress it",
    ".7z": "a 7z archive: unpack it",
}
_HEAD = 4096
_BY_NAME = "its name does not end as that of a recording; if it is one, pass the file itself"


def must_exist(path: str) -> None:
    """Reports a missing path early, before anything is judged.

    Raises:
        ConformanceError: there is no such file or folder, or it is not readable.
    """
    if remote.is_url(path):
        remote.is_folder(path)
        return
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        raise ConformanceError(f"{path}: no such file or folder", "check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConformanceError(f"{path}: cannot be read ({reason})", "check the path and its permissions") from None


def is_folder(path: str) -> bool:
    """Whether a path or a URL is a folder."""
    return remote.is_folder(path) if remote.is_url(path) else Path(path).is_dir()


def files(folder: str) -> Iterator[str]:
    """The files below a folder that may be recordings by their names, sorted, without those in hidden folders.

    Raises:
        ConformanceError: a folder is not readable.
    """
    return (file for files in folders(folder) for file in files)


def folders(folder: str, more_ends: tuple[str, ...] = (), seen: Files | None = None) -> Iterator[list[str]]:
    """The same files, grouped by folder. `more_ends` are additional file name endings.

    `seen` gets the other files, except hidden ones and those of kinds that never are recordings.

    Raises:
        ConformanceError: as for `files`.
    """

    def refuse(error: OSError) -> None:
        raise ConformanceError(
            f"{error.filename}: cannot be read ({error.strerror})", "check the permissions of the folder"
        )

    ends = (*_RECORDING_ENDS, *more_ends)
    found_below = remote.walk(folder) if remote.is_url(folder) else os.walk(folder, onerror=refuse)
    for parent, below, names in found_below:
        below[:] = sorted(name for name in below if not name.startswith(".") and name not in _SKIPPED_FOLDERS)
        found = []
        for name in sorted(names):
            path = os.path.join(parent, name)  # noqa: PTH118 - keeps the spelling that the user gave
            why_not = _why_not(name, path, ends)
            if why_not is None:
                found.append(path)
            elif why_not and seen is not None:
                seen.refuse(path, why_not)
        yield found


def _why_not(name: str, path: str, ends: tuple[str, ...]) -> str | None:
    """Why a file in a folder is not read; empty if nobody expects it to be, None if it is read."""
    plain = opening.plain_name(name)
    if name.startswith(".") or plain in _OTHER_NAMES:
        return ""
    if plain.endswith(ends):
        return "not a regular file" if _is_special(path) else None
    if plain.endswith(".txt") and not remote.is_url(path) and _is_stream(path):
        return None
    if plain.endswith(_OTHER_ENDS):
        return ""
    return next((reason for end, reason in _PACKED.items() if plain.endswith(end)), _BY_NAME)


def _is_stream(path: str) -> bool:
    """Whether a text file is the stream of events that somebody saved."""
    if _is_special(path):
        return False
    with suppress(ConformanceError), opening.opened(path) as stream:
        return SSE.detect_bytes(opening.head(stream, _HEAD))
    return False


def _is_special(path: str) -> bool:
    """Whether it is a pipe, a socket or a device, which may never end."""
    if remote.is_url(path):
        return False
    try:
        mode = Path(path).stat().st_mode
    except OSError:  # reported where it is opened
        return False
    return not stat.S_ISREG(mode)


def is_new(path: str, seen: set[str]) -> bool:
    """Whether a file occurs for the first time; judged twice, it would look like a run with everything doubled."""
    real = path if remote.is_url(path) else os.path.realpath(path)
    if real in seen:
        return False
    seen.add(real)
    return True
