"""`conformance list --cassettes`: the source and age of each cassette, and which ones are too old."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click

from conformance.cassette.metadata import Origin, age_of, cassettes_below, moment_of, origin
from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.commands.list import Options
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter
from conformance.model.data_files import data_dir
from conformance.model.printable import count, in_columns, visible

_COLUMNS = ("age", "provenance", "target", "driver", "version", "model", "cassette")


def list_cassettes(options: Options) -> int:
    """Lists the cassettes that match the filters; returns 1 if one is older than `--max-age`."""
    folder = Path(options.cassettes) if options.cassettes else data_dir("cassettes")
    if not folder.is_dir():
        raise ConformanceError(f"{folder}: folder does not exist", "pass the folder that `conformance record` wrote to")
    max_age = options.max_age
    now, longest = moment_of(options.as_of), age_of(max_age) if max_age is not None else None
    wanted = options.cells.filter
    found = [each for each in map(origin, cassettes_below(folder)) if _admits(wanted, each)]
    if not found:
        raise ConformanceError(
            f"{folder}: contains no cassette that matches the filters",
            "change the filters, or record some with `conformance record`",
        )
    stale = [each for each in found if longest is not None and _too_old(each, now, longest)]
    complaints = [f"{each.path}: {_complaint(each, now, str(max_age))}; {_again(each, folder)}" for each in stale]
    clean = Redactor(known_secrets()).text
    as_json = options.format == "json"
    if as_json:
        click.echo(clean(json.dumps(_document(found, stale, folder, now), indent=1)))
    elif options.cassettes is not None:
        for line in in_columns([_COLUMNS, *(_row(each, folder, now) for each in found)]):
            click.echo(visible(clean(line)))
    for line in complaints:
        click.echo(visible(clean(line)), err=as_json)
    if longest is not None and not as_json:
        click.echo(f"{len(stale)} of {count(len(found), 'cassette')} older than {max_age}")
    return 1 if stale else 0


def _admits(wanted: Filter, each: Origin) -> bool:
    """Whether the cassette's metadata matches the filters."""
    metadata = each.metadata
    return (
        (not wanted.scenarios or metadata.get("scenario") in wanted.scenarios)
        and (not wanted.dialects or metadata.get("dialect") in wanted.dialects)
        and (not wanted.drivers or metadata.get("driver") in wanted.drivers)
        and wanted.stream in (None, _streamed(each))
    )


def _streamed(each: Origin) -> bool:
    return each.path.name.removesuffix(".gz").rpartition(".")[0].endswith("--stream")


def _too_old(each: Origin, now: datetime, longest: timedelta) -> bool:
    age = each.age(now)
    return age is None or age > longest


def _complaint(each: Origin, now: datetime, longest: str) -> str:
    age = each.age(now)
    if age is None:
        return "has no recording date"
    return f"recorded {_natural(age)} ago ({each.recorded_at:%Y-%m-%d}), older than {longest}"


def _natural(age: timedelta) -> str:
    """An age in its natural unit: days, hours or minutes."""
    if age >= timedelta(days=2):
        return f"{age.days} days"
    hours = max(int(age / timedelta(hours=1)), 0)
    return count(hours, "hour")


def _again(each: Origin, folder: Path) -> str:
    command = _command(each, folder)
    return f"record it again: {command}" if command else "record it again at its source"


def _command(each: Origin, folder: Path) -> str | None:
    """The command that records the cassette again; None if another project recorded it."""
    metadata = {name: str(value) for name, value in each.metadata.items()}
    if not {"scenario", "dialect", "driver", "conformance_version"} <= metadata.keys():
        return None
    words = ["conformance", "record"]
    for axis in ("scenario", "dialect", "driver"):
        words += [f"--{axis}", metadata[axis]]
    words.append("--stream" if _streamed(each) else "--no-stream")
    if metadata.get("provenance") != "reference":
        words += ["--target", metadata.get("target", ""), "--model", metadata.get("model", "")]
    return shlex.join([*words, "--cassettes", str(folder)])


def _row(each: Origin, folder: Path, now: datetime) -> tuple[str, ...]:
    age = each.age(now)
    metadata = [
        str(each.metadata.get(name) or "?") for name in ("provenance", "target", "driver", "driver_version", "model")
    ]
    return ("?" if age is None else _natural(age), *metadata, str(each.path.relative_to(folder)))


def _document(found: Sequence[Origin], stale: Sequence[Origin], folder: Path, now: datetime) -> dict[str, Any]:
    return {
        "version": 1,
        "as_of": now.isoformat(timespec="seconds"),
        "folder": str(folder),
        "cassettes": [_record(each, folder, now, stale=each in stale) for each in found],
    }


def _record(each: Origin, folder: Path, now: datetime, *, stale: bool) -> dict[str, Any]:
    age = each.age(now)
    names = ("scenario", "dialect", "driver", "driver_version", "provenance", "target", "model", "conformance_version")
    return {
        "path": str(each.path.relative_to(folder)),
        **{name: None if each.metadata.get(name) is None else str(each.metadata[name]) for name in names},
        "stream": _streamed(each),
        "recorded_at": None if each.recorded_at is None else each.recorded_at.isoformat(timespec="seconds"),
        "age_days": None if age is None else round(age / timedelta(days=1), 2),
        "stale": stale,
        "record": _command(each, folder),
    }
