"""`conformance run --dialect mcp`: drives an MCP server through the protocol, in each revision that it supports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from conformance.campaign.target_endpoint import endpoint_of, header_of
from conformance.campaign.targets import Target
from conformance.commands.common.baseline import refuse_part, write_baseline
from conformance.commands.common.execute import TerminatedError, terminable
from conformance.commands.common.groups import CampaignOptions
from conformance.commands.common.options import given
from conformance.commands.common.output import destination, exit_code
from conformance.commands.common.progress import watching
from conformance.commands.common.targets import checked_name, host_name
from conformance.commands.run import Options
from conformance.drivers.extras import needs
from conformance.errors import ConformanceError
from conformance.judge.selection import Selection
from conformance.judge.summary import Summary
from conformance.matrix.cells import must_exist
from conformance.model.printable import count
from conformance.report.base import Case
from conformance.report.json_report import JsonReport
from conformance.report.verdicts import Display
from conformance.tool_definitions.inputs.private import Private, private_command, private_url

if TYPE_CHECKING:
    from conformance.mcp_servers.cells import Cell, Outcome
    from conformance.mcp_servers.choose import Wish
    from conformance.mcp_servers.reach import Reach

DIALECT = "mcp"
NONE = "none"
"""What `--profile` takes here: the findings about the server's SDK count as any other."""
_PROCESSES = 4
"""How many processes of a server run at once over stdio, where --jobs names no other number."""
_SECONDS = 10.0
"""How often progress is shown without a terminal."""
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
    "stream": "--stream",
}


def is_meant(options: Options) -> bool:
    """Whether the options ask for an MCP server and not for models.

    Raises:
        ConformanceError: they mix the two.
    """
    if DIALECT in options.cells.dialects:
        if len(set(options.cells.dialects)) > 1:
            raise ConformanceError("--dialect mcp cannot be combined with others", "run it by itself")
        return True
    own = {
        "--tool": options.tool,
        "--arguments": options.arguments,
        "--revision": options.revision,
        "a command after `--`": options.command,
    }
    for name, value in own.items():
        if value:
            raise ConformanceError(f"{name} works only for an MCP server", "add --dialect mcp")
    return False


def run(options: Options) -> int:
    """Runs the cells against one server, and reports them as a matrix."""
    _refuse_options_of_models(options)
    display = options.report.display
    selection = options.findings.selection()
    for module in ("mcp", "mcp_types", "httpx2"):
        if find_spec(module) is None:
            raise ConformanceError(*needs("testing an MCP server", module))
    planned = _planned(options)
    everything = not (options.cells.scenarios or options.revision or options.cells.drivers)
    refuse_part(selection, whole=everything)
    wish = _wish(options.tool, options.arguments)
    server = _server(options)
    folder = Path(options.save) if options.save else None
    with destination(options.report.output, [str(folder)] if folder else []) as out:
        jobs = options.campaign.jobs if given("jobs") else _PROCESSES if server.reach.argv else 1
        done, interrupted = _played(planned, server, wish, folder, jobs)
        notes = [] if options.profile == NONE else _notes(done)
        whole = everything and interrupted is None
        summary = _report(done, display, selection, out, server.target, whole=whole)
        if display.format == "text":
            from conformance.commands.run.mcp_table import print_table

            print_table(done, out, quiet=display.quiet)
            out.writelines(f"{line}\n" for line in notes)
    if interrupted is not None:
        click.echo(f"conformance: interrupted; {len(planned) - len(done)} of {len(planned)} cells not done", err=True)
        return 143 if isinstance(interrupted, TerminatedError) else 130
    return exit_code(summary, strict=selection.strict)


def _refuse_options_of_models(options: Options) -> None:
    for name, option in _WITHOUT_MEANING.items():
        if given(name) and not (name == "profile" and options.profile == NONE):
            hint = "pass --base-url URL, or -- and a command" if name in ("target", "targets") else f"remove {option}"
            raise ConformanceError(f"{option} has no meaning for an MCP server", hint)


def _planned(options: Options) -> list[Cell]:
    from conformance.mcp_servers.cells import DRIVERS, cells
    from conformance.mcp_servers.probes import PROBES
    from conformance.mcp_servers.raw import REVISIONS

    scenarios, drivers = options.cells.scenarios, options.cells.drivers
    must_exist("scenario", scenarios, [each.name for each in PROBES])
    must_exist("revision", options.revision, REVISIONS)
    must_exist("driver", drivers, DRIVERS)
    planned = cells(scenarios, options.revision, drivers)
    if not planned:
        raise ConformanceError("no cell matches all filters", "remove --scenario, --revision or --driver")
    return planned


def _wish(tools: Sequence[str], arguments: str | None) -> Wish:
    from conformance.mcp_servers.choose import Wish

    if arguments is None:
        return Wish(tuple(tools))
    if arguments.startswith("@"):
        try:
            text = Path(arguments[1:]).read_text(encoding="utf-8")
        except OSError as error:
            raise ConformanceError(f"--arguments {arguments}: {error.strerror}", "pass @ and a JSON file") from error
        given_ = _object(text, arguments, """{"get_weather": {"city": "Seoul"}}""")
        if not all(isinstance(each, dict) for each in given_.values()):
            hint = """write it as {"get_weather": {"city": "Seoul"}}"""
            raise ConformanceError(f"--arguments {arguments}: is not an object of arguments for each tool", hint)
        return Wish(tuple(dict.fromkeys([*tools, *given_])), given_)
    if len(tools) != 1:
        hint = "name the tool that the arguments are for, or pass @FILE with those of several tools"
        raise ConformanceError("--arguments needs exactly one --tool", hint)
    return Wish(tuple(tools), {tools[0]: _object(arguments, "", """'{"city": "Seoul"}'""")})


def _object(text: str, name: str, example: str) -> dict[str, Any]:
    what = f"--arguments {name}".strip()
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ConformanceError(f"{what} is not JSON: {error}", f"write it as {example}") from error
    if not isinstance(value, dict):
        raise ConformanceError(f"{what} is not a JSON object", f"write it as {example}")
    return value


@dataclass(frozen=True, slots=True)
class _Server:
    """Where the server is, what may be shown of it, and its name."""

    reach: Reach
    private: Private
    target: str


def _server(options: Options) -> _Server:
    from conformance.mcp_servers.reach import Reach

    at, command = options.campaign, options.command
    if (at.base_url is None) == (not command):
        raise ConformanceError(
            "an MCP server is given by its URL or by its command",
            "pass either --base-url URL, or -- and the command that starts it",
        )
    if at.base_url is not None:
        return _at(at.base_url, at)
    if at.header or at.api_key_env:
        raise ConformanceError("--header and --api-key-env need --base-url", "set variables in the environment")
    reach = Reach(argv=command, timeout=at.timeout)
    return _Server(reach, private_command(command), checked_name(at.name) or "stdio")


def _at(url: str, options: CampaignOptions) -> _Server:
    from conformance.mcp_servers.reach import Reach

    headers = dict(map(header_of, options.header))
    target = Target(checked_name(options.name) or host_name(url), url, {DIALECT: DIALECT}, headers=headers)
    found = endpoint_of(target, DIALECT, api_key_env=options.api_key_env, timeout=options.timeout)
    sent = dict(found.headers)
    if options.api_key_env is not None:
        sent["authorization"] = f"Bearer {found.api_key}"
    place = found.origin + (found.root or "")
    private = private_url(place, [*found.secrets, *sent.values()])
    return _Server(Reach(url=place, headers=sent, timeout=options.timeout), private, target.name)


def _played(
    planned: Sequence[Cell], server: _Server, wish: Wish, folder: Path | None, jobs: int
) -> tuple[list[Outcome], KeyboardInterrupt | None]:
    """The outcomes so far, and what interrupted the rest.

    Raises:
        ConformanceError: no server of this protocol answers.
    """
    from conformance.mcp_servers.perform import perform
    from conformance.mcp_servers.save import path_of, save_cell

    done: list[Outcome] = []
    try:
        note = lambda: f"{len(done)} of {len(planned)} cells"  # noqa: E731 - as short as this
        with terminable(), watching(len(planned), 0, note=note, seconds=_SECONDS) as watch:
            for outcome in perform(planned, server.reach, wish, server.target, server.private.hide, jobs=jobs):
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


def _notes(done: Sequence[Outcome]) -> list[str]:
    """Makes what the server's SDK does by itself an info; returns a line about that, if there is any."""
    from conformance.mcp_servers.sdks import as_author_sees, recognised

    sdk = recognised(done)
    number = 0 if sdk is None else sum(as_author_sees(each, sdk) for each in done)
    if sdk is None or not number:
        return []
    what = f"{count(number, 'finding')} about {sdk.name}, not about this server"
    return [f"{what}: infos (-v shows them; --profile {NONE} counts them as any other)"]


def _report(
    done: Sequence[Outcome], display: Display, selection: Selection, out: IO[str], target: str, *, whole: bool
) -> Summary:
    summary = Summary(selection=selection)
    report = display.opened(out)
    try:
        for outcome in done:
            cell = outcome.cell
            case = Case(cell.id, target, cell.probe.name, DIALECT, cell.driver, cell.revision, outcome.skipped)
            report.judged(f"{target}:{cell.id}", case)
            summary.conversations += outcome.skipped is None
            summary.exchanges += len(outcome.exchanges)
            summary.judged += len(outcome.exchanges)
            summary.cells += bool(outcome.exchanges)
            summary.harness_errors += outcome.harness_errors
            if outcome.untried and outcome.skipped is not None:
                summary.count_not_exercised(outcome.skipped)
            outcome.findings[:] = [finding for finding in outcome.findings if selection.keeps(finding)]
            if not (outcome.exchanges or outcome.findings or outcome.skipped):
                summary.omit("cell", cell.id, "no exchange")
            for finding in outcome.findings:
                report.finding(finding)
                summary.count(finding)
        if isinstance(report.inner, JsonReport):
            report.inner.more = {"exercises": [each.as_json() for each in done]}
        write_baseline(selection, whole=whole)
        for finding in selection.stale(whole=whole):
            report.finding(finding)
            summary.count(finding)
    finally:
        report.close(summary)
    return summary
