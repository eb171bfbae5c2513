"""A hook of the build: the wheel has the cassettes in one archive, the same bytes for the same cassettes.

A wheel compresses each of its files by itself, and cassettes are alike: in one archive they take an eighth of that.
"""

from __future__ import annotations

import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackedCassettes(BuildHookInterface[Any]):
    """Packs the cassettes for a wheel; an editable installation reads those of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            self._folder = tempfile.TemporaryDirectory()
            archive = Path(self._folder.name, "cassettes.tar.xz")
            packed(Path(self.root, "cassettes"), archive)
            build_data["force_include"][str(archive)] = f"conformance/_data/{archive.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._folder.cleanup()


def packed(folder: Path, archive: Path) -> None:
    """Writes the archive."""
    with tarfile.open(archive, "w:xz") as files:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            member.size, member.mode = path.stat().st_size, 0o644
            with path.open("rb") as content:
                files.addfile(member, content)
