"""`conformance list`: scenarios, cells, rules, profiles, cassettes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from conformance.commands.common.options import given
from conformance.commands.list import Options
from conformance.commands.list.cassettes import list_cassettes
from conformance.errors import ConformanceError
from conformance.judge.rule import all_rules
from conformance.judge.run_rules import run_rules
from conformance.matrix.cells import Cell, Filter, all_cells, must_exist
from conformance.model.data_files import data_dir
from conformance.model.registry import all_dialects
from conformance.model.settings import settings_of
from conformance.profiles.profiles import all_profiles
from conformance.scenario.load import all_scenarios


def run(options: Options) -> int:
    """Prints the scenarios and the matrix of cells, or the rules, the profiles, or the cassettes."""
    wanted = options.cells.filter
    about_cassettes = options.cassettes is not None or options.max_age is not None
    if given("as_of") and not about_cassettes:
        raise ConformanceError("--as-of works only with --cassettes or --max-age", "add --cassettes")
    if options.profiles:
        _profiles()
        return 0
    cells = [] if options.rules else all_cells(wanted)
    if about_cassettes:
        if options.rules:
            raise ConformanceError("--rules and --cassettes cannot be combined", "use one of them")
        return list_cassettes(options)
    if options.format != "text":
        raise ConformanceError("--format works only with --cassettes", "add --cassettes")
    if options.rules:
        must_exist("dialect", wanted.dialects, all_dialects())
        _rules(wanted.dialects)
    else:
        _matrix(cells, wanted)
    return 0


def _matrix(cells: Sequence[Cell], wanted: Filter) -> None:
    click.echo("scenarios")
    for scenario in all_scenarios(wanted.folders).values():
        if not wanted.scenarios or scenario.id in wanted.scenarios:
            click.echo(f"  {scenario.id:24} {scenario.summary}")
    click.echo(f"\ndialects\n  {', '.join(all_dialects())}")
    click.echo("\ncells")
    own = settings_of().values.get("cassettes")
    folders = [*([Path(own)] if own else []), data_dir("cassettes")]
    for cell in cells:
        there = any((folder / cell.relative_path).exists() for folder in folders)
        state = f"not applicable: {cell.not_applicable}" if cell.not_applicable else "no cassette"
        click.echo(f"  {cell.id:56} {cell.relative_path if there else state}")


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
    for name, run_rule in sorted(run_rules().items()):
        click.echo(f"{name:44} {run_rule.severity:14} {'a whole run':20} {run_rule.requirement}")
