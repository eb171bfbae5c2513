"""`conformance record`: records cassettes from the reference server or from a target."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path

from conformance.cassette.lock import writing
from conformance.commands.common.baseline import refuse_part
from conformance.commands.common.done import Done, ended, verdicts
from conformance.commands.common.execute import run_tasks
from conformance.commands.common.matrix import print_matrix
from conformance.commands.common.output import destination, stale_entries
from conformance.commands.common.plan import Plan, planned
from conformance.commands.common.targets import planned_targets
from conformance.commands.record import Options
from conformance.matrix.cells import Cell
from conformance.matrix.recorded import add_to_lists
from conformance.report.verdicts import report_verdicts


def run(options: Options) -> int:
    """Records the cells that match the filters, `samples` times each. A rejected recording does not stop the others."""
    display = options.report.display
    selection = options.findings.selection()
    wanted = options.cells.filter
    refuse_part(selection, whole=wanted.everything)
    with ExitStack() as stack:
        plan = _plan(stack, options)
        out = stack.enter_context(destination(options.report.output, [options.cassettes]))
        stack.enter_context(writing(Path(options.cassettes)))
        done = run_tasks(plan)
        _list(done)
        stale = stale_entries(selection, lambda: wanted.everything and done.complete)
        judged = chain(verdicts(done, "not recorded"), stale)
        results, summary = report_verdicts(judged, display, out, selection=selection)
        if display.format == "text":
            print_matrix(results, out, "recorded", planned=plan.targets[0].cells, display=display)
        return ended(done, summary, strict=selection.strict, not_done="not recorded")


def _list(done: Done) -> None:
    """Lists the recorded cassettes in their folders: each sample has its own."""
    folders: dict[Path, list[Cell]] = {}
    for task, _ in done.judged():
        if task.path is not None and task.path.exists():
            folders.setdefault(task.path.parents[len(task.cell.relative_path.parts) - 1], []).append(task.cell)
    for folder, cells in folders.items():
        add_to_lists(folder, cells)


def _plan(stack: ExitStack, options: Options) -> Plan:
    """The plan for the one target. Of samples, each recording counts: also one without what its scenario exercises."""
    names = [options.target] if options.target else [] if options.campaign.base_url else ["reference"]
    behaviours, samples = options.behaviours, options.samples
    targets = planned_targets(stack, names, options.cells.filter, options.campaign, behaviours=behaviours)
    plan = planned(
        "record",
        targets,
        options.campaign,
        folder=Path(options.cassettes),
        samples=samples,
        keep_good=not samples,
        behaviours=behaviours,
    )
    return replace(plan, tasks=sorted(plan.tasks, key=lambda task: task.sample))  # one whole sample after the other
