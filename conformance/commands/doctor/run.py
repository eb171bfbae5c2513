"""`conformance doctor`: what is installed, what can be driven, and what is set up. It sends nothing."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from conformance.campaign.targets import known_targets
from conformance.cassette.redact import shown
from conformance.commands.doctor import Options
from conformance.drivers import all_drivers, why_unavailable
from conformance.drivers.extras import install_hint
from conformance.drivers.installed import library_of, why_no_tool_server
from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir
from conformance.model.printable import count
from conformance.model.registry import all_dialects
from conformance.model.settings import settings_of
from conformance.model.version import VERSION
from conformance.profiles.profiles import all_profiles
from conformance.scenario.load import all_scenarios

_PARTS = {"vcrpy": "vcr", "starlette": "starlette", "uvicorn": "uvicorn"}
"""What else an extra installs: the distribution, and the name that has the hint."""
_MARKS = {"ok": "ok     ", "absent": "absent ", "problem": "problem"}


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at. `state` is `ok`, `absent` (not needed by everyone) or `problem`."""

    section: str
    name: str
    state: str
    detail: str


def run(options: Options) -> int:
    """Prints every line. Returns 1 if there is a problem."""
    lines = [
        *_system(),
        *_clients(),
        *_parts(),
        *_configuration(),
        *_folders(options.scenario_folders),
        *_keys(options.targets),
    ]
    if options.format == "json":
        click.echo(shown(json.dumps({"version": 1, "lines": [asdict(line) for line in lines]}, indent=2)))
    else:
        _print(lines)
    return 1 if any(line.state == "problem" for line in lines) else 0


def _print(lines: Sequence[Line]) -> None:
    width = max(len(line.name) for line in lines)
    section = ""
    for line in lines:
        if line.section != section:
            click.echo(("\n" if section else "") + line.section)
            section = line.section
        click.echo(shown(f"  {_MARKS[line.state]}  {line.name:<{width}}  {line.detail}"))
    problems = sum(line.state == "problem" for line in lines)
    click.echo(f"\n{count(problems, 'problem')}" if problems else "\nno problems")


def _system() -> Iterator[Line]:
    yield Line("system", "conformance", "ok", VERSION)
    yield Line("system", "Python", "ok", f"{platform.python_version()} on {platform.system()}")
    yield _part("system", "pytest", "loads the plugin of conformance", "pip install pytest")


def _clients() -> Iterator[Line]:
    """Each client with the dialects that it is driven in, or why it is not."""
    reasons: dict[str, str | None] = {}
    dialects: dict[str, list[str]] = {}
    for driver in all_drivers():
        reasons.setdefault(driver.package, why_unavailable(driver))
        dialects.setdefault(driver.package, []).append(driver.dialect)
    for package, reason in reasons.items():
        where = ", ".join(dict.fromkeys(dialects[package]))
        if reason is not None:
            yield Line("clients", package, "problem" if _installed(package) else "absent", reason)
        else:
            library = library_of(package)
            on = f" on {library}" if library != package else ""
            yield Line("clients", package, "ok", f"{version(package)}{on}, drives {where}")
    reason = why_no_tool_server()
    found = f"{_installed('mcp')}, runs tools on a real MCP server"
    state = "ok" if reason is None else "problem" if _installed("mcp") else "absent"
    yield Line("clients", "mcp", state, reason or found)


def _parts() -> Iterator[Line]:
    uses = {"vcrpy": "records and replays", "starlette": "serves", "uvicorn": "serves"}
    for package, name in _PARTS.items():
        yield _part("recorder and server", package, uses[package], install_hint(name))


def _part(section: str, package: str, use: str, hint: str) -> Line:
    found = _installed(package)
    return Line(section, package, "ok" if found else "absent", f"{found}, {use}" if found else f"not installed: {hint}")


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _configuration() -> Iterator[Line]:
    try:
        found = settings_of()
    except ConformanceError as error:
        yield Line("configuration", "settings", "problem", str(error))
        return
    if found.path is None:
        yield Line("configuration", "settings", "absent", "no [tool.conformance] and no conformance.toml here or above")
        return
    detail = f"{found.path}: {', '.join(found.values) or 'empty'}"
    yield Line("configuration", "settings", "ok", f"{detail}; `conformance config` shows the values")


def _folders(scenario_folders: Sequence[str]) -> Iterator[Line]:
    shipped = data_dir("cassettes")
    yield Line("data", "cassettes", "ok", f"{sum(1 for _ in shipped.rglob('*.yaml'))} in {shipped}")
    about = f"{len(all_dialects())} dialects, {len(all_profiles())} profiles"
    yield Line("data", "specs", "ok", f"{about} in {data_dir('specs')}")
    try:
        folders = [*scenario_folders, *settings_of().values.get("scenarios", ())]
        kept = settings_of().values.get("cassettes")
        yield Line("data", "scenarios", "ok", f"{len(all_scenarios(folders))}, of which {len(all_scenarios())} ship")
    except ConformanceError as error:
        yield Line("data", "scenarios", "problem", str(error))
        return
    if kept is not None and not Path(kept).is_dir():
        yield Line("data", "own cassettes", "problem", f"{kept}: no such folder; `conformance record` makes it")


def _keys(files: Sequence[str]) -> Iterator[Line]:
    """The variables that the targets read their keys from: whether each is set, never its value."""
    try:
        wanted = settings_of().values.get("targets", ())
        targets = known_targets([*files, *wanted])
    except ConformanceError as error:
        yield Line("keys", "targets", "problem", str(error))
        return
    of_variable: dict[str, list[str]] = {}
    for target in targets.values():
        if target.api_key_env:
            of_variable.setdefault(target.api_key_env, []).append(target.name)
    for name, used in of_variable.items():
        present = bool(os.environ.get(name, "").strip())
        yield Line("keys", name, "ok" if present else "absent", f"{'set' if present else 'not set'}: {', '.join(used)}")
