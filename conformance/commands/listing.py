"""`conformance list`: scenarios, cells, rules, profiles, cassettes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from conformance.commands import cassettes as origins
from conformance.errors import ConformanceError
from conformance.judge.profiles import all_profiles
from conformance.judge.rule import all_rules
from conformance.judge.run_rules import RUN_RULES, usual_severity
from conformance.matrix.cells import Filter, all_cells, must_exist
from conformance.model.data_files import data_dir
from conformance.model.registry import all_dialects
from conformance.model.settings import settings_of
from conformance.scenario.load import all_scenarios


def run(
    *,
    scenarios: Sequence[str],
    dialects: Sequence[str],
    drivers: Sequence[str],
    stream: bool | None,
    scenario_folders: Sequence[str] = (),
    rules: bool,
    profiles: bool = False,
    cassettes: str | None = None,
    max_age: str | None = None,
    as_of: str | None = None,
    format_: str = "text",
) -> int:
    """Prints the scenarios and the matrix of cells, the rules of the chosen dialects, the profiles, or the cassettes.

    `cassettes` is a folder, or empty for the shipped cassettes.
    """
    wanted = Filter(scenarios, dialects, drivers, stream, scenario_folders)
    if profiles:
        _profiles()
        return 0
    cells = [] if rules else all_cells(wanted)
    if cassettes is not None or max_age is not None:
        if rules:
            raise ConformanceError("--rules and --cassettes cannot be combined", "use one of them")
        table = cassettes is not None
        return origins.run(
            wanted, cassettes=cassettes or None, table=table, max_age=max_age, as_of=as_of, format_=format_
        )
    if format_ != "text":
        raise ConformanceError("--format works only with --cassettes", "add --cassettes")
    if rules:
        must_exist("dialect", dialects, all_dialects())
        _rules(dialects)
        return 0
    click.echo("scenarios")
    for scenario in all_scenarios(scenario_folders).values():
        if not scenarios or scenario.id in scenarios:
            click.echo(f"  {scenario.id:24} {scenario.summary}")
    click.echo(f"\ndialects\n  {', '.join(all_dialects())}")
    click.echo("\ncells")
    own = settings_of().values.get("cassettes")
    folders = [*([Path(own)] if own else []), data_dir("cassettes")]
    for cell in cells:
        there = any((folder / cell.relative_path).exists() for folder in folders)
        state = f"not applicable: {cell.not_applicable}" if cell.not_applicable else "no cassette"
        click.echo(f"  {cell.id:56} {cell.relative_path if there else state}")
    return 0


def _profiles() -> None:
    for name, profile in all_profiles().items():
        click.echo(f"{name:16} {profile.about}")
        if profile.hosts:
            click.echo(f"{'':16} hosts: {', '.join(profile.hosts)}")
        if profile.generations:
            click.echo(f"{'':16} generations: {', '.join(f'{name}/{each}' for each in profile.generations)}")


def _rules(dialects: Sequence[str]) -> None:
    for rule in all_rules().values():
        if dialects and rule.dialects and not set(dialects) & set(rule.dialects):
            continue
        severities = "/".join(sorted({str(severity) for severity in rule.severity.values()}))
        where = ", ".join(rule.dialects) or "every dialect"
        click.echo(f"{rule.id:44} {severities:14} {where:20} {rule.statement}")
    for name, (statement, _) in sorted(RUN_RULES.items()):
        click.echo(f"{name:44} {usual_severity(name):14} {'a whole run':20} {statement}")
