"""Downloads the packages of `vendors.json` that cannot be installed here, and keeps the listed files of their source.

Run by `make documents` with the interpreter of its environment, below which it writes `sources/`; nothing of this
repository is imported.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any


def main() -> None:
    vendors = json.loads(Path(__file__).with_name("vendors.json").read_bytes())
    for entry in (each for each in vendors.values() if "sources" in each):
        folder = Path(sys.prefix) / "sources" / f"{entry['package']}-{entry['version']}"
        if not folder.exists():
            for name, content in _files(entry):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)


def _files(entry: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The files by their names in the package; an archive of sources has them below a folder of its own."""
    with tempfile.TemporaryDirectory() as there:
        wanted = f"{entry['package']}=={entry['version']}"
        quiet = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation")
        subprocess.run([sys.executable, "-m", "pip", "download", *quiet, "--dest", there, wanted], check=True)
        archive = next(Path(there).iterdir())
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                yield from ((name, wheel.read(name)) for name in entry["sources"])
        else:
            with tarfile.open(archive) as sources:
                for each in sources.getmembers():
                    name = str(PurePosixPath(*PurePosixPath(each.name).parts[1:]))
                    found = sources.extractfile(each) if name in entry["sources"] else None
                    if found is not None:
                        yield name, found.read()


if __name__ == "__main__":
    main()
