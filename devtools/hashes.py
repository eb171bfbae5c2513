"""constraints.txt with the hashes of the files: what CI installs, so that it gets the files that were reviewed.

`python -m devtools.hashes` (`make hashes`) writes `constraints-hashes.txt` again: every pin of `constraints.txt` with
the hashes of all files of that version, for any platform and Python. It needs `uv` and a network.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from conformance.errors import ConformanceError
from devtools.places import ROOT

PINS = ROOT / "constraints.txt"
HASHES = ROOT / "constraints-hashes.txt"
HEADER = """\
# The pins of constraints.txt with the hashes of their files; `make hashes` writes this. Install with:
# pip install --require-hashes -r constraints-hashes.txt
"""


def normalised(name: str) -> str:
    """A project's name as the registry compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str) -> dict[str, str]:
    """The version of each project that a requirements or constraints file pins."""
    return {normalised(name): version for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", text, re.MULTILINE)}


def hashes(text: str) -> dict[str, list[str]]:
    """The hashes of each pinned project."""
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    return {normalised(entry.partition("==")[0]): re.findall(r"--hash=(\S+)", entry) for entry in entries}


def written(source: Path) -> Iterator[str]:
    """The lines of the file with hashes.

    Raises:
        ConformanceError: `uv` is not installed, or a pin is not in the registry.
    """
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        raise ConformanceError("uv is not installed", "install it with `pip install uv`")
    options = [
        "--no-deps",
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
        "--no-annotate",
        "--no-header",
    ]
    command = [uv, "pip", "compile", "--quiet", *options, str(source)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise ConformanceError(f"uv pip compile failed: {made.stderr.strip()}", "see whether every pin still exists")
    yield HEADER
    yield made.stdout


if __name__ == "__main__":
    HASHES.write_text("".join(written(PINS)), encoding="utf-8")
