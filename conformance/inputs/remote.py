"""Files at a URL (`s3://`, `gs://`, `abfs://`, `memory://`), by fsspec and the package of the scheme."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs.extra import needed


def is_url(path: str) -> bool:
    """Whether a path is a URL."""
    return "://" in path


def is_folder(url: str) -> bool:
    """Whether there is a folder at the URL.

    Raises:
        ConformanceError: there is nothing, or the storage cannot be reached.
    """
    with _failures_of(url):
        files, path = _opened(url)
        if files.isdir(path):
            return True
        if files.exists(path):
            return False
    raise ConformanceError(f"{url}: no such file or folder", "check the URL")


def walk(url: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """The folders below one, as `os.walk` returns them, each with its URL.

    Raises:
        ConformanceError: the storage cannot be reached.
    """
    with _failures_of(url):
        files, path = _opened(url)
        for parent, below, names in files.walk(path):
            yield files.unstrip_protocol(parent), below, names


@contextmanager
def opened(url: str) -> Iterator[IO[bytes]]:
    """The bytes of a file.

    Raises:
        ConformanceError: it cannot be read.
    """
    with _failures_of(url):
        files, path = _opened(url)
        with files.open(path, "rb") as stream:
            yield stream


def _opened(url: str) -> tuple[Any, str]:
    files, path = needed("fsspec.core", url, "arrow").url_to_fs(url)
    return files, str(path)


@contextmanager
def _failures_of(url: str) -> Iterator[None]:
    """Errors of the storage's own package, which have no class in common."""
    try:
        yield
    except (ConformanceError, EOFError, FileNotFoundError, IsADirectoryError):
        raise
    except ImportError as error:
        raise ConformanceError(f"{url}: {error}", "install the package of this storage") from None
    except Exception as error:
        if type(error).__module__.startswith("conformance") or isinstance(error, RecursionError):
            raise
        raise ConformanceError(f"{url}: cannot be read ({error})", "check the URL and the credentials") from None
