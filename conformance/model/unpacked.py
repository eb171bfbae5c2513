"""The shipped cassettes of an installed package: its wheel has them in one archive, an eighth of their size."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tarfile
import tempfile
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path


@cache
def unpacked(archive: Path) -> Path:
    """The folder with the files of the archive: in the user's cache, or in a temporary one if that is read-only."""
    version = hashlib.sha256(archive.read_bytes()).hexdigest()[:16]
    folder = user_cache_path("tool-use-conformance") / f"{archive.name.partition('.')[0]}-{version}"
    try:
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            made = _extracted(archive, folder.parent)
            try:
                made.rename(folder)
            except OSError:  # another process was faster
                shutil.rmtree(made)
        if folder.is_dir():
            return folder
    except OSError:
        pass
    made = _extracted(archive, None)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def _extracted(archive: Path, parent: Path | None) -> Path:
    """A new folder with the files. They are written one by one: what tarfile itself extracts differs by version."""
    folder = Path(tempfile.mkdtemp(prefix="unpacking-", dir=parent))
    with tarfile.open(archive) as files:
        for member in files:
            path = folder / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            if (content := files.extractfile(member)) is not None:
                path.write_bytes(content.read())
    return folder
