"""The files of a repository at a commit, with git alone: from a local copy, or fetched."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.errors import ConformanceError
from devtools.corpus.sources import Source


@dataclass(frozen=True)
class Repository:
    """A git directory that has the commit of a source; `fetches` if file contents still have to be fetched into it."""

    folder: Path
    source: Source
    fetches: bool

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The files that the source reads, each with its content, in the order of their paths."""
        found = dict(sorted(self._blobs()))
        if self.fetches:
            _git(self.folder, "fetch", "--quiet", "--no-tags", "--filter=blob:none", "--stdin", self.source.url,
                 given="\n".join({*found.values()}))  # fmt: skip
        yield from zip(found, _contents(self.folder, [*found.values()]), strict=True)

    def _blobs(self) -> Iterator[tuple[str, str]]:
        for line in _git(self.folder, "ls-tree", "-r", "-z", self.source.commit).split(b"\0"):
            about, _, name = line.partition(b"\t")
            path = name.decode("utf-8", "replace")
            if path and self.source.needs(path) and about.startswith(b"100"):
                yield path, about.split()[2].decode()


def repository(source: Source, mirror: Path | None, kept: Path) -> Repository:
    """The repository of a source: its copy in `mirror`, or what is fetched into `kept`.

    Raises:
        ConformanceError: there is no copy in the mirror, or it lacks the commit; or fetching failed.
    """
    if mirror is None:
        folder = kept / source.name
        if not _has(folder, source.commit):
            folder.mkdir(parents=True, exist_ok=True)
            _git(folder, "init", "--quiet", "--bare")
            _git(folder, "config", "extensions.partialClone", "origin")
            _git(folder, "config", "remote.origin.url", source.url)
            _git(folder, "config", "remote.origin.promisor", "true")
            _git(folder, "fetch", "--quiet", "--no-tags", "--depth=1", "--filter=blob:none", "origin", source.commit)
        return Repository(folder, source, fetches=True)
    for folder in _places(mirror, source):
        if folder.is_dir():
            if not _has(folder, source.commit):
                raise ConformanceError(
                    f"{folder}: the commit {source.commit[:12]} is not there",
                    "fetch it into the copy, or remove the copy",
                )
            return Repository(folder, source, fetches=False)
    raise ConformanceError(f"{mirror}: no copy of {source.repository}", f"clone it as {_places(mirror, source)[0]}")


def _places(mirror: Path, source: Source) -> tuple[Path, ...]:
    owner, _, name = source.name.partition("+")
    return mirror / source.name / "repo", mirror / source.name, mirror / owner / name, mirror / owner / f"{name}.git"


def _has(folder: Path, commit: str) -> bool:
    if not folder.is_dir():
        return False
    asked = ["git", "-C", str(folder), "cat-file", "-e", f"{commit}^{{tree}}"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def _contents(folder: Path, blobs: Sequence[str]) -> Iterator[bytes]:
    """The contents of blobs, one at a time."""
    with subprocess.Popen(
        ["git", "-C", str(folder), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for blob in blobs:
            process.stdin.write(f"{blob}\n".encode())
            process.stdin.flush()
            answer = process.stdout.readline().split()
            if len(answer) != 3:
                raise ConformanceError(f"{folder}: the content {blob} is missing", "fetch the repository again, whole")
            yield process.stdout.read(int(answer[2]))
            process.stdout.read(1)
        process.stdin.close()


def _git(folder: Path, *arguments: str, given: str | None = None) -> bytes:
    ran = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        input=None if given is None else given.encode(),
        capture_output=True,
        check=False,
    )
    if ran.returncode:
        about = ran.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"]
        raise ConformanceError(f"git {arguments[0]} in {folder}: {about[-1]}", "check the address and the connection")
    return ran.stdout
