"""Checks contributed results: `python -m devtools.peers.contribution docs/results --since origin/main`, as CI does.

The reports must be whole JSON reports at their places, as `conformance results` reads them; `about.yaml` must name the
package and the command that made the reports; the command line must accept it; each version must be published.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click

from conformance.commands import app
from conformance.errors import ConformanceError
from conformance.report.site.layout import Implementation
from conformance.report.site.site import measured

Published = Callable[[str, str], bool]
"""Whether a package (`pypi:NAME`) has a version."""
_MAKE_REPORTS = ("run", "serve", "check", "gateway")


def problems(folder: Path, published: Published, changed: Sequence[Path] | None = None) -> Iterator[str]:
    """What is wrong with the results of a folder, or of those files of it that changed."""
    try:
        every = measured(folder)
    except ConformanceError as error:
        yield str(error)
        return
    for each in (one.about for one in every):
        homes = {file.parent for files in each.days.values() for file in files}
        if changed is not None:
            homes = {home for home in homes if any(path.is_relative_to(home) for path in changed)}
        if homes:
            yield from (f"{each.name}: {wrong}" for wrong in _wrong(each, {home.name for home in homes}, published))


def _wrong(each: Implementation, versions: set[str], published: Published) -> Iterator[str]:
    if each.run is None:
        yield "about.yaml has no `run`: write the command that made the reports"
    for line in (each.run or "").splitlines():
        yield from _not_accepted(line)
    if each.package is None:
        yield "about.yaml has no `package`: write pypi:NAME, npm:NAME or github:OWNER/NAME"
        return
    for version in sorted(versions):
        if not published(each.package, version):
            yield f"{each.package} has no version {version}: name the folder as the package's index names the version"


def _not_accepted(line: str) -> Iterator[str]:
    """Why a command cannot be run again. Nothing is run."""
    try:
        program, verb, *words = shlex.split(line)
    except ValueError:
        program, verb, words = "", "", []
    if program != "conformance" or verb not in _MAKE_REPORTS:
        yield f"`{line}`: not a command that makes a report; use conformance {', '.join(_MAKE_REPORTS)}"
        return
    try:
        app.commands[verb].make_context(verb, words)
    except click.UsageError as error:
        yield f"`{line}`: {error.format_message()}"


def is_published(package: str, version: str) -> bool:
    """Asks the ordinary client of the index."""
    index, _, name = package.partition(":")
    commands = {
        "pypi": [sys.executable, "-m", "pip", "index", "versions", "--pre", name],
        "npm": ["npm", "view", f"{name}@{version}", "version"],
        "github": ["git", "ls-remote", f"https://github.com/{name}", f"refs/tags/{version}", f"refs/tags/v{version}"],
    }
    if index not in commands:
        return False
    found = subprocess.run(commands[index], capture_output=True, text=True, check=False).stdout
    return version in found.replace(",", " ").split() if index == "pypi" else bool(found.strip())


def _changed(folder: Path, since: str) -> list[Path]:
    command = ["git", "diff", "--name-only", "--relative", "-z", f"{since}...HEAD", "--", "."]
    names = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    return [folder / name for name in names.split("\0") if name]


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--since", help="check only the versions with files that changed since this revision")
    chosen = parser.parse_args()
    changed = _changed(chosen.folder, chosen.since) if chosen.since else None
    found = list(problems(chosen.folder, is_published, changed))
    sys.stdout.writelines(f"{each}\n" for each in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
