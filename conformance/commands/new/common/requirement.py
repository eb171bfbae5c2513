"""What installs the same version of this package elsewhere: in a CI job, for example."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import url2pathname

from conformance.model.version import VERSION

_NAME = "tool-use-conformance"
_ALL = f"{_NAME}[all]"
_WHEELS = Path("wheels")
_SCP = re.compile(r"(?P<user>[\w.-]+@)?(?P<host>[\w.-]+):(?!//)(?P<path>.+)")
"""How git writes an address of SSH: `git@HOST:OWNER/REPOSITORY`."""


def requirement() -> tuple[str, str]:
    """The line of a requirements file, and what to do about it, if anything.

    It names the source that this package was installed from, which pip keeps (PEP 610): a repository with its commit, a
    wheel, which is copied into `wheels`, or, without a source, the package index.
    """
    source = _source()
    if source is None:
        return f"{_ALL}=={VERSION}", ""
    url = source["url"]
    if "vcs_info" in source:
        return _of_commit(url, source["vcs_info"]["commit_id"]), ""
    path = Path(url2pathname(urlsplit(url).path)) if url.startswith("file:") else None
    if path is None:
        return f"{_ALL} @ {_without_user(url)}", ""
    if path.is_file():
        _WHEELS.mkdir(exist_ok=True)
        shutil.copy(path, _WHEELS)
        return f"./{_WHEELS}/{path.name}[all]", f"commit {_WHEELS / path.name}: the CI job installs it"
    remote, commit = _git(path, "remote", "get-url", "origin"), _git(path, "rev-parse", "HEAD")
    if remote and commit and (found := _remote(remote)):
        return _of_commit(found, commit), ""
    return (
        f"{_ALL} @ {path.as_uri()}",
        "it names a folder of this machine: replace it by git+https://github.com/OWNER/conformance@COMMIT for CI",
    )


def _source() -> Mapping[str, Any] | None:
    try:
        text = distribution(_NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    return None if text is None else json.loads(text)


def _of_commit(url: str, commit: str) -> str:
    return f"{_ALL} @ git+{_without_user(url)}@{commit}"


def _remote(url: str) -> str | None:
    """The address of a remote as pip takes it; None for a folder."""
    if re.match(r"(https?|ssh|git)://", url):
        return url
    match = _SCP.fullmatch(url)
    return f"ssh://{match['user'] or ''}{match['host']}/{match['path']}" if match else None


def _without_user(url: str) -> str:
    """The URL without a password or a token; the user `git` of SSH stays."""
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"git@{host}" if user == "git" else host))


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours
            ["git", "-C", str(folder), *words],  # noqa: S607 - the one that the user has
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
