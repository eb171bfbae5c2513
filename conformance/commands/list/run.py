"""`conformance list`: scenarios, cells, rules, profiles, cassettes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from conformance.commands.common.options import given
from conformance.commands.list import Options
from conformance.commands.list.cassettes import list_cassettes
from conformance.errors import ConformanceError
from conformance.judge.rule import all_rules
from conformance.judge.run_rules import run_rules
from conformance.matrix.cells import LIVE, Cell, Filter, all_cells, must_exist
from conformance.model.data_files import data_dir
from conformance.model.registry import all_dialects
from conformance.model.settings import settings_of
from conformance.profiles.profiles import all_profiles
from conformance.scenario.load import all_scenarios

_Found = Mapping[str, Any]
"""What is listed, as the members of the JSON document."""


def run(options: Options) -> int:
    """Prints the scenarios and the matrix of cells, or the rules, the profiles, or the cassettes."""
    wanted = options.cells.filter
    about_cassettes = options.cassettes is not None or options.max_age is not None
    if given("as_of") and not about_cassettes:
        raise ConformanceError("--as-of works only with --cassettes or --max-age", "add --cassettes")
    if options.profiles:
        _print(options, _profiles(), _profile_lines)
        return 0
    cells = [] if options.rules else all_cells(wanted.with_live(*LIVE) if wanted.scenarios else wanted)
    if about_cassettes:
        if options.rules:
            raise ConformanceError("--rules and --cassettes cannot be combined", "use one of them")
        return list_cassettes(options)
    if options.rules:
        must_exist("dialect", wanted.dialects, all_dialects())
        _print(options, _rules(wanted.dialects), _rule_lines)
    else:
        _print(options, _matrix(cells, wanted), _matrix_lines)
    return 0


def _print(options: Options, found: _Found, lines: Callable[[_Found], Iterator[str]]) -> None:
    text = json.dumps({"version": 1, **found}, indent=1) if options.format == "json" else "\n".join(lines(found))
    click.echo(text)


def _matrix(cells: Sequence[Cell], wanted: Filter) -> _Found:
    own = settings_of().values.get("cassettes")
    folders = [*([Path(own)] if own else []), data_dir("cassettes")]
    usual = all_scenarios(wanted.folders)
    chosen = [
        each
        for each in all_scenarios(wanted.with_live(*LIVE).folders).values()
        if not wanted.scenarios or each.id in wanted.scenarios
    ]
    return {
        "scenarios": [{"id": each.id, "summary": each.summary} for each in chosen if each.id in usual],
        "live_scenarios": [{"id": each.id, "summary": each.summary} for each in chosen if each.id not in usual],
        "dialects": list(all_dialects()),
        "cells": [
            {
                "id": cell.id,
                "scenario": cell.scenario.id,
                "dialect": cell.dialect,
                "driver": cell.driver.name,
                "stream": cell.stream,
                "cassette": next(
                    (str(cell.relative_path) for folder in folders if (folder / cell.relative_path).exists()), None
                ),
                "not_applicable": cell.not_applicable or None,
            }
            for cell in cells
        ],
    }


def _matrix_lines(found: _Found) -> Iterator[str]:
    for title, name in (("scenarios", "scenarios"), ("scenarios without cassettes, for `run`", "live_scenarios")):
        if found[name]:
            yield title
            yield from (f"  {each['id']:24} {each['summary']}" for each in found[name])
            yield ""
    yield f"dialects\n  {', '.join(found['dialects'])}\n\ncells"
    for cell in found["cells"]:
        reason = cell["not_applicable"]
        state = cell["cassette"] or (f"not applicable: {reason}" if reason else "no cassette")
        yield f"  {cell['id']:56} {state}"


def _profiles() -> _Found:
    return {
        "profiles": [
            {
                "name": name,
                "about": each.about,
                "hosts": list(each.hosts),
                "generations": [f"{name}/{one}" for one in each.generations],
            }
            for name, each in all_profiles().items()
        ]
    }


def _profile_lines(found: _Found) -> Iterator[str]:
    for each in found["profiles"]:
        yield f"{each['name']:16} {each['about']}"
        if each["hosts"]:
            yield f"{'':16} hosts: {', '.join(each['hosts'])}"
        if each["generations"]:
            yield f"{'':16} generations: {', '.join(each['generations'])}"


def _rules(dialects: Sequence[str]) -> _Found:
    chosen = [
        each
        for each in all_rules().values()
        if not (dialects and each.dialects and not set(dialects) & set(each.dialects))
    ]
    found = [
        {
            "id": rule.id,
            "severities": sorted({str(severity) for severity in rule.severity.values()}),
            "dialects": list(rule.dialects),
            "scope": "exchange",
            "statement": rule.statement,
        }
        for rule in chosen
    ]
    for name, rule in sorted(run_rules().items()):
        about = {"severities": [str(rule.severity)], "dialects": [], "scope": "run", "statement": rule.requirement}
        found.append({"id": name, **about})
    return {"rules": found}


def _rule_lines(found: _Found) -> Iterator[str]:
    for each in found["rules"]:
        every = "a whole run" if each["scope"] == "run" else "every dialect"
        where = ", ".join(each["dialects"]) or every
        yield f"{each['id']:44} {'/'.join(each['severities']):14} {where:20} {each['statement']}"
