"""`conformance replay --with`: replays the same cassettes with other versions of a client, and compares them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import click

from conformance.campaign.environments import Environment, client_of, environment, published
from conformance.cassette.redact import shown
from conformance.commands.common.options import words
from conformance.commands.common.output import destination, refuse_input
from conformance.commands.replay import Options
from conformance.drivers import all_drivers
from conformance.errors import ConformanceError, HarnessError

_NUMBERS = re.compile(r"\d+")
_DRIFT = "request-drift"
_SHOWN = 8
"""The number of causes shown for each version."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of one version's replay: the cells whose requests drifted, and those with other errors.

    `causes` has the number of cells for each severity, rule, place and message.
    """

    version: str
    cells: int
    drifted: frozenset[str]
    failed: frozenset[str]
    causes: Mapping[tuple[str, str, str, str], int]
    skipped: str | None = None

    @property
    def alike(self) -> tuple[frozenset[str], frozenset[str], frozenset[tuple[str, str, str, str]]]:
        """What must be equal for two versions to behave alike."""
        return self.drifted, self.failed, frozenset(self.causes)


def compare(options: Options) -> int:
    """Replays with each version, or searches a range for the first version that behaves differently."""
    form, output = options.report.format, options.report.output
    if form not in ("text", "json"):
        raise ConformanceError(f"--with cannot write a {form} report", "use --format text or --format json")
    if output is not None and options.cassettes:
        refuse_input(output, [options.cassettes])
    arguments = list(_arguments(options))
    if options.version_range is not None:
        found = list(_searched(*options.version_range, arguments))
    else:
        found = [_replayed(environment(tuple(each.split())), arguments) for each in options.versions]
    found.sort(key=lambda each: _key(each.version))
    with destination(output) as out:
        if form == "json":
            json.dump({"version": 1, "versions": [_as_json(each) for each in found]}, out, indent=2)
            out.write("\n")
        else:
            _write(found, out, searched=options.version_range is not None)
    return 1 if any(severity == "error" for each in found for severity, *_ in each.causes) else 0


def _arguments(options: Options) -> Iterator[str]:
    """What is replayed, as arguments of `replay`."""
    yield from words(options.cells)
    if options.cassettes:
        yield from ("--cassettes", options.cassettes)
    yield from ("--target", options.target)


def _replayed(made: Environment, arguments: Sequence[str]) -> Replayed:
    client = client_of(made.requirements[0])
    version = f"{client} {made.installed(client)}"
    drivers = {each.name for each in all_drivers() if each.package == client}
    named = () if "--driver" in arguments else tuple(word for name in sorted(drivers) for word in ("--driver", name))
    done = made.run("-m", "conformance", "replay", "--format", "json", *arguments, *named)
    if done.returncode == 2:
        return Replayed(version, 0, frozenset(), frozenset(), {}, skipped=_reason(done.stderr))
    if done.returncode not in (0, 1):
        raise HarnessError(f"replaying with {made.name} failed: {_reason(done.stderr)}", "please report it")
    report = json.loads(done.stdout)
    counted = [each for each in report["findings"] if each["severity"] != "info"]
    causes: dict[tuple[str, str, str, str], set[str]] = {}
    for each in counted:
        place = _NUMBERS.sub("*", f"{each['side'] or ''} {each['pointer'] or ''}").strip()
        key = each["severity"], each["rule"], place, _NUMBERS.sub("*", each["message"])
        causes.setdefault(key, set()).add(each["source"])
    return Replayed(
        version,
        report["summary"]["conversations"],
        frozenset(_name(each["source"]) for each in counted if each["rule"] == _DRIFT),
        frozenset(_name(each["source"]) for each in counted if each["rule"] != _DRIFT and each["severity"] == "error"),
        {key: len(cells) for key, cells in causes.items()},
    )


def _name(source: str) -> str:
    """The path of a cassette below its folder, which is at a different place in each environment."""
    return "/".join(source.split("/")[-3:])


def _reason(text: str) -> str:
    lines = text.strip().splitlines() or ["no reason was given"]
    return shown(lines[-1].removeprefix("conformance: "))


def _searched(client: str, bounds: str, arguments: Sequence[str]) -> Iterator[Replayed]:
    """The ends of a range, and the versions tried on the way to the first that behaves differently from the lowest.

    Raises:
        ConformanceError: the range is not LOWEST..LATEST, or contains fewer than two versions.
    """
    since = min(
        (getattr(each, "since", "0") for each in all_drivers() if each.package == client), key=_key, default="0"
    )
    known = [each for each in published(client) if re.fullmatch(r"[0-9.]+", each)]
    first, dots, last = bounds.partition("..")
    low = _key(since if first == "lowest" else first)
    high = _key(known[-1] if last == "latest" else last)
    within = [each for each in known if low <= _key(each) <= high]
    if not dots or len(within) < 2:
        message = f"fewer than two versions of {client} in {bounds!r}"
        raise ConformanceError(message, "write a range such as lowest..latest")
    tried: dict[int, Replayed] = {}

    def at(number: int) -> Replayed:
        if number not in tried:
            click.echo(f"replaying with {client} {within[number]}", err=True)
            tried[number] = _replayed(environment((f"{client}=={within[number]}",)), arguments)
        return tried[number]

    below, above = 0, len(within) - 1
    if at(below).alike != at(above).alike:
        while above - below > 1:
            middle = (below + above) // 2
            if at(middle).alike == at(0).alike:
                below = middle
            else:
                above = middle
    yield from tried.values()


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in _NUMBERS.findall(version))


def _as_json(found: Replayed) -> dict[str, Any]:
    return {
        "client": found.version,
        "cells": found.cells,
        "drifted": sorted(found.drifted),
        "failed": sorted(found.failed),
        "skipped": found.skipped,
        "causes": [
            {"severity": severity, "rule": rule, "place": place, "message": message, "cells": count}
            for (severity, rule, place, message), count in sorted(found.causes.items())
        ],
    }


def _write(found: Sequence[Replayed], out: IO[str], *, searched: bool) -> None:
    width = max(len(each.version) for each in found)
    out.write(f"{'client':{width}}  cells  same  drifted  failed\n")
    for each in found:
        if each.skipped is not None:
            out.write(f"{each.version:{width}}  not replayed: {each.skipped}\n")
            continue
        same = each.cells - len(each.drifted | each.failed)
        out.write(f"{each.version:{width}}  {each.cells:5}  {same:4}  {len(each.drifted):7}  {len(each.failed):6}\n")
    seen: set[tuple[str, str, str, str]] = set()
    for each in found:
        new = {cause: count for cause, count in each.causes.items() if cause not in seen}
        seen |= new.keys()
        if not new:
            continue
        out.write(f"\nfirst with {each.version}\n")
        for (severity, rule, place, message), count in sorted(new.items(), key=lambda item: -item[1])[:_SHOWN]:
            out.write(shown(f"  {severity:8} {rule}  {place}  {count} cells\n           {message}\n"))
        if len(new) > _SHOWN:
            out.write(f"  and {len(new) - _SHOWN} more; use --format json to see them\n")
    replayed = [each for each in found if each.skipped is None]
    if searched and len(replayed) > 1:
        changed = next((each for each in replayed[1:] if each.alike != replayed[0].alike), None)
        if changed is None:
            out.write(f"\n{replayed[-1].version} replays the cassettes like {replayed[0].version}\n")
        else:
            out.write(f"\nthe first version that behaves differently is {changed.version}\n")
