"""Writes the site: as a whole, or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from conformance.errors import ConformanceError
from conformance.report.site.badge import LABEL, endpoint, svg
from conformance.report.site.cells import Measured
from conformance.report.site.feed import feed
from conformance.report.site.layout import KINDS, implementations, reports_of
from conformance.report.site.pages import dialect_file, dialect_page, document, implementation_page, index
from conformance.report.site.snapshot import snapshot_of

DATA = "results.json"
"""The file for programs. A folder that has it is a site of ours, and may be replaced."""


def measured(folder: Path) -> list[Measured]:
    """The implementations of a folder of reports.

    Raises:
        ConformanceError: it has none, or a file is not a whole report at its place.
    """
    found = implementations(folder)
    found.sort(key=lambda each: KINDS.index(each.kind) if each.kind else len(KINDS))
    return [
        Measured(each, {day: snapshot_of(reports_of(files), each.kind) for day, files in each.days.items()})
        for each in found
    ]


def files_of(every: list[Measured]) -> Iterator[tuple[str, str]]:
    """Each file of the site, with its content."""
    yield "index.html", index(every)
    for dialect in sorted({dialect for each in every for dialect in each.latest.dialects}):
        yield dialect_file(dialect), dialect_page(dialect, every)
    for each in every:
        yield each.file, implementation_page(each)
        yield from _badges(each)
    yield "feed.xml", feed(every)
    yield DATA, f"{json.dumps(document(every), indent=1)}\n"


def _badges(each: Measured) -> Iterator[tuple[str, str]]:
    counts = {dialect: each.latest.counts(dialect) for dialect in each.latest.dialects}
    for name, label, number in (
        (each.about.slug, LABEL, each.latest.total),
        *((f"{each.about.slug}-{dialect}", dialect, number) for dialect, number in counts.items()),
    ):
        yield f"badges/{name}.svg", svg(label, number)
        yield f"badges/{name}.json", endpoint(label, number)


def build(folder: Path, site: Path) -> list[Measured]:
    """Writes the site of a folder of reports. An earlier site is replaced once the new one is complete.

    Raises:
        ConformanceError: the reports cannot be read, or the site cannot be written.
    """
    _refuse_overlap(folder, site)
    every = measured(folder)
    try:
        site.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=".results-", dir=site.parent))
    except OSError as error:
        raise _unwritable(site, error) from error
    try:
        for name, text in files_of(every):
            path = made / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        made.chmod(0o755)
        _put(made, site)
    except OSError as error:
        raise _unwritable(site, error) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return every


def _put(made: Path, site: Path) -> None:
    """Moves the new site to its place; the old one is put back if that fails."""
    if not site.exists():
        made.rename(site)
        return
    old = Path(tempfile.mkdtemp(prefix=".results-", dir=site.parent))
    try:
        site.rename(old)
        try:
            made.rename(site)
        except OSError:
            old.rename(site)
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _refuse_overlap(folder: Path, site: Path) -> None:
    if site.is_symlink() or (site.exists() and not site.is_dir()):
        raise ConformanceError(f"--output {site}: not a folder", "choose another name")
    if site.is_dir() and not (site / DATA).is_file() and any(site.iterdir()):
        raise ConformanceError(
            f"--output {site}: the folder is not empty, and is no earlier site of this command",
            "choose a new or an empty folder",
        )
    one, other = folder.resolve(), site.resolve()
    if one == other or one.is_relative_to(other) or other.is_relative_to(one):
        raise ConformanceError(
            f"--output {site}: it and the reports lie in each other", "choose a folder outside the reports"
        )


def _unwritable(site: Path, error: OSError) -> ConformanceError:
    return ConformanceError(
        f"--output {site}: cannot be written: {error.strerror or error}", "choose a writable folder"
    )
