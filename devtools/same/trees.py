"""The trees of commits, checked out beside each other for as long as they are needed."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class NoSuchCommitError(ValueError):
    """The text says what git knows no commit of."""


def commit(repository: Path, revision: str) -> str:
    """The hash of a revision.

    Raises:
        NoSuchCommitError: there is none.
    """
    try:
        return _git(
            repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        ).strip()
    except subprocess.CalledProcessError:
        raise NoSuchCommitError(f"{revision!r} names no commit of this repository") from None


@contextmanager
def checked_out(repository: Path, revision: str, folder: Path) -> Iterator[Path]:
    """A worktree of the revision in the folder, which must not exist yet; removed when the context closes."""
    _git(repository, "worktree", "add", "--quiet", "--detach", str(folder), commit(repository, revision))
    try:
        yield folder
    finally:
        _git(repository, "worktree", "remove", "--force", str(folder))


def title(repository: Path, revision: str) -> str:
    """The short hash and the subject of a commit."""
    return _git(repository, "log", "-1", "--format=%h %s", commit(repository, revision)).strip()


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=repository, check=True, text=True, stdout=subprocess.PIPE)
    return done.stdout
