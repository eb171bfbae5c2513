"""`conformance run --dialect mcp`: drives an MCP server through the protocol, in each revision that it supports."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from conformance.campaign.endpoint import endpoint, header_of
from conformance.campaign.targets import Target
from conformance.commands.baseline import refuse_part, write_baseline
from conformance.commands.execute import TerminatedError, terminable
from conformance.commands.output import Display, destination, exit_code, selected
from conformance.commands.progress import watching
from conformance.commands.resolve import checked_name, host_name
from conformance.drivers.extras import install_hint
from conformance.errors import ConformanceError
from conformance.judge.checker import Summary
from conformance.judge.selection import Selection
from conformance.matrix.cells import must_exist
from conformance.report.base import Case
from conformance.tools.inputs.private import Private, private_command, private_url

if TYPE_CHECKING:
    from conformance.mcp_servers.cells import Cell, Outcome
    from conformance.mcp_servers.choose import Wish
    from conformance.mcp_servers.reach import Reach

DIALECT = "mcp"
_WITHOUT_MEANING = {
    "samples": "--samples",
    "fail_under": "--fail-under",
    "model": "--model",
    "budget": "--budget",
    "resume": "--resume",
    "profile": "--profile",
    "target": "--target",
    "targets": "--targets",
    "scenario_folders": "--scenarios",
}


def is_meant(dialects: Sequence[str], command: Sequence[str], **given: Any) -> bool:
    """Whether the options ask for an MCP server and not for models.

    Raises:
        ConformanceError: they mix the two.
    """
    if DIALECT in dialects:
        if len(set(dialects)) > 1:
            raise ConformanceError("--dialect mcp cannot be combined with others", "run it by itself")
        return True
    named = [f"--{name}" for name, value in given.items() if value]
    if command or named:
        what = named[0] if named else "a command after `--`"
        raise ConformanceError(f"{what} works only for an MCP server", "add --dialect mcp")
    return False


def run(
    *,
    scenarios: Sequence[str],
    drivers: Sequence[str],
    stream: bool | None,
    base_url: str | None,
    command: Sequence[str],
    name: str | None,
    api_key_env: str | None,
    header: Sequence[str],
    timeout: float,
    tool: Sequence[str],
    arguments: str | None,
    revision: Sequence[str],
    save: str | None,
    format_: str,
    output: str | None,
    verbose: bool,
    quiet: bool = False,
    cause: int | None = None,
    jobs: int = 1,
    attempts: int = 1,
    max_wait: float = 0,
    **others: Any,
) -> int:
    """Runs the cells against one server, and reports them as a matrix."""
    del attempts, max_wait  # about models
    _refuse({**others, "stream": stream is not None, "jobs": jobs > 1})
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**{key: value for key, value in others.items() if key not in _WITHOUT_MEANING})
    for module in ("mcp", "mcp_types", "httpx2"):
        if find_spec(module) is None:
            raise ConformanceError(f"testing an MCP server needs {module}, which is missing", install_hint(module))
    planned = _planned(scenarios, revision, drivers)
    everything = not (scenarios or revision or drivers)
    refuse_part(selection, whole=everything)
    wish = _wish(tool, arguments)
    if (base_url is None) == (not command):
        raise ConformanceError(
            "an MCP server is given by its URL or by its command",
            "pass either --base-url URL, or -- and the command that starts it",
        )
    if base_url is None:
        if header or api_key_env:
            raise ConformanceError("--header and --api-key-env need --base-url", "set variables in the environment")
        server = _started(command, name, timeout)
    else:
        server = _at(base_url, name, api_key_env=api_key_env, header=header, timeout=timeout)
    folder = Path(save) if save else None
    with destination(output, [str(folder)] if folder else []) as out:
        done, interrupted = _played(planned, server, wish, folder)
        whole = everything and interrupted is None
        summary = _report(done, display, selection, out, server.target, whole=whole)
        if format_ == "text":
            from conformance.commands.run_mcp_table import print_table

            print_table(done, out, quiet=quiet)
    if interrupted is not None:
        click.echo(f"conformance: interrupted; {len(planned) - len(done)} of {len(planned)} cells not done", err=True)
        return 143 if isinstance(interrupted, TerminatedError) else 130
    return exit_code(summary, strict=selection.strict)


def _refuse(given: Mapping[str, Any]) -> None:
    named = {**_WITHOUT_MEANING, "stream": "--stream", "jobs": "--jobs"}
    for key, option in named.items():
        if given.get(key):
            hint = "pass --base-url URL, or -- and a command" if key in ("target", "targets") else f"remove {option}"
            raise ConformanceError(f"{option} has no meaning for an MCP server", hint)


def _planned(scenarios: Sequence[str], revisions: Sequence[str], drivers: Sequence[str]) -> list[Cell]:
    from conformance.mcp_servers.cells import DRIVERS, cells
    from conformance.mcp_servers.exercises import EXERCISES
    from conformance.mcp_servers.raw import REVISIONS

    must_exist("scenario", scenarios, [each.name for each in EXERCISES])
    must_exist("revision", revisions, REVISIONS)
    must_exist("driver", drivers, DRIVERS)
    planned = cells(scenarios, revisions, drivers)
    if not planned:
        raise ConformanceError("no cell matches all filters", "remove --scenario, --revision or --driver")
    return planned


def _wish(tools: Sequence[str], arguments: str | None) -> Wish:
    from conformance.mcp_servers.choose import Wish

    if arguments is None:
        return Wish(tuple(tools))
    if len(tools) != 1:
        raise ConformanceError("--arguments needs exactly one --tool", "name the tool that the arguments are for")
    try:
        value = json.loads(arguments)
    except ValueError as error:
        raise ConformanceError(f"--arguments is not JSON: {error}", """write it as '{"city": "Seoul"}'""") from error
    if not isinstance(value, dict):
        raise ConformanceError("--arguments is not a JSON object", """write it as '{"city": "Seoul"}'""")
    return Wish(tuple(tools), value)


@dataclass(frozen=True, slots=True)
class _Server:
    """Where the server is, what may be shown of it, and its name."""

    reach: Reach
    private: Private
    target: str


def _started(command: Sequence[str], name: str | None, timeout: float) -> _Server:
    from conformance.mcp_servers.reach import Reach

    return _Server(Reach(argv=tuple(command), timeout=timeout), private_command(command), checked_name(name) or "stdio")


def _at(url: str, name: str | None, *, api_key_env: str | None, header: Sequence[str], timeout: float) -> _Server:
    from conformance.mcp_servers.reach import Reach

    headers = dict(map(header_of, header))
    target = Target(checked_name(name) or host_name(url), url, {DIALECT: DIALECT}, headers=headers)
    found = endpoint(target, DIALECT, api_key_env=api_key_env, timeout=timeout)
    sent = dict(found.headers)
    if api_key_env is not None:
        sent["authorization"] = f"Bearer {found.api_key}"
    place = found.origin + (found.root or "")
    private = private_url(place, [*found.secrets, *sent.values()])
    return _Server(Reach(url=place, headers=sent, timeout=timeout), private, target.name)


def _played(
    planned: Sequence[Cell], server: _Server, wish: Wish, folder: Path | None
) -> tuple[list[Outcome], KeyboardInterrupt | None]:
    """The outcomes so far, and what interrupted the rest.

    Raises:
        ConformanceError: no server of this protocol answers.
    """
    from conformance.mcp_servers.perform import perform
    from conformance.mcp_servers.save import path_of, save_cell

    done: list[Outcome] = []
    try:
        with terminable(), watching(len(planned), 0, note=lambda: f"{len(done)} of {len(planned)} cells") as watch:
            for outcome in perform(planned, server.reach, wish, server.target, server.private.hide):
                if outcome.unreached is not None:
                    hint = (
                        "check the command"
                        if server.reach.argv
                        else "check the URL (its path is often /mcp) and the key"
                    )
                    raise ConformanceError(f"{server.private.name}: no MCP server answers: {outcome.unreached}", hint)
                done.append(outcome)
                if folder is not None and outcome.exchanges:
                    save_cell(outcome.exchanges, path_of(folder, outcome.cell, server.target))
                watch.step()
    except KeyboardInterrupt as interrupt:
        return done, interrupt
    return done, None


def _report(
    done: Sequence[Outcome], display: Display, selection: Selection, out: IO[str], target: str, *, whole: bool
) -> Summary:
    summary = Summary()
    report = display.opened(out)
    try:
        for outcome in done:
            cell = outcome.cell
            case = Case(cell.id, target, cell.exercise.name, DIALECT, cell.driver, cell.revision, outcome.skipped)
            report.judged(f"{target}:{cell.id}", case)
            summary.conversations += outcome.skipped is None
            summary.exchanges += len(outcome.exchanges)
            summary.harness_errors += outcome.harness_errors
            if outcome.untried and outcome.skipped is not None:
                summary.count_not_exercised(outcome.skipped)
            outcome.findings[:] = [finding for finding in outcome.findings if selection.keeps(finding)]
            for finding in outcome.findings:
                report.finding(finding)
                summary.count(finding)
        write_baseline(selection, whole=whole)
        for finding in selection.stale(whole=whole):
            report.finding(finding)
            summary.count(finding)
    finally:
        report.close(summary)
    return summary
