"""`conformance history`: when a provider or a client changed, over many nights of recordings."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.commands.common.output import destination
from conformance.commands.history import Options
from conformance.diff.drift.change import History
from conformance.diff.drift.history import history_of
from conformance.diff.drift.thinning import parsed, superfluous
from conformance.errors import ConformanceError
from conformance.report.history_report import write_history

_NIGHT = re.compile(r"(\d{4}-\d{2}-\d{2}).*")


def run(options: Options) -> int:
    """Reports the changes of a folder of nights; with `--keep`, deletes the nights that the rule does not need."""
    rule = parsed(options.keep) if options.keep is not None else None
    if options.dry_run and rule is None:
        raise ConformanceError("--dry-run works only with --keep", "add --keep 14d,8w,12m")
    wanted, folder = options.cells.filter, Path(options.folder)
    if _has_findings(options.folder):
        if rule is not None or not wanted.everything:
            raise ConformanceError("--keep and the filters are for recordings", "leave them out for findings")
        return _trends(options)
    if rule is not None and not wanted.everything:
        raise ConformanceError("--keep needs all recordings to find the changes", "remove the filters")
    found = history_of(folder, wanted, options.precision)
    clean = Redactor(known_secrets()).text
    shown = replace(found, changes=[each.shown(clean) for each in found.changes])
    with destination(options.output, [options.folder]) as out:
        write_history(shown.since(_day(options.since)), options.format, out)
    if rule is not None:
        _thin(folder, found, rule, dry_run=options.dry_run)
    return 1 if options.strict and found.too_few else 0


def _has_findings(folder: str) -> bool:
    """Whether the folder has findings in Parquet; asked without Arrow."""
    return "://" in folder or next(Path(folder).glob("**/*.parquet"), None) is not None


def _trends(options: Options) -> int:
    from conformance.report.trends_report import write_trends
    from conformance.scale.trends import trends_of

    found = trends_of(options.folder, options.precision)
    with destination(options.output, [options.folder]) as out:
        write_trends(found.shown(Redactor(known_secrets()).text).since(_day(options.since)), options.format, out)
    return 0


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise ConformanceError(f"--since {text}: is not a date", "write it as 2026-11-01") from error


def _thin(folder: Path, found: History, rule: dict[str, int], *, dry_run: bool) -> None:
    gone = {night.isoformat() for night in superfluous(found.nights, found.changes, rule)}
    for path in sorted(folder.iterdir()):
        named = _NIGHT.fullmatch(path.name)
        if named is not None and named[1] in gone and path.is_dir() and not path.is_symlink():
            click.echo(f"{'would delete' if dry_run else 'deleted'} {path}", err=True)
            if not dry_run:
                shutil.rmtree(path)
