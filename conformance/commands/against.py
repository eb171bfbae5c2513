"""`conformance diff --against-target`: records the new side now, as `conformance record` would."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from conformance.cells import Filter
from conformance.diff.pairs import axes_in
from conformance.errors import ConformanceError


def recorded_now(old: Path, folder: Path, target: str, wanted: Filter, **options: Any) -> Filter:
    """Records into the folder what the old recordings have and the target can play; the filter for what was tried.

    Raises:
        ConformanceError: nothing of the old recordings can be recorded from the target, or an option is wrong.
    """
    from conformance.cli import app
    from conformance.commands import record
    from conformance.commands.aim import aims

    if not old.is_dir():
        raise ConformanceError(
            f"{old}: not a folder of cassettes", "name the folder that `conformance record` wrote to"
        )
    there = [axes for axes in axes_in(old) if axes.admitted(wanted)]
    if not there:
        raise ConformanceError(f"{old}: no cassette that the filters admit", "name a folder that was recorded to")
    have = replace(
        wanted,
        scenarios=tuple(sorted({axes.scenario for axes in there})),
        dialects=tuple(sorted({axes.dialect for axes in there})),
        drivers=tuple(sorted({axes.driver for axes in there})),
    )
    command = app.commands["record"]
    arguments = ["--target", target, "--cassettes", str(folder), "--output", str(folder / "report.txt")]
    for name, values in options.items():
        for value in (values,) if isinstance(values, str) else values or ():
            arguments += [f"--{name}", value]
    given = command.make_context("record", arguments).params
    aimed = {key: given[key] for key in ("targets", "base_url", "model", "api_key_env", "header", "timeout")}
    with ExitStack() as stack:
        playable = {
            (cell.dialect, cell.scenario.id, cell.driver.name, cell.mode)
            for aim in aims(stack, _spoken(have, target, given["targets"]), target=[target], **aimed)
            for cell in aim.cells
            if cell.id not in aim.skipped
        }
    tried = [axes for axes in there if (axes.dialect, axes.scenario, axes.driver, axes.mode) in playable]
    if not tried:
        raise ConformanceError(
            f"{target} can play nothing that is recorded in {old}", "`conformance list` shows the matrix"
        )
    chosen = replace(
        wanted,
        scenarios=tuple(sorted({axes.scenario for axes in tried})),
        dialects=tuple(sorted({axes.dialect for axes in tried})),
        drivers=tuple(sorted({axes.driver for axes in tried})),
    )
    filters = {"scenarios": chosen.scenarios, "dialects": chosen.dialects, "drivers": chosen.drivers}
    code = record.run(**{**given, **filters, "stream": chosen.stream})
    if code > 1:
        raise ConformanceError(f"recording from {target} ended with exit code {code}", "see above for what stopped it")
    return chosen


def _spoken(wanted: Filter, target: str, files: Any) -> Filter:
    """The filter without the dialects that the target does not speak: they are simply not compared."""
    from conformance.targets import known_targets

    known = known_targets(files)
    if target not in known:
        return wanted  # what to do about it is told by whoever looks the target up
    spoken = tuple(dialect for dialect in wanted.dialects if dialect in known[target].models)
    return replace(wanted, dialects=spoken or wanted.dialects)
